import type { QueryClient } from '@tanstack/react-query'

/** Requests of this session that change a read state, by its client. */
const underWay = new WeakMap<QueryClient, Set<Promise<unknown>>>()

const requestsOf = (client: QueryClient): Set<Promise<unknown>> => {
  const known = underWay.get(client)
  if (known) return known
  const requests = new Set<Promise<unknown>>()
  underWay.set(client, requests)
  return requests
}

export const trackReadRequest = async <T>(client: QueryClient, request: Promise<T>): Promise<T> => {
  const requests = requestsOf(client).add(request)
  try {
    return await request
  } finally {
    requests.delete(request)
  }
}

/**
 * Resolves when the requests under way have ended. A mark as unread must not overtake the read or the mark-all before it, or
 * the notification would be read again. A session does not wait for those of an earlier one.
 */
export const readRequestsEnded = async (client: QueryClient): Promise<void> =>
  void (await Promise.allSettled(requestsOf(client)))
