import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { guardHistory } from '../../../../lib/history-guard.ts'

/** Where the reader is about to go: to where a link leads, or so many pages on (or back, below zero) in the history. */
type Way = { readonly kind: 'link'; readonly to: string } | { readonly kind: 'history'; readonly pages: number }

/** The address within the portal that a plain click on a link would open here. */
const addressOfClick = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== window.location.origin) return null
  // A place on this page, such as the skip link's.
  if (link.hash !== '' && link.pathname === window.location.pathname) return null
  return link.pathname + link.search
}

/** React Router counts the pages of the history in the state of each. */
const counted = z.object({ idx: z.number() })
const placeInHistory = (): number | undefined => counted.safeParse(window.history.state).data?.idx

/** The page of this form: its address, and its place among those that Back and Forward lead to. */
const thisPage = () => ({ path: window.location.pathname, place: placeInHistory() })

/** How far from there the browser has gone by Back or Forward; 0 while it is still there, or nothing is known of its place. */
const pagesFrom = ({ path, place }: ReturnType<typeof thisPage>): number => {
  const now = placeInHistory()
  return place === undefined || now === undefined || window.location.pathname === path ? 0 : now - place
}

/**
 * While something is unsaved: the browser asks before the tab goes, and a link of the portal, Back and Forward wait for an answer.
 * (React Router blocks navigations for its data routers only, so both are caught before it sees them. By then the browser has gone
 * back already: it is sent to this page again, which has been on the screen all the while.)
 */
export const useLeaveWarning = (isUnsaved: boolean) => {
  const [way, setWay] = useState<Way | null>(null)
  const [page] = useState(thisPage)
  const isLeaving = useRef(false)
  const navigate = useNavigate()

  useEffect(() => {
    if (!isUnsaved) return undefined
    const given = new AbortController()
    const before = { capture: true, signal: given.signal }
    window.addEventListener('beforeunload', (event) => event.preventDefault(), before)
    const onClick = (event: MouseEvent) => {
      const to = addressOfClick(event)
      if (to === null) return
      event.preventDefault()
      event.stopPropagation()
      setWay({ kind: 'link', to })
    }
    document.addEventListener('click', onClick, before)
    const release = guardHistory(() => {
      const pages = pagesFrom(page)
      if (pages === 0 || isLeaving.current) return false
      window.history.go(-pages)
      setWay({ kind: 'history', pages })
      return true
    })
    return () => {
      given.abort()
      release()
    }
  }, [isUnsaved, page])

  const leaveBy = (taken: Way) => {
    isLeaving.current = true
    if (taken.kind === 'link') void navigate(taken.to)
    else window.history.go(taken.pages)
  }

  return {
    isAsking: way !== null,
    stay: () => setWay(null),
    leave: () => {
      if (way !== null) leaveBy(way)
    },
  }
}
