import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { dateTimeInIndia, indiaZone } from '@portal/contracts/shared/india-time'
import { limits } from '@portal/contracts/shared/rules'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { SelectedRecipients } from './recipients-reader.ts'

/** Spreadsheets otherwise read the file in the encoding of the system. */
const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
/** Some milliseconds of reads. */
const rowsPerPart = 200

/** Where a spreadsheet begins a formula: full-width signs count, too, and it skips blanks and quotes. */
const formula = String.raw`(?=[\s"]*[=+\-@＝＋－＠])`
const formulaAtStart = new RegExp(String.raw`^(?:${formula}|(?=[\t\r\n]))`)
/** Spreadsheets of some countries separate cells at semicolons, also within those that are quoted here. */
const formulaAfterSeparator = new RegExp(String.raw`[;|\t\r\n]${formula}`, 'g')

/** Quotes a cell. An apostrophe keeps a spreadsheet from calculating what a user chose as their name. */
const cellOf = (text: string): string => {
  const plain = text.replaceAll(formulaAfterSeparator, "$&'").replace(formulaAtStart, "'")
  return `"${plain.replaceAll('"', '""')}"`
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}${lineEnd}`

/** Spreadsheets know no time zones: the header names it. */
const inZone = (name: string): string => `${name} (${indiaZone.shortName})`

const header = csvLine([
  'Name',
  'Email',
  'Status',
  'Reason',
  'Explanation',
  inZone('In inbox since'),
  inZone('Read at'),
  'User id',
])

/** Empty without a time. */
const timeOf = (at: string | undefined): string => (at === undefined ? '' : dateTimeInIndia(Date.parse(at)))

const lineOf = (recipient: CampaignRecipient): string => {
  const { fullName, personalEmail, status, reason = '', says, deliveredAt, readAt, userId } = recipient
  return csvLine([fullName, personalEmail, status, reason, says, timeOf(deliveredAt), timeOf(readAt), userId])
}

/** Writes the recipients in parts, so that the memory does not depend on their number. */
export async function* recipientsCsv({ count, rows }: SelectedRecipients): AsyncGenerator<string, void> {
  yield byteOrderMark + header
  const last = Math.min(count, limits.recipientsPerAudience)
  for (let from = 0; from < last; from += rowsPerPart) {
    await yieldToEventLoop()
    const part = await rows(from, Math.min(from + rowsPerPart, last))
    yield part.map(lineOf).join('')
  }
}
