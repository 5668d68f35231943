import { getNotification } from '@portal/contracts/notifications/inbox-http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { call, type Failure } from '../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../lib/query.ts'
import { useInbox } from './inbox-cache.ts'
import { shownView, type Inbox } from './inbox.ts'
import { useKeptInbox } from './use-kept-inbox.ts'
import { useMarkRead, useMarkUnread } from './use-read-state.ts'

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

type OpenNotification = {
  readonly state: NotificationState
  readonly reload: () => void
  readonly markUnread: (item: InboxItem) => void
}

/** A notification by its id. Displaying it marks it as read, unless the user has marked it as unread since. */
export const useNotification = (id: string): OpenNotification => {
  const { state: loaded, reload } = useRequestQuery({
    key: [notificationKey, id],
    request: (signal) => call(getNotification, { params: { id }, signal }),
  })
  const view = useInbox(shownView)
  const withdrawn = useInbox(withdrawnOf)
  const markItemRead = useMarkRead()
  const markItemUnread = useMarkUnread()
  // The page can be displayed for a moment longer, and its request be answered then.
  const leftUnread = useRef<string>(undefined)

  useEffect(() => {
    if (loaded.kind === 'loaded' && leftUnread.current !== id) void markItemRead(loaded.data.notification)
  }, [id, loaded, markItemRead])
  const markUnread = useCallback(
    (item: InboxItem) => {
      leftUnread.current = item._id
      void markItemUnread(item)
    },
    [markItemUnread],
  )

  const hasId = ({ _id }: InboxItem) => _id === id
  const listed = view?.items.find(hasId)
  const kept = useKeptInbox(listed ? null : loaded, reload)
  const known = listed ?? kept.view?.items.find(hasId)
  const isWithdrawn = known?.withdrawnAt !== undefined || withdrawn.has(id)
  if (isWithdrawn) return { state: { kind: 'withdrawn' }, reload, markUnread }
  const state = notificationState(loaded)
  // A user who comes from the list sees its entry until the server responds, and if the request fails.
  const isOpen = state.kind === 'loading' || state.kind === 'failed'
  if (known && isOpen) return { state: { kind: 'loaded', item: known }, reload, markUnread }
  return { state: kept.isReading ? { kind: 'loading' } : state, reload, markUnread }
}
