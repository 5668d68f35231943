import { isNoPayment, isPhone, isReference, paiseOfCell } from './cell-kinds.ts'
import { dayIn } from './day.ts'

/** The places of the cells that matter in each row of a list. */
export type Columns = {
  readonly contact?: number | undefined
  readonly amount?: number | undefined
  readonly paidOn?: number | undefined
  readonly reference?: number | undefined
  /** Money that has left the account. */
  readonly debits?: readonly number[]
}

type Kind = Exclude<keyof Columns, 'debits'> | 'other'

/** The first pattern that matches a heading counts. */
const headings: readonly (readonly [RegExp, Kind])[] = [
  [/debit|withdraw|balance|outstanding|charge|\bdue\b|phone|mobile/i, 'other'],
  [/date|paid on|\bday\b/i, 'paidOn'],
  [/\bref|utr|rrn|\b(?:txn|transaction|payment|receipt|cheque|chq)\.? ?(?:id|no|number)\b/i, 'reference'],
  [/amount|credit|deposit|\bpaid\b|\bfees?\b|\binr\b|\brs\b|₹|received/i, 'amount'],
  [/mail|code|address|contact/i, 'contact'],
]

const kindOf = (heading: string): Kind | undefined => headings.find(([pattern]) => pattern.test(heading))?.[1]

const debit = /debit|withdraw/i

/** Of several columns of one kind: what was received, not what is owed, on the day on which it was paid. */
const preferred: Partial<Readonly<Record<Kind, RegExp>>> = {
  amount: /credit|deposit|paid|received/i,
  paidOn: /paid|pay|txn|trans/i,
}

/** A statement begins with lines about the account. */
const maxRowsAbove = 30

const isHeading = (cells: readonly string[]): boolean => {
  const isPlain = cells.every((cell) => !cell.includes('@') && dayIn(cell) === undefined && !/\d{3}/.test(cell))
  return isPlain && cells.filter((cell) => kindOf(cell) !== undefined).length >= Math.min(2, cells.length)
}

/** The index of the row with the headings; -1 if there is none. */
export const headingRowOf = (table: readonly (readonly string[])[]): number =>
  table.slice(0, maxRowsAbove).findIndex(isHeading)

/** Counts the rows. */
const isNumbered = (cells: readonly string[]): boolean =>
  cells.length > 1 && cells.every((cell, index) => index === 0 || Number(cell) === Number(cells[index - 1]) + 1)

/** The columns of a table without headings, by what most of its cells are. */
export const columnsByContent = (table: readonly (readonly string[])[]): Columns => {
  const width = Math.max(0, ...table.map((cells) => cells.length))
  const columns = Array.from({ length: width }, (_, place) =>
    table.map((cells) => cells[place] ?? '').filter((cell) => cell !== ''),
  )
  const placeOf = (fits: (cell: string) => boolean): number | undefined => {
    const place = columns.findIndex((cells) => cells.length > 0 && 2 * cells.filter(fits).length > cells.length)
    return place === -1 ? undefined : place
  }
  const numbers = new Set(columns.filter(isNumbered).flat())
  const isAmount = (cell: string) => paiseOfCell(cell) !== undefined && !isPhone(cell) && !numbers.has(cell)
  return {
    // An amount in figures alone may be something else.
    amount:
      placeOf((cell) => isAmount(cell) && /\D/.test(cell)) ??
      placeOf(isAmount) ??
      placeOf((cell) => isAmount(cell) || isNoPayment(cell)),
    paidOn: placeOf((cell) => dayIn(cell) !== undefined),
    reference: placeOf(isReference),
  }
}

/** By the headings, and by content where a heading says nothing. */
export const columnsOfHeading = (heading: readonly string[], rows: readonly (readonly string[])[]): Columns => {
  const placeOf = (kind: Kind): number | undefined => {
    const places = heading.flatMap((cell, place) => (kindOf(cell) === kind ? [place] : []))
    return places.find((place) => preferred[kind]?.test(heading[place] ?? '')) ?? places[0]
  }
  const isUnnamed = (place: number): boolean => kindOf(heading[place] ?? '') === undefined
  const found = columnsByContent(rows.map((cells) => cells.map((cell, place) => (isUnnamed(place) ? cell : ''))))
  return {
    contact: placeOf('contact'),
    amount: placeOf('amount') ?? found.amount,
    paidOn: placeOf('paidOn') ?? found.paidOn,
    reference: placeOf('reference') ?? found.reference,
    debits: heading.flatMap((cell, place) => (debit.test(cell) ? [place] : [])),
  }
}
