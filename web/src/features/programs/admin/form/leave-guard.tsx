import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { guardHistory } from '../../../../lib/history-guard.ts'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'

/** A navigation that waits for an answer: to the target of a link, or by a number of history entries (negative: back). */
type Navigation =
  { readonly kind: 'link'; readonly to: string } | { readonly kind: 'history'; readonly entries: number }

/** The address in the portal that a plain click on a link would open in this tab; null for any other click. */
const linkTarget = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== window.location.origin) return null
  // An anchor on this page, such as the target of the skip link.
  if (link.hash !== '' && link.pathname === window.location.pathname) return null
  return link.pathname + link.search
}

/** React Router numbers the history entries in their state. */
const numbered = z.object({ idx: z.number() })
const historyIndex = (): number | undefined => numbered.safeParse(window.history.state).data?.idx

/** The history entry of this form. */
const currentEntry = () => ({ path: window.location.pathname, index: historyIndex() })

/** How many entries the browser has moved from there by Back or Forward; 0 if it has not, or its index is unknown. */
const entriesFrom = ({ path, index }: ReturnType<typeof currentEntry>): number => {
  const now = historyIndex()
  return index === undefined || now === undefined || window.location.pathname === path ? 0 : now - index
}

/**
 * While the form has unsaved changes, closing the tab asks for confirmation, and links, Back and Forward wait for an answer. (React
 * Router blocks navigation for data routers only, so both are intercepted before it sees them. Back has already changed the address
 * by then: the browser returns to this entry, whose page never left the screen.)
 */
export const useLeaveGuard = (isUnsaved: boolean) => {
  const [pending, setPending] = useState<Navigation | null>(null)
  const [entry] = useState(currentEntry)
  const isLeaving = useRef(false)
  const navigate = useNavigate()

  useEffect(() => {
    if (!isUnsaved) return undefined
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    window.addEventListener('beforeunload', (event) => event.preventDefault(), options)
    const onClick = (event: MouseEvent) => {
      const to = linkTarget(event)
      if (to === null) return
      event.preventDefault()
      event.stopPropagation()
      setPending({ kind: 'link', to })
    }
    document.addEventListener('click', onClick, options)
    const release = guardHistory(() => {
      const entries = entriesFrom(entry)
      if (entries === 0 || isLeaving.current) return false
      window.history.go(-entries)
      setPending({ kind: 'history', entries })
      return true
    })
    return () => {
      listening.abort()
      release()
    }
  }, [isUnsaved, entry])

  const proceed = (navigation: Navigation) => {
    isLeaving.current = true
    if (navigation.kind === 'link') void navigate(navigation.to)
    else window.history.go(navigation.entries)
  }

  return {
    isAsking: pending !== null,
    stay: () => setPending(null),
    leave: () => {
      if (pending !== null) proceed(pending)
    },
  }
}

type DialogProps = { readonly open: boolean; readonly onConfirm: () => void; readonly onCancel: () => void }

export const LeaveDialog = (props: DialogProps) => (
  <ConfirmDialog
    question="Leave without saving?"
    consequence="Your changes will be lost."
    cancelText="Stay"
    confirmText="Leave"
    destructive
    closesOnBack={false}
    {...props}
  />
)

type SaveWithoutDialogProps = DialogProps & { readonly typed: readonly string[] }

/** A save includes the tools and facts that were added, and discards those that were only typed. */
export const SaveWithoutDialog = ({ typed, ...props }: SaveWithoutDialogProps) => (
  <ConfirmDialog
    question={`Save without the ${typed.join(' and the ')} that you have typed?`}
    consequence="You typed a tool or fact but did not add it. Add it first, or it won’t be saved."
    cancelText="Go back"
    confirmText="Save without"
    destructive
    {...props}
  />
)
