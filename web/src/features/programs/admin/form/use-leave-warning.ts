import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

/** The address within the portal that a plain click on a link would open here. */
const addressOfClick = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== window.location.origin) return null
  // A place on this page, such as the skip link's.
  if (link.hash !== '' && link.pathname === window.location.pathname) return null
  return link.pathname + link.search
}

/**
 * While something is unsaved: the browser asks before the tab goes, and a link of the portal waits for an answer in
 * `leavingTo`. (React Router blocks navigations for its data routers only, so links are caught before it sees the click.)
 */
export const useLeaveWarning = (isUnsaved: boolean) => {
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const navigate = useNavigate()

  useEffect(() => {
    if (!isUnsaved) return undefined
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const address = addressOfClick(event)
      if (address === null) return
      event.preventDefault()
      event.stopPropagation()
      setLeavingTo(address)
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [isUnsaved])

  return {
    leavingTo,
    stay: () => setLeavingTo(null),
    leave: () => {
      if (leavingTo !== null) void navigate(leavingTo)
    },
  }
}
