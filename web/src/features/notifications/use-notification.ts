import { getNotification } from '@portal/contracts/notifications/http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, type Failure } from '../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../lib/query.ts'
import { useInbox } from './inbox-cache.ts'
import { shownView, type Inbox } from './inbox.ts'
import { useMarkRead } from './use-inbox.ts'

type NotificationState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed' }
  /** An admin withdrew it while it was open, or the list shows so. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'loaded'; readonly item: InboxItem }

/** An invalid id counts as one that does not exist. */
const isNotFound = ({ code }: Failure) => code === 'not-found' || code === 'invalid'

const notificationState = (state: LoadState<{ readonly notification: InboxItem }>): NotificationState => {
  if (state.kind === 'loaded') return { kind: 'loaded', item: state.data.notification }
  if (state.kind === 'failed' && isNotFound(state.failure)) return { kind: 'not-found' }
  return { kind: state.kind }
}

const notificationKey = 'notification'

/** Requests the displayed notification again, because it may have been withdrawn. It stays displayed meanwhile. */
export const reloadNotifications = (client: QueryClient): void =>
  void client.invalidateQueries({ queryKey: [notificationKey] })

const withdrawnOf = ({ withdrawn }: Inbox): ReadonlySet<string> => withdrawn

/** A notification by its id. Displaying it marks it as read. */
export const useNotification = (id: string): { readonly state: NotificationState; readonly reload: () => void } => {
  const { state: loaded, reload } = useRequestQuery({
    key: [notificationKey, id],
    request: (signal) => call(getNotification, { params: { id }, signal }),
  })
  const view = useInbox(shownView)
  const withdrawn = useInbox(withdrawnOf)
  const markItemRead = useMarkRead()

  useEffect(() => {
    if (loaded.kind === 'loaded') void markItemRead(loaded.data.notification)
  }, [loaded, markItemRead])

  const known = view?.items.find(({ _id }) => _id === id)
  const isWithdrawn = known?.withdrawnAt !== undefined || withdrawn.has(id)
  if (isWithdrawn) return { state: { kind: 'withdrawn' }, reload }
  const state = notificationState(loaded)
  // A user who comes from the list sees its entry until the server responds, and if the request fails.
  const isOpen = state.kind === 'loading' || state.kind === 'failed'
  return { state: known && isOpen ? { kind: 'loaded', item: known } : state, reload }
}
