import { paisePerRupee } from '@portal/contracts/catalog/fee-account'
import { email } from '@portal/contracts/shared/rules'
import { paiseOf } from './amount.ts'
import { dayIn } from './day.ts'

/** Spreadsheets hold phone numbers as numbers. */
export const isPhone = (cell: string): boolean => /^(?:\+?91[ -]?|0)?[6-9]\d{4}[ -]?\d{5}(?:\.0)?$/.test(cell.trim())

/** Smaller numbers count rows or semesters, larger ones are references. */
const [least, most] = [100 * paisePerRupee, 10_000_000 * paisePerRupee]

/** Of a cell in a column without a heading. */
export const paiseOfCell = (cell: string): number | undefined => {
  const paise = dayIn(cell) === undefined ? paiseOf(cell) : undefined
  return paise !== undefined && paise >= least && paise <= most ? paise : undefined
}

/** What is written like an amount, but is none or less: '0.00', '-15,000', '(15,000)' or '15,000-'. */
export const isNoPayment = (cell: string): boolean => {
  const unsigned = cell.trim().replaceAll(/^[-−–(]\s*|\s*[-−–)]$/g, '')
  return /^0+(?:\.0*)?$/.test(unsigned) || (unsigned !== cell.trim() && paiseOfCell(unsigned) !== undefined)
}

/** As banks number transfers: at least 12 characters, most of them digits. */
const isTransferNumber = (cell: string): boolean =>
  /^[a-z]{0,6}\d{8,30}$/i.test(cell) && cell.length >= 12 && !isPhone(cell)

/** 'UTR 4711'. Without such a word it may be a roll number, which is the same for each payment of a learner. */
const namedReference = /^(?:utr|rrn|ref|txn|neft|imps|rtgs|upi|receipt|cheque|chq)[ .:#/-]{0,2}\d{1,30}$/i

export const isReference = (cell: string): boolean => isTransferNumber(cell) || namedReference.test(cell)

const studentCode = /^min-\d{4}-[\da-z]{8}$/i

export const isContact = (text: string): boolean => studentCode.test(text) || email.safeParse(text).success
