import { type InboxItem, withdrawItem } from '@portal/contracts/notifications/notification'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { LoadState } from '../../lib/query.ts'
import { viewOf, type InboxView } from './apply-changes.ts'
import { useInbox } from './inbox-cache.ts'
import type { Inbox, InboxHead } from './inbox.ts'
import type { KeptInbox } from './kept-inbox.ts'

/** A network that loses everything is noticed only by waiting. */
const slowAfterMs = 3_000

const useIsSlow = (isLoading: boolean): boolean => {
  const [isSlow, setIsSlow] = useState(false)
  if (isSlow && !isLoading) setIsSlow(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isSlow && isLoading
}

const read = async (): Promise<KeptInbox | null> => {
  try {
    const { readKeptInbox } = await import('./kept-inbox.ts')
    return await readKeptInbox()
  } catch (error) {
    console.debug('kept inbox not available without a network', error)
    return null
  }
}

const headOf = ({ head }: Inbox): InboxHead | null => head
const withdrawnOf = ({ withdrawn }: Inbox): Inbox['withdrawn'] => withdrawn

type Kept = {
  readonly view: InboxView | null
  /** When the view was up to date; ms. */
  readonly at: number
  readonly isReading: boolean
}

/**
 * What is kept of the inbox (kept-inbox.ts), while `load` has no answer from the server; null if it is not needed. It is never
 * part of the inbox in the cache, so that it changes neither the unread count nor what the feed requests and reports as seen.
 */
export const useKeptInbox = (load: LoadState<unknown> | null, reload: () => void): Kept => {
  const [kept, setKept] = useState<KeptInbox | null>()
  const isCutOff = load?.kind === 'failed' && load.failure.isNetworkError === true
  const isLoading = load?.kind === 'loading'
  const isNeeded = useIsSlow(isLoading) || isCutOff
  if (kept !== undefined && !isCutOff && !isLoading) setKept(undefined)

  useEffect(() => {
    if (!isNeeded) return undefined
    let isOver = false
    const show = async () => {
      const found = await read()
      if (!isOver) setKept(found)
    }
    void show()
    return () => {
      isOver = true
    }
  }, [isNeeded])

  // The feed has reached the server, of which the browser may not know.
  const head = useInbox(headOf)
  const confirm = useEffectEvent((answered: InboxHead | null) => {
    if (answered && kept && isCutOff) reload()
  })
  useEffect(() => confirm(head), [head])

  const withdrawn = useInbox(withdrawnOf)
  const view = useMemo(() => {
    if (!kept) return null
    const { items, ...page } = kept.page
    const stillOpen = (item: InboxItem) => (withdrawn.has(item._id) ? withdrawItem(item, item.deliveredAt) : item)
    return viewOf({ ...page, items: items.map(stillOpen) })
  }, [kept, withdrawn])
  return { view, at: kept?.at ?? 0, isReading: isNeeded && kept === undefined }
}
