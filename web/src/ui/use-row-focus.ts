import { useState, type KeyboardEvent, type RefObject } from 'react'

/** Rows that Page Up and Page Down move by. */
const pageRows = 5

const moves: Readonly<Record<string, (row: number, last: number) => number>> = {
  ArrowDown: (row, last) => Math.min(row + 1, last),
  ArrowUp: (row) => Math.max(row - 1, 0),
  PageDown: (row, last) => Math.min(row + pageRows, last),
  PageUp: (row) => Math.max(row - pageRows, 0),
  Home: () => 0,
  End: (_row, last) => last,
}

/**
 * Makes a list of controls one tab stop: the arrow keys move between elements with `data-row`, which count from 0. Spread
 * `tabIndexOf` and `onFocusRow` on the controls, and put `onKeyDown` on the list.
 */
export const useRowFocus = (list: RefObject<HTMLElement | null>, count: number) => {
  const [remembered, setActive] = useState(0)
  const active = Math.max(0, Math.min(remembered, count - 1))

  const focusRow = (row: number) => {
    setActive(row)
    list.current?.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move || count === 0) return
    event.preventDefault()
    focusRow(move(active, count - 1))
  }

  return { tabIndexOf: (row: number) => (row === active ? 0 : -1), onFocusRow: setActive, focusRow, onKeyDown }
}
