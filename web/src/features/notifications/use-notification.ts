import { getNotification } from '@portal/contracts/notifications/http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useEffect } from 'react'
import { call, type Failure } from '../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../lib/query.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { useInbox } from './inbox-cache.ts'
import { shownView } from './inbox.ts'
import { useMarkRead } from './use-inbox.ts'

type NotificationState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'loaded'; readonly item: InboxItem }

/** An invalid id counts as one that does not exist. */
const isNotFound = ({ code }: Failure) => code === 'not-found' || code === 'invalid'

const notificationState = (state: LoadState<{ readonly notification: InboxItem }>): NotificationState => {
  if (state.kind === 'loaded') return { kind: 'loaded', item: state.data.notification }
  if (state.kind === 'failed' && isNotFound(state.failure)) return { kind: 'not-found' }
  return { kind: state.kind }
}

/** A notification by its id. Displaying it marks it as read. */
export const useNotification = (id: string): { readonly state: NotificationState; readonly reload: () => void } => {
  const { state: loaded, reload } = useRequestQuery({
    key: ['notification', id],
    request: (signal) => call(getNotification, { params: { id }, signal }),
  })
  const view = useInbox(shownView)
  const markItemRead = useMarkRead()
  const toast = useToast()

  useEffect(() => {
    if (loaded.kind === 'loaded') void markItemRead(loaded.data.notification)
    if (loaded.kind === 'failed' && !isNotFound(loaded.failure)) toast.error('Failed to load notification')
  }, [loaded, markItemRead, toast])

  const state = notificationState(loaded)
  // A user who comes from the list sees its entry until the server responds, and if the request fails.
  const known = view?.items.find(({ _id }) => _id === id)
  const isOpen = state.kind === 'loading' || state.kind === 'failed'
  return { state: known && isOpen ? { kind: 'loaded', item: known } : state, reload }
}
