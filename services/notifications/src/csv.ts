import { dateTimeInIndia, indiaZone } from '@portal/contracts/shared/india-time'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'

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

/** The header of a column of times. Spreadsheets know no time zones. */
export const inZone = (name: string): string => `${name} (${indiaZone.shortName})`

/** Empty without a time. */
export const timeCell = (at: string | undefined): string => (at === undefined ? '' : dateTimeInIndia(Date.parse(at)))

/** Writes a file in parts, so that requests are served in between and the memory does not depend on the number of rows. */
export async function* csvFile(
  header: readonly string[],
  count: number,
  /** The cells of the rows from `from` to before `to`. */
  rows: (from: number, to: number) => Promise<readonly (readonly string[])[]>,
): AsyncGenerator<string, void> {
  yield byteOrderMark + csvLine(header)
  for (let from = 0; from < count; from += rowsPerPart) {
    await yieldToEventLoop()
    const part = await rows(from, Math.min(from + rowsPerPart, count))
    yield part.map(csvLine).join('')
  }
}
