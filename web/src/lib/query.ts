import {
  hashKey,
  keepPreviousData,
  notifyManager,
  QueryCache,
  QueryClient,
  useQuery,
  type QueryKey,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { use, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Answer, Failure } from './http.ts'
import { QueryScopeContext, type QueryScope } from './query-scope.tsx'
import { useRetryOnline } from './use-online.ts'

export type LoadState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly data: T }

/** A failed request, thrown because TanStack Query expects exceptions. */
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
        if (!(error instanceof RequestFailed)) console.error('query threw an unexpected error', error)
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

/** Keeps loaded data during a reload and after a failed one, unless the server reports that it no longer exists. */
const stateOf = <T>(data: Answer<T> | undefined, error: Error | null, isFetching: boolean): LoadState<T> => {
  if (data?.success) return { kind: 'loaded', data: data.data }
  if (isFetching) return { kind: 'loading' }
  const failure = error ? failureOf(error) : data
  return failure ? { kind: 'failed', failure } : { kind: 'loading' }
}

/**
 * Renders what a first load brought in slices, between which the browser answers taps. Updates from outside of React are otherwise
 * rendered at once, and a list takes a phone a fifth of a second.
 */
export const useSlicedLoad = <T>(state: LoadState<T>): LoadState<T> => {
  // Kinds are compared, because the inbox creates a new state object for each render.
  const renderedKind = useDeferredValue(state.kind)
  return state.kind === 'loaded' && renderedKind === 'loading' ? { kind: 'loading' } : state
}

const aborted: Failure = { success: false, message: 'The request was aborted', isAborted: true }

const answerOf = <T>({ data, error }: QueryObserverResult<Answer<T>>): Answer<T> =>
  error ? failureOf(error) : (data ?? aborted)

type RequestQuery<T> = {
  readonly key: QueryKey
  readonly request: (signal: AbortSignal) => Promise<Answer<T>>
  /** Which loads are retried when the network is back, if they failed without one. Default: first-load. */
  readonly retriesOnline?: 'first-load' | 'every-load' | 'never'
  /** Whether the data of the previous key stays until the data of a new key has loaded. */
  readonly keepsPrevious?: boolean
}

/** Keeps a failure on the screen during an automatic request, so that its button stays where the user is about to press. */
const useKeptFailure = (hash: string) => {
  const [kept, setKept] = useState<{ readonly hash: string; readonly failure: Failure }>()
  const latest = useRef(0)
  const release = useCallback(() => {
    latest.current += 1
    setKept(undefined)
  }, [])
  const keepDuring = useCallback(
    async <R>(failure: Failure | undefined, work: () => Promise<R>): Promise<R> => {
      latest.current += 1
      const mine = latest.current
      if (failure) setKept({ hash, failure })
      try {
        return await work()
      } finally {
        if (mine === latest.current) setKept(undefined)
      }
    },
    [hash],
  )
  return { failure: kept?.hash === hash ? kept.failure : undefined, keepDuring, release }
}

/**
 * Loads server data while a page shows it. `reload` is for the user's requests and shows a loading state after a failure.
 * `refresh` is for automatic ones and keeps the failure on the screen. Both have a stable identity. Leaving the page aborts the
 * request.
 */
export const useRequestQuery = <T>({
  key,
  request,
  retriesOnline = 'first-load',
  keepsPrevious = false,
}: RequestQuery<T>) => {
  const client = useQueryClient()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery<Answer<T>>(
    {
      queryKey: key,
      queryFn: async ({ signal }): Promise<Answer<T>> => {
        const answer = await request(signal)
        // 'not-found' counts as data, because it replaces what was loaded before.
        if (answer.success || answer.code === 'not-found') return answer
        throw new RequestFailed(answer)
      },
      gcTime: 0,
      ...(keepsPrevious && { placeholderData: keepPreviousData }),
    },
    client,
  )
  const hash = hashKey(key)
  const { failure: keptFailure, keepDuring, release } = useKeptFailure(hash)
  // A reload of loaded data is no new state: effects would run again.
  const isWaiting = isFetching && data?.success !== true
  const state = useMemo((): LoadState<T> => {
    const current = stateOf(data, error, isWaiting)
    return current.kind === 'loading' && keptFailure ? { kind: 'failed', failure: keptFailure } : current
  }, [data, error, isWaiting, keptFailure])

  const requestAgain = useCallback(async (): Promise<Answer<T>> => {
    // An earlier request may return data from before the change that caused this one.
    void client.getQueryCache().get(hash)?.cancel({ revert: true })
    return answerOf(await refetch())
  }, [client, hash, refetch])
  const reload = useCallback((): Promise<Answer<T>> => {
    release()
    return requestAgain()
  }, [release, requestAgain])
  const refresh = useCallback((): Promise<Answer<T>> => {
    const known = client.getQueryCache().get<Answer<T>>(hash)?.state
    const shown = stateOf(known?.data, known?.error ?? null, false)
    return keepDuring(shown.kind === 'failed' ? shown.failure : undefined, requestAgain)
  }, [client, hash, keepDuring, requestAgain])

  const hasNetworkError = !isFetching && error !== null && failureOf(error).isNetworkError === true
  const retries = retriesOnline === 'first-load' ? state.kind === 'failed' : retriesOnline === 'every-load'
  useRetryOnline(retries && hasNetworkError, reload)

  return { state: useSlicedLoad(state), isFetching, isPrevious: isPlaceholderData, reload, refresh }
}

/** The data that a request query has loaded. */
export const loadedData = <T>(client: QueryClient, key: QueryKey): T | undefined => {
  const known = client.getQueryData<Answer<T>>(key)
  return known?.success ? known.data : undefined
}

/** Updates the data of a request query. Does nothing before it is loaded. */
export const updateLoaded = <T>(client: QueryClient, key: QueryKey, update: (data: T) => T): void => {
  client.setQueryData<Answer<T>>(key, (known) =>
    known?.success ? { success: true, data: update(known.data) } : undefined,
  )
}
