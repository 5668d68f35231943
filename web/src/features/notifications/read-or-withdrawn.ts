import type { InboxChange } from '@portal/contracts/notifications/socket'
import type { QueryClient } from '@tanstack/react-query'
import { onInboxChange, readInbox } from './inbox-cache.ts'
import type { Inbox } from './inbox.ts'

/** Whether a notification is read or withdrawn, as far as this tab knows. */
export type IsReadOrWithdrawn = (notificationId: string) => boolean

/** What the changes say that this tab knows, in their order. */
const readIn = (changes: readonly InboxChange[]): ReadonlySet<string> => {
  const arrivedAs = new Map<string, number>()
  const read = new Set<string>()
  for (const change of changes) {
    if (change.kind === 'arrived') arrivedAs.set(change.notification._id, change.notification.seq)
    if (change.kind === 'read') read.add(change.notificationId)
    if (change.kind === 'unread') read.delete(change.notificationId)
    if (change.kind === 'all-read') for (const [id, seq] of arrivedAs) if (seq <= change.readUpTo) read.add(id)
  }
  return read
}

export const readOrWithdrawn = ({ head, view, log, withdrawn }: Inbox): IsReadOrWithdrawn => {
  if (head?.unread === 0) return () => true
  const over = new Set<string>(withdrawn)
  for (const id of readIn(log?.changes ?? [])) over.add(id)
  // The view may be newer than the log: it has the answers to this tab's own requests.
  for (const { _id, isRead, withdrawnAt } of view?.items ?? []) {
    if (isRead || withdrawnAt !== undefined) over.add(_id)
    else over.delete(_id)
  }
  return (id) => over.has(id)
}

/** Calls the listener with each news of the server. By an older state, a notification that it does not know would count as read. */
export const watchReadOrWithdrawn = (
  client: QueryClient,
  listener: (isReadOrWithdrawn: IsReadOrWithdrawn) => void,
): (() => void) => {
  let { head: known } = readInbox(client)
  return onInboxChange(client, () => {
    const inbox = readInbox(client)
    if (inbox.head === known) return
    known = inbox.head
    if (known) listener(readOrWithdrawn(inbox))
  })
}
