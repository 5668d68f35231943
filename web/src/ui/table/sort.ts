/** By which column a table is ordered, and which way. */
export type Sort<Column extends string> = { readonly column: Column; readonly direction: 'ascending' | 'descending' }

/** What rows are compared by: text as people read it ('Track 2' before 'Track 10'), numbers by size and before text. */
export type SortKey = string | number

const asRead = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const compareKeys = (a: SortKey, b: SortKey): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return asRead.compare(a, b)
  return typeof a === 'number' ? -1 : 1
}

/** The other way round on the same column; upwards on another one. */
export const nextSort = <Column extends string>(sort: Sort<Column> | null, column: Column): Sort<Column> => ({
  column,
  direction: sort?.column === column && sort.direction === 'ascending' ? 'descending' : 'ascending',
})

/** Rows in order. Those that compare alike stay as they came; without a sort, all do. */
export const sortRows = <Row, Column extends string>(
  rows: readonly Row[],
  sort: Sort<Column> | null,
  keyOf: (row: Row, column: Column) => SortKey,
): readonly Row[] => {
  if (!sort) return rows
  const { column, direction } = sort
  const sign = direction === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, key: keyOf(row, column) }))
    .toSorted((a, b) => sign * compareKeys(a.key, b.key))
    .map(({ row }) => row)
}
