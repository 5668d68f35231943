import { futurePayment, learnerLimits } from '@portal/contracts/catalog/learners'
import { cellsOf, type Delimiter, delimiterOf } from '../../../../../lib/lists/cells.ts'
import { findContacts } from '../../../../../lib/lists/find-contacts.ts'
import { rowsOf } from '../../../../../lib/lists/rows.ts'
import { paiseOf } from './amount.ts'
import { isContact, isNoPayment, isPhone, isReference, paiseOfCell } from './cell-kinds.ts'
import { columnsByContent, columnsOfHeading, headingRowOf, type Columns } from './columns.ts'
import { dayIn } from './day.ts'

/** A row of a list of payments. What it leaves out is that of the form. */
export type PaymentRow = {
  /** As it stands in the list. */
  readonly text: string
  readonly contact: string
  readonly amount?: number | undefined
  readonly paidOn?: string | undefined
  readonly reference?: string | undefined
}

/** A row that is not sent, and why. */
export type LeftOutRow = { readonly text: string; readonly problem: string }

export type PaymentList = { readonly rows: readonly PaymentRow[]; readonly leftOut: readonly LeftOutRow[] }
export type ReadPayments =
  { readonly isRead: true; readonly list: PaymentList } | { readonly isRead: false; readonly message: string }

/** The statement of a bank also has other rows than fees. */
const maxRows = 5_000

const rejected = (message: string): ReadPayments => ({ isRead: false, message })

/** '15,000' in a row with commas between its cells. */
const grouped = /(^|,)\s*((?:₹|rs\.? ?|inr ?)?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d{1,2})?(?:\/-)?)\s*(?=,|$)/gi
/** The commas in '1,50,000'. */
const groupingComma = /(\d),(?=\d{2,3}(?!\d))/g
/** '28 Sep 2026' in a row with blanks between its cells. */
const spacedDay = /(\d{1,2}) ([a-z]{3,9}),? (\d{4})/gi

/** In a list that is no table, a row can have cells all the same. The commas within amounts are none. */
const betweenCells = /([^\d,]),|[;\t]|,(?=\s|$)|,(?=\d{1,4}[-/.]\d{1,2}[-/.]\d)|,(?!\d{2,3}(?!\d))/g

/** Of a list that is no table: its words. */
const wordsOf = (row: string): readonly string[] =>
  row
    .replaceAll(spacedDay, '$1-$2-$3')
    .replaceAll(/(₹|rs\.?|inr) +(?=\d)/gi, '$1')
    .replaceAll(betweenCells, '$1 ')
    .trim()
    .split(/\s+/)

const mayHaveContact = /@|\bmin-\d{4}/i

type Table = { readonly cells: readonly (readonly string[])[]; readonly heading: number; readonly columns: Columns }

/** Rows of words have what they state anywhere. */
const tableOfWords = (rows: readonly string[]): Table => {
  const cells = rows.map((row) => {
    const words = wordsOf(row)
    const first = (fits: (word: string) => boolean) => words.find(fits) ?? ''
    return [
      first((word) => paiseOfCell(word) !== undefined && !isPhone(word)) || first(isNoPayment),
      first((word) => dayIn(word) !== undefined),
      first(isReference),
    ]
  })
  return { cells, heading: -1, columns: { amount: 0, paidOn: 1, reference: 2 } }
}

const cellsOfRows = (rows: readonly string[], delimiter: Delimiter): readonly (readonly string[])[] => {
  const table = rows.map((row) => cellsOf(row, delimiter))
  const width = table[headingRowOf(table)]?.length ?? 0
  if (delimiter !== ',') return table
  return table.map((cells, index) =>
    cells.length > width ? cellsOf((rows[index] ?? '').replaceAll(grouped, '$1"$2"'), delimiter) : cells,
  )
}

const tableOf = (rows: readonly string[]): Table => {
  const delimiter = delimiterOf(rows.map((row) => row.replaceAll(groupingComma, '$1')))
  if (delimiter === undefined) return tableOfWords(rows)
  const cells = cellsOfRows(rows, delimiter)
  const heading = headingRowOf(cells)
  return {
    cells,
    heading,
    columns:
      heading === -1 ? columnsByContent(cells) : columnsOfHeading(cells[heading] ?? [], cells.slice(heading + 1)),
  }
}

/** An address counts more than a code; several addresses are several people. */
const contactOf = async (row: string, cell: string | undefined): Promise<string | 'several' | undefined> => {
  const contactsIn = async (text: string) => [...new Set(await findContacts([text, '']))]
  const stated = cell === undefined ? [] : (await contactsIn(cell)).filter(isContact)
  if (stated.length === 1) return stated[0]
  const found = await contactsIn(row)
  const known = found.filter(isContact)
  const addresses = known.filter((contact) => contact.includes('@'))
  if (addresses.length > 1) return 'several'
  const codes = known.filter((contact) => !contact.includes('@'))
  if (addresses.length === 0 && codes.length > 1) return 'several'
  // Something that was meant as an address is one that no account has.
  return addresses[0] ?? codes[0] ?? found.find((text) => text.includes('@') && text !== row.trim())
}

type Stated = Pick<PaymentRow, 'amount' | 'paidOn' | 'reference'>

/** What the cells state, or why that cannot be read. */
const statedIn = (cells: readonly string[], columns: Columns): Stated | string => {
  const cellAt = (place: number | undefined): string => (place === undefined ? '' : (cells[place] ?? ''))
  const [amountText, dayText] = [cellAt(columns.amount), cellAt(columns.paidOn)]
  const [amount, paidOn] = [paiseOf(amountText), dayIn(dayText)]
  const isDebit = amount === undefined && columns.debits?.some((place) => paiseOf(cellAt(place)) !== undefined)
  if (isDebit || cells.some((cell) => /^dr\.?$/i.test(cell))) return 'A debit, not a payment'
  if (amountText !== '' && amount === undefined) return `“${amountText}” is not an amount`
  if (dayText !== '' && paidOn === undefined) return `“${dayText}” is not a date`
  const reference = cellAt(columns.reference).slice(0, learnerLimits.referenceChars)
  return { amount, paidOn, ...(reference !== '' && { reference }) }
}

const readRow = async (
  text: string,
  cells: readonly string[],
  { columns, today }: { readonly columns: Columns; readonly today: string },
): Promise<PaymentRow | LeftOutRow> => {
  const contact = await contactOf(text, columns.contact === undefined ? undefined : cells[columns.contact])
  if (contact === undefined) return { text, problem: noContact }
  if (contact === 'several') return { text, problem: 'More than one address' }
  const stated = statedIn(cells, columns)
  if (typeof stated === 'string') return { text, problem: stated }
  // The server would refuse the whole list.
  if (stated.paidOn !== undefined && stated.paidOn > today) return { text, problem: futurePayment.message }
  return { text, contact, ...stated }
}

/** Lines about the account of a statement. What may be a payment does not disappear. */
const aboveRows = (row: string): LeftOutRow | undefined =>
  mayHaveContact.test(row) ? { text: row.trim(), problem: 'Above the headings of the columns' } : undefined

const noContact = 'No address or student code'

const nothingReadable = (leftOut: readonly LeftOutRow[]): string => {
  const other = leftOut.find(({ problem }) => problem !== noContact)
  return other ? `No row can be read. ${other.problem}.` : 'No row has an email address or a student code.'
}

/**
 * Finds address or code, amount, date and reference of each payment in a pasted list or the statement of a bank: by the headings of its
 * columns, otherwise by what is in them.
 */
export const readPayments = async (text: string, today: string): Promise<ReadPayments> => {
  const given = rowsOf(text)
  if (given.length > maxRows) return rejected('This has more than 5,000 rows. Keep only the rows with fees.')
  const { cells, heading, columns } = tableOf(given)
  const rows: PaymentRow[] = []
  const leftOut: LeftOutRow[] = []
  for (const [index, row] of given.entries()) {
    const read = index <= heading ? aboveRows(row) : await readRow(row.trim(), cells[index] ?? [], { columns, today })
    if (read === undefined) continue
    if ('contact' in read) rows.push(read)
    else leftOut.push(read)
  }
  if (rows.length === 0) return rejected(nothingReadable(leftOut))
  if (rows.length > learnerLimits.marked)
    return rejected(`This has more than ${learnerLimits.marked} payments. Split it and confirm them in several steps.`)
  return { isRead: true, list: { rows, leftOut } }
}
