const grouped = new Intl.NumberFormat('en-IN')

/** An amount as people read it: '₹45,000'. Free text that is more than a number stays as it was written. */
export const formatRupees = (amount: string | number): string => {
  const text = String(amount).trim()
  const plain = text.replace(/^₹\s*/, '').replaceAll(',', '')
  return /^\d{1,12}$/.test(plain) ? `₹${grouped.format(Number(plain))}` : text
}

/** The same without the sign, for texts that have one themselves. */
export const stripRupeeSign = (amount: string): string => amount.trim().replace(/^₹\s*/, '')
