import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { scrollBackTo, scrollMemory } from './scroll-memory.ts'

/** A page's layout may still be loading when its address is already there. */
const whenContentIsThere = (act: (content: HTMLElement) => void, given: AbortSignal): void => {
  const look = (): boolean => {
    const content = document.getElementById('content')
    if (content) act(content)
    return content !== null
  }
  if (look()) return
  const observer = new MutationObserver(() => look() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  given.addEventListener('abort', () => observer.disconnect())
}

/**
 * Does for a change of page what a browser does for a new document: starts at the top, and moves the keyboard and the screen
 * reader to the content. Going back, and a reload, lead to the place where the reader was, also on a page whose rows are
 * still to come, which is where browsers give up.
 */
export const NewPageFocus = () => {
  const { pathname, key } = useLocation()
  // Every first page of a document has the same key.
  const visit = `${key} ${pathname}`
  const navigation = useNavigationType()
  const [memory] = useState(scrollMemory)
  const shown = useRef<string>(undefined)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', memory.save)
    return () => window.removeEventListener('pagehide', memory.save)
  }, [memory])

  // Before anything is painted, so that what the new page scrolls is not taken for the old one's place.
  useLayoutEffect(() => {
    const note = () => memory.remember(visit, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [visit, memory])

  useEffect(() => {
    const leaving = new AbortController()
    const before = shown.current
    shown.current = pathname
    if (navigation === 'POP') scrollBackTo(memory.of(visit), leaving.signal)
    else if (before !== pathname) window.scrollTo(0, 0)
    // The first page of a visit is a document of its own: the browser has said so already.
    if (before !== undefined && before !== pathname)
      whenContentIsThere((content) => content.focus({ preventScroll: true }), leaving.signal)
    return () => leaving.abort()
  }, [pathname, visit, navigation, memory])

  return null
}
