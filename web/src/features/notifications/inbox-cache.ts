import { hashKey, useQuery, type QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '../../lib/query.ts'
import { emptyInbox, shownUnread, type Inbox } from './inbox.ts'

const inboxKey = ['inbox'] as const

/** Selects a part of the inbox. `select` must be stable between renders. */
export const useInbox = <T>(select: (inbox: Inbox) => T): T =>
  useQuery(
    // The feed and use-inbox.ts write it; it is never fetched as a whole.
    { queryKey: inboxKey, queryFn: () => emptyInbox, initialData: emptyInbox, enabled: false, select },
    useQueryClient(),
  ).data

/** The unread count as shown. */
export const unreadOf = shownUnread

export const readInbox = (client: QueryClient): Inbox => client.getQueryData<Inbox>(inboxKey) ?? emptyInbox

/** Calls the listener after each change of the inbox, outside of renders. Returns a function that ends it. */
export const onInboxChange = (client: QueryClient, listener: () => void): (() => void) => {
  const hash = hashKey(inboxKey)
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === hash) listener()
  })
}

export const updateInbox = (client: QueryClient, update: (inbox: Inbox) => Inbox): void => {
  client.setQueryData<Inbox>(inboxKey, (inbox = emptyInbox) => {
    const updated = update(inbox)
    return updated === inbox ? undefined : updated
  })
}
