import type { Program } from '@portal/contracts/catalog/program'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../lib/http.ts'
import { QueryScopeContext } from '../../lib/query-scope.tsx'
import { SocketContext } from '../../lib/socket.ts'
import { aProgram, programIdOf } from '../../testing/fake-catalog.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { applyToPrograms } from './apply-catalog-change.ts'
import { useCatalogQuery } from './use-catalog-query.ts'

type Programs = readonly Program[]
type Answered = (answer: Answer<Programs>) => void

const renamed = { ...aProgram(1), programName: 'Renamed' }
const loaded = (...data: Program[]): Answer<Programs> => ({ success: true, data })
const failed = (code: 'not-found' | 'unavailable'): Answer<Programs> => ({ success: false, code, message: 'Not now' })

/** The query of a page with a connected socket. The test answers each request. */
const follow = () => {
  const { socket, emit, reconnect } = fakeSocket()
  const requests: { readonly signal: AbortSignal; readonly answer: Answered }[] = []
  const request = (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<Answer<Programs>>()
    requests.push({ signal, answer: resolve })
    return promise
  }
  const scope = {}
  const view = renderHook(({ id }) => useCatalogQuery({ key: ['programs', id], request, apply: applyToPrograms }), {
    initialProps: { id: 1 },
    wrapper: ({ children }) => (
      <QueryScopeContext value={scope}>
        <SocketContext value={socket}>{children}</SocketContext>
      </QueryScopeContext>
    ),
  })
  const answer = (round: number, given: Answer<Programs>) => act(async () => requests[round - 1]?.answer(given))
  return {
    ...view,
    emit,
    requests,
    answer,
    /** Simulates the reload on a new connection. */
    reload: () => act(async () => reconnect()),
    shown: () => view.result.current.state,
  }
}

describe('a catalog query', () => {
  afterEach(cleanup)

  it('applies changes received during a fetch to its response', async () => {
    const { emit, answer, shown } = follow()
    emit('catalog:changed', { kind: 'program-saved', program: renamed })
    await answer(1, loaded(aProgram(1)))
    expect(shown()).toEqual({ kind: 'loaded', data: [renamed] })
  })

  it('applies changes received during a fetch to the displayed data, too', async () => {
    const { emit, answer, reload, shown } = follow()
    await answer(1, loaded(aProgram(1)))
    await reload()
    emit('catalog:changed', {
      kind: 'program-removed',
      programId: programIdOf(1),
      removedAt: '2026-11-21T09:00:00.000Z',
    })
    await waitFor(() => expect(shown()).toEqual({ kind: 'loaded', data: [] }))
  })

  it('uses only the response of the latest fetch', async () => {
    const { answer, reload, requests, shown } = follow()
    await reload()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
    await answer(2, loaded(renamed))
    await answer(1, loaded(aProgram(1)))
    expect(shown()).toEqual({ kind: 'loaded', data: [renamed] })
  })

  it('keeps what is shown when a later fetch fails', async () => {
    const { answer, reload, shown } = follow()
    await answer(1, loaded(renamed))
    await reload()
    await answer(2, failed('unavailable'))
    expect(shown().kind).toBe('loaded')
  })

  it('keeps a failure during the reload on a new connection, and shows loading if the user asks, and for another key', async () => {
    const { answer, reload, rerender, result, shown } = follow()
    await answer(1, failed('unavailable'))
    await reload()
    expect(shown().kind).toBe('failed')
    await act(async () => void result.current.reload())
    expect(shown().kind).toBe('loading')
    await answer(3, loaded(renamed))
    rerender({ id: 2 })
    expect(shown().kind).toBe('loading')
  })

  it('drops changes received before a fetch', async () => {
    const { emit, answer, reload, shown } = follow()
    emit('catalog:changed', { kind: 'program-saved', program: aProgram(2) })
    await answer(1, loaded())
    await waitFor(() => expect(shown()).toEqual({ kind: 'loaded', data: [aProgram(2)] }))
    await reload()
    await answer(2, loaded(aProgram(1)))
    expect(shown()).toEqual({ kind: 'loaded', data: [aProgram(1)] })
  })

  it('is removed if a later fetch does not find it, and stays so if the next one fails', async () => {
    const { answer, reload, shown } = follow()
    await answer(1, loaded(renamed))
    await reload()
    await answer(2, failed('not-found'))
    expect(shown().kind).toBe('failed')
    await reload()
    await answer(3, failed('unavailable'))
    expect(shown()).toMatchObject({ kind: 'failed', failure: { code: 'unavailable' } })
  })

  it('aborts its request on unmount', () => {
    const { requests, unmount } = follow()
    unmount()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true])
  })
})
