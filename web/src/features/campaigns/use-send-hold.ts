import { useCallback, useEffect, useRef, useState } from 'react'
import { addPendingWork, type PendingWork } from '../../lib/pending-work.ts'

/** How long a confirmed send waits, so that it can be undone. */
export const holdMs = 8000

export type HeldSend = {
  readonly count: number
  /** In ms since the epoch. */
  readonly until: number
}

type Hold = {
  readonly count: number
  readonly send: () => Promise<void>
  /** Whether the browser may drop the request when the page is closed, because it is long. */
  readonly needsPage: boolean
}

/**
 * Holds a confirmed send back for some seconds. Leaving the page, closing it, or logging out sends it at once, because a
 * confirmed send must not get lost.
 */
export const useSendHold = () => {
  const [held, setHeld] = useState<HeldSend & { readonly needsPage: boolean }>()
  const work = useRef<PendingWork>(undefined)

  const hold = ({ count, send, needsPage }: Hold) => {
    work.current = addPendingWork(() => {
      work.current = undefined
      setHeld(undefined)
      return send()
    })
    setHeld({ count, needsPage, until: Date.now() + holdMs })
  }
  const finish = useCallback(() => work.current?.finish(), [])
  const undo = () => {
    work.current?.cancel()
    work.current = undefined
    setHeld(undefined)
  }

  useEffect(() => finish, [finish])
  useEffect(() => {
    if (!held) return undefined
    const timer = setTimeout(finish, held.until - Date.now())
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      // The question gives the request the time that it needs.
      event.preventDefault()
      finish()
    }
    if (held.needsPage) window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [held, finish])

  return { held: held as HeldSend | undefined, hold, finish, undo }
}
