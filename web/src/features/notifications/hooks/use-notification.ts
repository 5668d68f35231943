import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useCallback, useEffect, useState } from 'react'
import { useAtomValue, useSetAtom } from '../../../lib/jotai.ts'
import { useRetryOnline } from '../../../lib/use-online.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { fetchNotification } from '../api.ts'
import { markReadAtom, viewAtom } from '../atoms.ts'

export type NotificationState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed'; readonly isNetworkError: boolean }
  | { readonly kind: 'loaded'; readonly item: InboxItem }

type Fetched = { readonly id: string; readonly round: number; readonly state: NotificationState }

/** One notification, by its address; being shown, it is marked as read. */
export const useNotification = (id: string): { readonly state: NotificationState; readonly reload: () => void } => {
  const [round, setRound] = useState(0)
  const [fetched, setFetched] = useState<Fetched | null>(null)
  const markRead = useSetAtom(markReadAtom)
  const toast = useToast()
  const view = useAtomValue(viewAtom)

  useEffect(() => {
    const given = new AbortController()
    const load = async () => {
      const answer = await fetchNotification(id, given.signal)
      if (given.signal.aborted) return
      if (!answer.success) {
        // An address that is no id at all leads nowhere either.
        const isNowhere = answer.code === 'not-found' || answer.code === 'invalid'
        const isNetworkError = answer.isNetworkError === true
        if (!isNowhere) toast.error('Failed to load notification')
        setFetched({ id, round, state: isNowhere ? { kind: 'not-found' } : { kind: 'failed', isNetworkError } })
        return
      }
      const item = answer.data.notification
      setFetched({ id, round, state: { kind: 'loaded', item } })
      const refusal = item.isRead ? null : await markRead(item._id)
      if (refusal) toast.error(refusal.message)
    }
    void load()
    return () => given.abort()
  }, [id, round, markRead, toast])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  useRetryOnline(fetched?.state.kind === 'failed' && fetched.state.isNetworkError, reload)

  // Coming from the list, its row fills the screen until the server has answered, and where it has no answer.
  const known = view?.items.find((item) => item._id === id)
  const told: NotificationState = fetched?.id === id && fetched.round === round ? fetched.state : { kind: 'loading' }
  const isOpen = told.kind === 'loading' || told.kind === 'failed'
  return { state: known && isOpen ? { kind: 'loaded', item: known } : told, reload }
}
