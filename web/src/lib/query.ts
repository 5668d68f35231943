import {
  hashKey,
  notifyManager,
  QueryCache,
  QueryClient,
  useQuery,
  type QueryKey,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { use, useCallback, useMemo } from 'react'
import type { Answer, Failure } from './http.ts'
import { QueryScopeContext, type QueryScope } from './query-scope.tsx'
import { useRetryOnline } from './use-online.ts'

export type LoadState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly data: T }

/** A request that did not succeed, in the form in which TanStack Query expects it. */
class RequestFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

const failureOf = (error: Error): Failure =>
  error instanceof RequestFailed ? error.failure : { success: false, message: error.message }

// The default is a timer, which browsers delay in a hidden tab; its title shows the unread count.
notifyManager.setScheduler(queueMicrotask)

const createClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (!(error instanceof RequestFailed)) console.error('A query threw', error)
      },
    }),
    defaultOptions: {
      queries: {
        // A device that reports no network may still reach the portal.
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Forms compare by reference to notice that an answer has come.
        structuralSharing: false,
        // Data that the socket keeps up to date lasts as long as the session.
        gcTime: Infinity,
      },
    },
  })

const clients = new WeakMap<QueryScope, QueryClient>()

/** The cache of the current session. */
export const useQueryClient = (): QueryClient => {
  const scope = use(QueryScopeContext)
  const client = clients.get(scope) ?? createClient()
  clients.set(scope, client)
  return client
}

/** Loaded data stays during a reload and when a reload fails, unless the server says that it no longer exists. */
const stateOf = <T>(data: Answer<T> | undefined, error: Error | null, isFetching: boolean): LoadState<T> => {
  if (data?.success) return { kind: 'loaded', data: data.data }
  if (isFetching) return { kind: 'loading' }
  const failure = error ? failureOf(error) : data
  return failure ? { kind: 'failed', failure } : { kind: 'loading' }
}

const aborted: Failure = { success: false, message: 'The request was aborted', isAborted: true }

const answerOf = <T>({ data, error }: QueryObserverResult<Answer<T>>): Answer<T> =>
  error ? failureOf(error) : (data ?? aborted)

type RequestQuery<T> = {
  readonly key: QueryKey
  readonly request: (signal: AbortSignal) => Promise<Answer<T>>
  /** Which loads are retried when the network is back, if they failed without one. Default: first-load. */
  readonly retriesOnline?: 'first-load' | 'every-load' | 'never'
}

/**
 * Server data for as long as a page shows it: loaded on entry and on `reload`, which keeps its identity. The request is aborted when
 * the page is left.
 */
export const useRequestQuery = <T>({ key, request, retriesOnline = 'first-load' }: RequestQuery<T>) => {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(
    {
      queryKey: key,
      queryFn: async ({ signal }): Promise<Answer<T>> => {
        const answer = await request(signal)
        // Kept as data: it takes the place of what was loaded before.
        if (answer.success || answer.code === 'not-found') return answer
        throw new RequestFailed(answer)
      },
      gcTime: 0,
    },
    client,
  )
  const state = useMemo(() => stateOf(data, error, isFetching), [data, error, isFetching])

  const hash = hashKey(key)
  const reload = useCallback(async (): Promise<Answer<T>> => {
    // The answer to an earlier request may be older than what this reload is for.
    void client.getQueryCache().get(hash)?.cancel({ revert: true })
    return answerOf(await refetch())
  }, [client, hash, refetch])

  const isCutOff = !isFetching && error !== null && failureOf(error).isNetworkError === true
  const retries = retriesOnline === 'first-load' ? state.kind === 'failed' : retriesOnline === 'every-load'
  useRetryOnline(retries && isCutOff, reload)

  return { state, isFetching, reload }
}

/** What a request query has loaded. */
export const loadedData = <T>(client: QueryClient, key: QueryKey): T | undefined => {
  const known = client.getQueryData<Answer<T>>(key)
  return known?.success ? known.data : undefined
}

/** Changes what a request query shows; does nothing while that is not loaded. */
export const updateLoaded = <T>(client: QueryClient, key: QueryKey, update: (data: T) => T): void => {
  client.setQueryData<Answer<T>>(key, (known) =>
    known?.success ? { success: true, data: update(known.data) } : undefined,
  )
}
