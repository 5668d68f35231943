/** The rendered rows of a virtualized list, and their position. */
type RowWindow = {
  readonly first: number
  readonly end: number
  readonly offsetPx: number
  readonly totalPx: number
}

/** Rows rendered beyond the visible ones, so that scrolling shows no gap. */
export const overscanRows = 6

export const rowWindow = (count: number, rowPx: number, scrollTopPx: number, heightPx: number): RowWindow => {
  const lastStart = Math.max(0, count * rowPx - heightPx)
  // A list that has just become shorter still reports its old scroll position.
  const topPx = Math.min(Math.max(0, scrollTopPx), lastStart)
  const first = Math.max(0, Math.floor(topPx / rowPx) - overscanRows)
  const end = Math.min(count, Math.ceil((topPx + heightPx) / rowPx) + overscanRows)
  return { first, end, offsetPx: first * rowPx, totalPx: count * rowPx }
}

/** The scroll position at which a row is fully visible; unchanged if it already is. */
export const scrollTopFor = (row: number, rowPx: number, scrollTopPx: number, heightPx: number): number => {
  const top = row * rowPx
  if (top < scrollTopPx) return top
  if (top + rowPx > scrollTopPx + heightPx) return top + rowPx - heightPx
  return scrollTopPx
}
