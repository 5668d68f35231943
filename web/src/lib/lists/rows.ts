/** A cell that begins with a quote and is not closed in its line. */
const openCell = /(?:^|[,;\t]) *"(?:[^"]|"")*$/
/** A quote that is still open after so many lines was never closed. The rows below it are read as usual. */
const maxLinesPerRow = 20

const hasOddQuotes = (line: string): boolean => line.split('"').length % 2 === 0

/** The number of lines that belong to the row which begins at this line. */
const heightOf = (lines: readonly string[], first: number): number => {
  if (!openCell.test(lines[first] ?? '')) return 1
  const below = lines.slice(first + 1, first + maxLinesPerRow)
  const last = below.findIndex(hasOddQuotes)
  return last === -1 ? 1 : last + 2
}

/**
 * The rows of a list that was pasted or read from a file, without blank ones: its lines, but a quoted cell of a table may have several.
 */
export const rowsOf = (text: string): readonly string[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  const rows: string[] = []
  for (let first = 0; first < lines.length;) {
    const height = heightOf(lines, first)
    const row = lines.slice(first, first + height).join('\n')
    if (row.trim() !== '') rows.push(row)
    first += height
  }
  return rows
}
