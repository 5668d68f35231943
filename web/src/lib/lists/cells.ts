const delimiters = ['\t', ';', '|', ','] as const
export type Delimiter = (typeof delimiters)[number]

/** Enough rows to see how a list is made. */
const sampleRows = 50

const closedCell = /^\s*"((?:[^"]|"")*)"\s*$/

/** A cell that begins with a quote and goes on after the closing one, such as `"Asha" Traders`, ends at the next delimiter. */
const splitAt = (row: string, delimiter: Delimiter): readonly string[] => {
  const cells: string[] = []
  let cell = ''
  for (const part of row.split(delimiter)) {
    cell = cell === '' ? part : `${cell}${delimiter}${part}`
    const isOpen = /^\s*"/.test(cell) && cell.split('"').length % 2 === 0
    if (isOpen) continue
    cells.push(cell)
    cell = ''
  }
  // The quote was never closed.
  return cell === '' ? cells : [...cells, ...cell.split(delimiter)]
}

const valueOf = (cell: string): string => (closedCell.exec(cell)?.[1] ?? cell).replaceAll('""', '"').trim()

/** What separates the cells in most of the rows; undefined for a list that is no table. */
export const delimiterOf = (rows: readonly string[]): Delimiter | undefined => {
  const sample = rows.slice(0, sampleRows)
  return delimiters.find(
    (delimiter) => 2 * sample.filter((row) => splitAt(row, delimiter).length > 1).length > sample.length,
  )
}

/** The cells of a row from `rowsOf`, without their quotes. */
export const cellsOf = (row: string, delimiter: Delimiter): readonly string[] => splitAt(row, delimiter).map(valueOf)
