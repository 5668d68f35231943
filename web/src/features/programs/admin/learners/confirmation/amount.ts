import { amountPaiseSchema, paisePerRupee } from '@portal/contracts/catalog/fee-account'

export const noAmount = 'Please enter an amount in rupees, such as 15,000 or 15,000.50'

const narrowBlanks = /[\u00A0\u2009\u202F]/g
const rupeeSign = String.raw`(?:₹|rs\.?|inr|rupees)`
/** Digits in groups of thousands, as in India or elsewhere, and at most two decimals. */
const written = new RegExp(
  String.raw`^${rupeeSign}?\s*\+?\s*(\d{1,12}|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?\s*(?:${rupeeSign}|\/[-=]|\(?cr\.?\)?)?(?:\s*only)?$`,
  'i',
)
/** A sum that a spreadsheet has computed: '15000.500000000002'. */
const computed = /^\d{1,12}\.\d{8,}$/

/** The paise of an amount as people and banks write it; undefined for any other text, also for none or less. */
export const paiseOf = (text: string): number | undefined => {
  const plain = text.replaceAll(narrowBlanks, '').trim()
  const exact = computed.test(plain) ? Number(plain).toFixed(2) : plain
  const [, rupees, hundredths = ''] = written.exec(exact) ?? []
  if (rupees === undefined) return undefined
  const paise = Number(rupees.replaceAll(',', '')) * paisePerRupee + Number(hundredths.padEnd(2, '0'))
  return amountPaiseSchema.safeParse(paise).data
}
