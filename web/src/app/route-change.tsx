import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { followRouter } from '../lib/history-guard.ts'
import { keepsPlace } from '../ui/keep-place.ts'
import { LiveRegion } from '../ui/visually-hidden.tsx'

const positionsKey = 'scrollPositions'
/** History entries with a stored position. A user hardly goes back further. */
const maxStoredVisits = 50
/** After this time a page that is still too short to restore the position stays that way. */
const scrollRestoreTimeoutMs = 3_000

const readStoredPositions = (): [string, number][] => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(positionsKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : []
  } catch (error) {
    console.debug('Stored scroll positions are unreadable, starting at the top', error)
    return []
  }
}

/** The scroll position of each history entry, by its key. Stored in the session storage, so that it survives a reload. */
const createScrollPositions = () => {
  const positions = new Map<string, number>(readStoredPositions())
  return {
    save: (visit: string, y: number): void => {
      positions.delete(visit)
      positions.set(visit, y)
      const [oldest] = positions.keys()
      if (positions.size > maxStoredVisits && oldest !== undefined) positions.delete(oldest)
    },
    positionOf: (visit: string): number => positions.get(visit) ?? 0,
    store: (): void => {
      try {
        sessionStorage.setItem(positionsKey, JSON.stringify([...positions]))
      } catch (error) {
        console.debug('Scroll positions could not be stored, a reload starts at the top', error)
      }
    },
  }
}

/** Scrolls to `y`, and again whenever the page grows while it loads. Stops after a timeout or when the user scrolls. */
const restoreScroll = (y: number, signal: AbortSignal): void => {
  window.scrollTo(0, y)
  if (y === 0 || Math.abs(window.scrollY - y) <= 1) return
  const done = new AbortController()
  const stop = AbortSignal.any([signal, done.signal, AbortSignal.timeout(scrollRestoreTimeoutMs)])
  const observer = new ResizeObserver(() => window.scrollTo(0, y))
  stop.addEventListener('abort', () => observer.disconnect())
  for (const gesture of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    window.addEventListener(gesture, () => done.abort(), { signal: stop, passive: true })
  observer.observe(document.body)
}

/** Calls back once the layout is mounted: the path changes before the page's files have loaded. */
const whenContentIsMounted = (act: (content: HTMLElement) => void, signal: AbortSignal): void => {
  const tryNow = (): boolean => {
    const content = document.getElementById('content')
    if (content) act(content)
    return content !== null
  }
  if (tryNow()) return
  const observer = new MutationObserver(() => tryNow() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  signal.addEventListener('abort', () => observer.disconnect())
}

/**
 * Does on a route change what a browser does for a new document: scrolls to the top and moves the focus to the content. Back,
 * Forward and a reload restore the scroll position, even if the rows of the page are still loading.
 */
export const ScrollAndFocus = () => {
  const { pathname, key, state } = useLocation()
  // The first page of every document has the same key, so the path is added.
  const visit = `${key} ${pathname}`
  const navigation = useNavigationType()
  const [scrollPositions] = useState(createScrollPositions)
  const shown = useRef<string>(undefined)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', scrollPositions.store)
    return () => window.removeEventListener('pagehide', scrollPositions.store)
  }, [scrollPositions])

  useLayoutEffect(followRouter, [pathname, key, state])

  // A layout effect runs before the paint, so that a scroll of the new page is not stored for the old one.
  useLayoutEffect(() => {
    const savePosition = () => scrollPositions.save(visit, window.scrollY)
    window.addEventListener('scroll', savePosition, { passive: true })
    return () => window.removeEventListener('scroll', savePosition)
  }, [visit, scrollPositions])

  useEffect(() => {
    const leaving = new AbortController()
    const previousPath = shown.current
    shown.current = pathname
    if (navigation !== 'POP' && keepsPlace(state)) {
      scrollPositions.save(visit, window.scrollY)
      return undefined
    }
    if (navigation === 'POP') restoreScroll(scrollPositions.positionOf(visit), leaving.signal)
    else if (previousPath !== pathname) window.scrollTo(0, 0)
    // For the first page of a document, the browser has set the focus already.
    if (previousPath !== undefined && previousPath !== pathname)
      whenContentIsMounted((content) => content.focus({ preventScroll: true }), leaving.signal)
    return () => leaving.abort()
  }, [pathname, visit, state, navigation, scrollPositions])

  return null
}

/** The title without the unread count, which is announced separately. */
const pageName = (): string => document.title.replace(/^\(\d+\+?\) /, '')

/** Announces the title of the new page to screen readers, which do not notice a client-side route change. */
export const RouteAnnouncer = () => {
  const [name, setName] = useState('')
  useEffect(() => {
    const observer = new MutationObserver(() => setName(pageName()))
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <LiveRegion aria-live="polite">{name}</LiveRegion>
}
