export type Sort<Column extends string> = { readonly column: Column; readonly direction: 'ascending' | 'descending' }

/** Text sorts naturally ('Track 2' before 'Track 10'). Numbers sort by size, before text. */
export type SortKey = string | number

const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const compareKeys = (a: SortKey, b: SortKey): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return naturalOrder.compare(a, b)
  return typeof a === 'number' ? -1 : 1
}

/** The same column reverses its direction. Another column starts ascending. */
export const nextSort = <Column extends string>(sort: Sort<Column> | null, column: Column): Sort<Column> => ({
  column,
  direction: sort?.column === column && sort.direction === 'ascending' ? 'descending' : 'ascending',
})

/** Stable sort. Without a sort, returns the rows unchanged. */
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
