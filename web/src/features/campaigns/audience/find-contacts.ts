import { limits } from '@portal/contracts/shared/rules'

/** The cells of a table, row by row. */
export type Rows = readonly (readonly string[])[]

const studentCode = /^min-\d{4}-[\da-z]{8}$/i
const emailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** Mail programs copy addresses as `Asha Rao <asha@example.com>`. */
const namedAddress = /<([^<>\s]+@[^<>\s]+)>$/

const contactOf = (cell: string): string => {
  const text = cell.trim()
  // The server rejects longer entries. A shortened one is reported as unknown.
  return (namedAddress.exec(text)?.[1] ?? text).slice(0, limits.emailChars).trim()
}

const isEmail = (cell: string): boolean => emailAddress.test(contactOf(cell))
const isContact = (cell: string): boolean => isEmail(cell) || studentCode.test(contactOf(cell))

/** The number of contacts in a column. E-mail addresses count slightly more, to decide between equally filled columns. */
const scoreOf = (rows: Rows, column: number): number =>
  rows.reduce((score, row) => {
    const cell = row[column] ?? ''
    if (isEmail(cell)) return score + 1 + 1 / (rows.length + 1)
    return isContact(cell) ? score + 1 : score
  }, 0)

/** Further columns are ignored, so that a malformed file does not block the page. */
const maxColumns = 100

/** The column with the most contacts, or the first one if no column has any. */
const contactColumnOf = (rows: Rows): number => {
  const width = rows.reduce((widest, row) => Math.max(widest, Math.min(row.length, maxColumns)), 1)
  const scores = Array.from({ length: width }, (_, column) => scoreOf(rows, column))
  return scores.indexOf(Math.max(...scores))
}

/** A line such as `a@example.com; b@example.com` is a list. Several lines are a table with one column of contacts. */
const cellsOf = (rows: Rows): readonly string[] => {
  if (rows.length === 1) return rows[0] ?? []
  const column = contactColumnOf(rows)
  return rows.map((row) => row[column] ?? '')
}

const withoutHeader = (cells: readonly string[]): readonly string[] => {
  const [first = '', ...others] = cells
  return !isContact(first) && others.some(isContact) ? others : cells
}

/** The e-mail addresses and student codes in a table, in their order and with repetitions. */
export const findContacts = (rows: Rows): readonly string[] =>
  withoutHeader(cellsOf(rows))
    .map(contactOf)
    .filter((contact) => contact !== '')
