import { useEffect, useEffectEvent } from 'react'

/*
 * Back and Forward, before the router sees them. What opens over a page (a dialog, a menu, a sheet, the next step of a form) has a
 * history entry with the same address, so that Back closes it and leaves the page where it is. If it is closed otherwise, its entry
 * stays behind, because the browser cannot remove one; Back then passes it by. (Only Back on the first page of a tab, and Forward,
 * need another press.)
 */

/** Returns true to block the navigation by Back or Forward that has just happened. */
type Guard = () => boolean

let guard: Guard | undefined

/** Runs the guard on Back and Forward, before the router. Returns a function that removes it. */
export const guardHistory = (newGuard: Guard): (() => void) => {
  guard = newGuard
  return () => {
    if (guard === newGuard) guard = undefined
  }
}

type Entry = {
  readonly state: object
  /** React Router numbers the entries of its pages. */
  readonly page: unknown
  /** How many entries of the same page are before it. */
  readonly depth: number
  readonly address: string
}

const currentEntry = (): Entry => {
  // The build renders pages without a browser (build/render-page.tsx).
  if (typeof window === 'undefined') return { state: {}, page: undefined, depth: 0, address: '' }
  const stored: unknown = window.history.state
  const state = typeof stored === 'object' && stored !== null ? stored : {}
  const depth = 'depth' in state && typeof state.depth === 'number' ? state.depth : 0
  return { state, page: 'idx' in state ? state.idx : undefined, depth, address: window.location.href }
}

/** The entry that is on the screen. */
let shown = currentEntry()
/** What is open over the page, the topmost last. */
const open: (() => void)[] = []

/** The router has changed the entry. The one of an open menu may have got a new address, for example with another filter. */
export const followRouter = (): void => {
  const left = shown
  shown = currentEntry()
  // The router writes no depth. What closes as something is chosen is no longer open by now.
  const depth = Math.max(left.depth, open.length)
  if (shown.page !== left.page || shown.depth >= depth) return
  window.history.replaceState({ ...shown.state, depth }, '')
  shown = currentEntry()
}

/** Whether the browser has only moved between entries of the page that is on the screen. */
const staysOnPage = (): boolean => {
  const left = shown
  shown = currentEntry()
  if (shown.page !== left.page) {
    for (const close of open.toReversed()) close()
    return false
  }
  if (shown.depth === left.depth) return false
  // What was chosen in a menu is in the address, and stays.
  if (shown.address !== left.address)
    window.history.replaceState({ ...left.state, depth: shown.depth }, '', left.address)
  const isBack = shown.depth < left.depth
  shown = currentEntry()
  const close = open.at(-1)
  if (isBack && close) close()
  else if (isBack) window.history.back()
  return true
}

// Registered before the router's listener, so that it runs while the router still has the old page.
if (typeof window !== 'undefined')
  window.addEventListener('popstate', (event) => {
    if (staysOnPage() || guard?.()) event.stopImmediatePropagation()
  })

const openOverPage = (close: () => void): (() => void) => {
  open.push(close)
  shown = currentEntry()
  if (shown.depth < open.length) {
    window.history.pushState({ ...shown.state, depth: open.length }, '')
    shown = currentEntry()
  }
  return () => {
    open.splice(open.indexOf(close), 1)
  }
}

/** Back calls `close` while `isOpen`, if nothing was opened later. */
export const useCloseOnBack = (isOpen: boolean, close: () => void): void => {
  const onBack = useEffectEvent(close)
  useEffect(() => (isOpen ? openOverPage(() => onBack()) : undefined), [isOpen])
}
