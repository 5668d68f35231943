import { readNotification, unreadNotification } from '@portal/contracts/notifications/inbox-http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { QueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call, type Failure } from '../../lib/http.ts'
import { useQueryClient } from '../../lib/query.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { readInbox, updateInbox } from './inbox-cache.ts'
import { expectRead, expectUnread, settleRead, shownView } from './inbox.ts'
import { readRequestsEnded, trackReadRequest } from './read-requests.ts'
import { useSession } from '../../lib/session.ts'
import { forgetMarkAll } from './kept-mark-all.ts'
import { markAllSubject } from './use-mark-all-read.ts'

/** The list is newer than a notification that was requested before it was read. */
const isShownAsRead = (client: QueryClient, item: InboxItem): boolean => {
  const listed = shownView(readInbox(client))?.items.find(({ _id }) => _id === item._id)
  return (listed ?? item).isRead
}

/** Marks a notification as read, optimistically. Returns the failure, or null. */
const markReadIn = async (client: QueryClient, item: InboxItem): Promise<Failure | null> => {
  const id = item._id
  const { ids, unreadIds } = readInbox(client).optimistic
  if (isShownAsRead(client, item) || ids.has(id)) return null
  updateInbox(client, (inbox) => expectRead(inbox, id))
  if (unreadIds.has(id)) await readRequestsEnded(client)
  const answer = await trackReadRequest(client, call(readNotification, { params: { id } }))
  updateInbox(client, (inbox) => settleRead(inbox, id, answer.success ? answer.data : null))
  return answer.success ? null : answer
}

/** The toast of a mark as unread. */
const unreadSubject = (id: NotificationId): string => `mark-unread ${id}`

/** Marks an unread notification as read. Shows the message of a failure. */
export const useMarkRead = () => {
  const client = useQueryClient()
  const toast = useToast()
  return useCallback(
    async (item: InboxItem) => {
      // It was marked as unread while it was opening, and is read now.
      toast.dismiss(unreadSubject(item._id))
      const failure = await markReadIn(client, item)
      // It was withdrawn meanwhile, which the feed shows.
      if (!failure || failure.code === 'not-found') return
      // The page has a notice of its own without a network.
      if (failure.isNetworkError && !navigator.onLine) return
      toast.error(failure.message)
    },
    [client, toast],
  )
}

const markUnreadIn = async (client: QueryClient, id: NotificationId): Promise<Failure | null> => {
  if (readInbox(client).optimistic.unreadIds.has(id)) return null
  updateInbox(client, (inbox) => expectUnread(inbox, id))
  await readRequestsEnded(client)
  const answer = await trackReadRequest(client, call(unreadNotification, { params: { id } }))
  updateInbox(client, (inbox) => settleRead(inbox, id, answer.success ? answer.data : null, 'unreadIds'))
  return answer.success ? null : answer
}

/** Marks a notification as unread, so that its reader finds it again. A toast takes it back. */
export const useMarkUnread = () => {
  const client = useQueryClient()
  const toast = useToast()
  const markRead = useMarkRead()
  const owner = useSession()?.user._id
  return useCallback(
    async (item: InboxItem) => {
      // A mark-all that waits for its undo would read this one, too. One of an earlier page, as well.
      toast.dismiss(markAllSubject)
      if (owner) forgetMarkAll(owner)
      const subject = unreadSubject(item._id)
      const undo = () => void markRead({ ...item, isRead: false })
      toast.success('Marked as unread', { subject, undo: { onUndo: undo } })
      const failure = await markUnreadIn(client, item._id)
      if (!failure) return
      toast.dismiss(subject)
      // An admin has withdrawn it meanwhile, which the feed shows.
      if (failure.code !== 'not-found') toast.error(failure.message)
    },
    [client, toast, markRead, owner],
  )
}
