import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser } from '../testing/fake-portal.ts'
import type { Answer } from './http.ts'
import { QueryScopeContext, QueryScopeProvider } from './query-scope.tsx'
import { updateLoaded, useQueryClient, useRequestQuery } from './query.ts'
import { endSession, startSession, updateSessionUser } from './session.ts'

/** A page whose requests the test answers. */
const openPage = () => {
  const requests: ((answer: Answer<string>) => void)[] = []
  const request = () => {
    const { promise, resolve } = Promise.withResolvers<Answer<string>>()
    requests.push(resolve)
    return promise
  }
  const scope = {}
  const view = renderHook(() => useRequestQuery({ key: ['greeting'], request }), {
    wrapper: ({ children }) => <QueryScopeContext value={scope}>{children}</QueryScopeContext>,
  })
  return {
    requests,
    shown: () => view.result.current.state,
    reload: () => act(async () => void view.result.current.reload()),
    refresh: () => act(async () => void view.result.current.refresh()),
    answer: (round: number, given: Answer<string>) => act(async () => requests[round - 1]?.(given)),
  }
}

const loaded = (data: string): Answer<string> => ({ success: true, data })
const rejected: Answer<string> = { success: false, code: 'unavailable', message: 'Not now' }
const networkError: Answer<string> = { success: false, message: 'No network', isNetworkError: true }
const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')))

describe('a request query', () => {
  afterEach(cleanup)

  it('keeps the data during a reload and after a failed one', async () => {
    const { shown, reload, answer } = openPage()
    expect(shown()).toEqual({ kind: 'loading' })
    await answer(1, loaded('Hello'))
    const before = shown()
    await reload()
    // Not even a new object: effects that depend on it would run again.
    expect(shown()).toBe(before)
    await answer(2, rejected)
    expect(shown()).toEqual({ kind: 'loaded', data: 'Hello' })
  })

  it('shows why the first load failed, and the loading state on a reload', async () => {
    const { shown, reload, answer } = openPage()
    await answer(1, rejected)
    expect(shown()).toEqual({ kind: 'failed', failure: rejected })
    await reload()
    expect(shown()).toEqual({ kind: 'loading' })
    await answer(2, loaded('Hello'))
    expect(shown()).toEqual({ kind: 'loaded', data: 'Hello' })
  })

  it('keeps a failure during a refresh, until the answer to the last one', async () => {
    const { shown, refresh, answer } = openPage()
    await answer(1, rejected)
    await refresh()
    await refresh()
    expect(shown()).toEqual({ kind: 'failed', failure: rejected })
    await answer(2, loaded('Too early'))
    expect(shown()).toEqual({ kind: 'failed', failure: rejected })
    await answer(3, networkError)
    expect(shown()).toEqual({ kind: 'failed', failure: networkError })
    await refresh()
    await answer(4, loaded('Hello'))
    expect(shown()).toEqual({ kind: 'loaded', data: 'Hello' })
  })

  it('shows the loading state if the user asks during a refresh', async () => {
    const { shown, reload, refresh, answer } = openPage()
    await answer(1, rejected)
    await refresh()
    await reload()
    expect(shown()).toEqual({ kind: 'loading' })
    await answer(3, rejected)
    expect(shown()).toEqual({ kind: 'failed', failure: rejected })
  })

  it('retries, once online again, only a first load that failed on the network', async () => {
    const { shown, reload, answer, requests } = openPage()
    await answer(1, rejected)
    await goOnline()
    expect(requests).toHaveLength(1)
    await reload()
    await answer(2, networkError)
    await goOnline()
    expect(requests).toHaveLength(3)
    await answer(3, loaded('Hello'))
    await reload()
    await answer(4, networkError)
    await goOnline()
    expect(requests).toHaveLength(4)
    expect(shown()).toEqual({ kind: 'loaded', data: 'Hello' })
  })

  it('does not refetch when the window regains focus', async () => {
    const { answer, requests } = openPage()
    await answer(1, loaded('Hello'))
    await act(async () => {
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(requests).toHaveLength(1)
  })

  it('returns the answer of a reload to its caller', async () => {
    const { result } = renderHook(() => useRequestQuery({ key: ['greeting'], request: async () => rejected }))
    await waitFor(() => expect(result.current.state.kind).toBe('failed'))
    await act(async () => expect(await result.current.reload()).toEqual(rejected))
  })
})

describe('the cache of a session', () => {
  const session = (n: number) => ({
    user: aUser({ _id: userIdSchema.parse(`01930000-0000-7000-8000-00000000000${n}`) }),
    token: `token-${n}`,
  })
  const cached = () => renderHook(() => useQueryClient(), { wrapper: QueryScopeProvider }).result
  afterEach(() => {
    cleanup()
    endSession('logged-out')
    localStorage.clear()
  })

  it.each([
    ['another user logs in', () => startSession(session(2))],
    ['the user logs out', () => endSession('logged-out')],
    [
      'the user logs out in another tab',
      () => {
        localStorage.clear()
        window.dispatchEvent(new StorageEvent('storage', { key: null }))
      },
    ],
  ])('is dropped when %s', (_case, change) => {
    startSession(session(1))
    const client = cached()
    client.current.setQueryData(['inbox'], 'of the first reader')
    act(change)
    expect(client.current.getQueryCache().getAll()).toEqual([])
  })

  it('stays when users change their own name', () => {
    startSession(session(1))
    const client = cached()
    client.current.setQueryData(['greeting'], loaded('Hello'))
    updateLoaded<string>(client.current, ['greeting'], (greeting) => `${greeting}!`)
    act(() => updateSessionUser({ ...session(1).user, fullName: 'Another name' }))
    expect(client.current.getQueryData(['greeting'])).toEqual(loaded('Hello!'))
  })
})
