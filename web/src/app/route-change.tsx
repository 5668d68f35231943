import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'

const positionsKey = 'scrollPositions'
/** More visits than anybody goes back. */
const maxStoredVisits = 50
/** A page that is not as long as it was by then will not be. */
const scrollRestoreTimeoutMs = 3_000

const readStoredPositions = (): [string, number][] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(positionsKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : []
  } catch (error) {
    console.debug('No stored scroll positions', error)
    return []
  }
}

/** How far each visit of a page was scrolled, by the key that the history gives it. A reload keeps it. */
const createScrollPositions = () => {
  const positions = new Map<string, number>(readStoredPositions())
  return {
    remember: (visit: string, y: number): void => {
      positions.delete(visit)
      positions.set(visit, y)
      const [oldest] = positions.keys()
      if (positions.size > maxStoredVisits && oldest !== undefined) positions.delete(oldest)
    },
    positionOf: (visit: string): number => positions.get(visit) ?? 0,
    save: (): void => {
      try {
        sessionStorage.setItem(positionsKey, JSON.stringify([...positions]))
      } catch (error) {
        console.debug('Scroll positions could not be stored', error)
      }
    },
  }
}

/**
 * Scrolls there, and again while the page is still filling up, also above that place; until it has had its time, or the reader
 * takes over.
 */
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

/** A page's layout may still be loading when its address is already there. */
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
 * Does for a change of page what a browser does for a new document: starts at the top, and moves the keyboard and the
 * screen reader to the content. Going back, and a reload, lead to the place where the reader was, also on a page whose rows are
 * still to come, which is where browsers give up.
 */
export const ScrollAndFocus = () => {
  const { pathname, key } = useLocation()
  // Every first page of a document has the same key.
  const visit = `${key} ${pathname}`
  const navigation = useNavigationType()
  const [memory] = useState(createScrollPositions)
  const shown = useRef<string>(undefined)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', memory.save)
    return () => window.removeEventListener('pagehide', memory.save)
  }, [memory])

  // Before anything is painted, so that what the new page scrolls is not taken for the old one's place.
  useLayoutEffect(() => {
    const savePosition = () => memory.remember(visit, window.scrollY)
    window.addEventListener('scroll', savePosition, { passive: true })
    return () => window.removeEventListener('scroll', savePosition)
  }, [visit, memory])

  useEffect(() => {
    const leaving = new AbortController()
    const previousPath = shown.current
    shown.current = pathname
    if (navigation === 'POP') restoreScroll(memory.positionOf(visit), leaving.signal)
    else if (previousPath !== pathname) window.scrollTo(0, 0)
    // The first page of a visit is a document of its own: the browser has said so already.
    if (previousPath !== undefined && previousPath !== pathname)
      whenContentIsMounted((content) => content.focus({ preventScroll: true }), leaving.signal)
    return () => leaving.abort()
  }, [pathname, visit, navigation, memory])

  return null
}

/** The title without the count of what waits, which has an announcement of its own. */
const pageName = (): string => document.title.replace(/^\(\d+\+?\) /, '')

/** Tells a screen reader which page it is on now: within one document, a change of page goes unnoticed. */
export const RouteAnnouncer = () => {
  const [name, setName] = useState('')
  useEffect(() => {
    const observer = new MutationObserver(() => setName(pageName()))
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <VisuallyHidden aria-live="polite">{name}</VisuallyHidden>
}
