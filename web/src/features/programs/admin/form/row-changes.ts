type Row = { readonly _id: string }

/** One position up or down. */
export type Step = -1 | 1

/** The rows with one of them moved; the same rows if it is at the end already or unknown. */
export const moved = <T extends Row>(rows: readonly T[], id: string, by: Step): readonly T[] => {
  const from = rows.findIndex(({ _id }) => _id === id)
  const to = from + by
  const [row, other] = [rows[from], rows[to]]
  return row === undefined || other === undefined ? rows : rows.with(from, other).with(to, row)
}

/** The rows with new fields for one of them. */
export const edited = <T extends Row>(rows: readonly T[], id: string, fields: Omit<T, '_id'>): readonly T[] =>
  rows.map((row) => (row._id === id ? { ...row, ...fields } : row))

/** What the user has changed in rows that the server knows, until the whole program is saved. */
export type RowChanges<T extends Row> = {
  /** The ids in their new order; null if nothing was moved. */
  readonly order: readonly string[] | null
  readonly fields: ReadonlyMap<string, Omit<T, '_id'>>
}

export const noRowChanges: RowChanges<never> = { order: null, fields: new Map() }

/** The server's rows with the user's changes. Rows that were added in the meantime come last. */
export const withRowChanges = <T extends Row>(rows: readonly T[], { order, fields }: RowChanges<T>): readonly T[] => {
  const changed = rows.map((row) => ({ ...row, ...fields.get(row._id) }))
  if (order === null) return changed
  const positions = new Map(order.map((id, index) => [id, index]))
  const positionOf = ({ _id }: T): number => positions.get(_id) ?? order.length
  return changed.toSorted((a, b) => positionOf(a) - positionOf(b))
}

export const isSameRows = (one: readonly Row[], other: readonly Row[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
