import { groupedAsInIndia } from '../lib/number-format.ts'

/** The amount of a text such as '₹45,000' or '45000'; undefined for any other text. */
export const rupeesIn = (text: string): number | undefined => {
  const plain = stripRupeeSign(text).replaceAll(',', '')
  return /^\d{1,12}$/.test(plain) ? Number(plain) : undefined
}

/** '₹45,000'. Text that is not just a number is returned trimmed but unchanged. */
export const formatRupees = (amount: string | number): string => {
  const text = String(amount).trim()
  const rupees = rupeesIn(text)
  return rupees === undefined ? text : `₹${groupedAsInIndia(rupees)}`
}

/** The amount without '₹', for texts that contain the sign themselves. */
export const stripRupeeSign = (amount: string): string => amount.trim().replace(/^₹\s*/, '')
