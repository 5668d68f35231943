import { useEffect } from 'react'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')]

/** Moves the focus by rows, from the focused one or to the first. */
const focusBy = (offset: 1 | -1) => {
  const all = rows()
  const focused = all.findIndex((row) => row === document.activeElement)
  const next = focused === -1 ? all[0] : all[focused + offset]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** The id of the focused row. */
const focusedRow = (): string | undefined => rows().find((row) => row === document.activeElement)?.dataset['row']

/** Keeps the focus on the page when the notification beside the list closes. */
export const focusRow = (id: string): void => {
  const row = rows().find(({ dataset }) => dataset['row'] === id)
  const target = row ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}

/**
 * `j` and `k` move through the list, and Enter opens the focused row. While a notification is open beside the list, the keys
 * belong to it (use-neighbors.ts), and its row stays in view. `u` marks the focused row as unread.
 */
export const useRowKeys = (openId: string | undefined, markUnread: (id: string) => void): void => {
  const markFocused = () => {
    const id = focusedRow()
    if (id !== undefined) markUnread(id)
  }
  useShortcuts(openId === undefined ? { j: () => focusBy(1), k: () => focusBy(-1), u: markFocused } : {})
  useEffect(() => {
    const all = rows()
    const open = all.find(({ dataset }) => dataset['row'] === openId)
    open?.scrollIntoView({ block: 'nearest' })
    // The focus follows the keys, unless it is elsewhere.
    if (all.some((row) => row === document.activeElement)) open?.focus({ preventScroll: true })
  }, [openId])
}
