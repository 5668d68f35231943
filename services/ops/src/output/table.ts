export type Cell = string | number

const isNumber = (cell: Cell | undefined): boolean => typeof cell === 'number'

/** Columns under their headings: text to the left, numbers to the right. Nothing where there are no rows. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  if (rows.length === 0) return ''
  const columns = headings.map((heading, index) => ({
    width: Math.max(heading.length, ...rows.map((row) => String(row[index] ?? '').length)),
    isRight: rows.some((row) => isNumber(row[index])),
  }))
  const line = (cells: readonly Cell[]): string =>
    columns
      .map(({ width, isRight }, index) => {
        const text = String(cells[index] ?? '')
        return isRight ? text.padStart(width) : text.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}
