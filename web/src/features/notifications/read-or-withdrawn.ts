import type { QueryClient } from '@tanstack/react-query'
import { onInboxChange, readInbox } from './inbox-cache.ts'
import type { Inbox } from './inbox.ts'

/** The ids of the notifications that nobody waits to read, as far as this tab knows, or all of them. */
export type ReadOrWithdrawn = 'all' | ReadonlySet<string>

export const readOrWithdrawn = ({ head, view, log, withdrawn }: Inbox): ReadOrWithdrawn => {
  if (head?.unread === 0) return 'all'
  const ids = new Set<string>(withdrawn)
  const set = (id: string, isRead: boolean) => (isRead ? ids.add(id) : ids.delete(id))
  for (const change of log?.changes ?? [])
    if (change.kind === 'read' || change.kind === 'unread') set(change.notificationId, change.kind === 'read')
  // The view may be newer than the log: it has the answers to this tab's own requests.
  for (const { _id, isRead, withdrawnAt } of view?.items ?? []) set(_id, isRead || withdrawnAt !== undefined)
  return ids
}

/** Calls the listener with each news of the server. An older state would close the push of a notification that it does not know. */
export const watchReadOrWithdrawn = (client: QueryClient, listener: (which: ReadOrWithdrawn) => void): (() => void) => {
  let { head: known } = readInbox(client)
  return onInboxChange(client, () => {
    const inbox = readInbox(client)
    if (inbox.head === known) return
    known = inbox.head
    if (known) listener(readOrWithdrawn(inbox))
  })
}
