type Row = { readonly _id: string }

/** A tool or a fact, by its fields. */
export type Part<Fields> = Fields & Row

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
export const edited = <Fields>(rows: readonly Part<Fields>[], id: string, fields: Fields): readonly Part<Fields>[] =>
  rows.map((row) => (row._id === id ? { ...row, ...fields } : row))

/** What the user has changed in rows that the server knows, until the whole program is saved. */
export type RowChanges<Fields> = {
  /** The ids in their new order; null if nothing was moved. */
  readonly order: readonly string[] | null
  readonly fields: ReadonlyMap<string, Fields>
}

export const noRowChanges: RowChanges<never> = { order: null, fields: new Map<string, never>() }

/** The server's rows with the user's changes. Rows that were added in the meantime come last. */
export const withRowChanges = <Fields>(
  rows: readonly Part<Fields>[],
  { order, fields }: RowChanges<Fields>,
): readonly Part<Fields>[] => {
  const changed = rows.map((row) => ({ ...row, ...fields.get(row._id) }))
  if (order === null) return changed
  const positions = new Map(order.map((id, index) => [id, index]))
  const positionOf = ({ _id }: Row): number => positions.get(_id) ?? order.length
  return changed.toSorted((a, b) => positionOf(a) - positionOf(b))
}

export const isSameRows = (one: readonly Row[], other: readonly Row[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
