import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/**
 * Does for a change of page what a browser does for a new document: starts at the top, and moves the keyboard and the screen
 * reader to the content. Going back keeps the place where the reader was.
 */
export const NewPageFocus = () => {
  const { pathname } = useLocation()
  const navigation = useNavigationType()
  const shown = useRef(pathname)

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (navigation === 'POP') return
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [pathname, navigation])

  return null
}
