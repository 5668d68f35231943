const grouped = new Intl.NumberFormat('en-IN')

/** '₹45,000'. Text that is not just a number is returned trimmed but unchanged. */
export const formatRupees = (amount: string | number): string => {
  const text = String(amount).trim()
  const plain = text.replace(/^₹\s*/, '').replaceAll(',', '')
  return /^\d{1,12}$/.test(plain) ? `₹${grouped.format(Number(plain))}` : text
}

/** The amount without '₹', for texts that contain the sign themselves. */
export const stripRupeeSign = (amount: string): string => amount.trim().replace(/^₹\s*/, '')
