import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTask } from '../../lib/next-task.ts'
import { QueryScopeContext } from '../../lib/query-scope.tsx'
import { SocketContext } from '../../lib/socket.ts'
import { fakeServer, type FakeServer, type ServerAnswer } from '../../testing/fake-server.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { aCampaign, campaignId } from './testing/campaigns.ts'
import { missingCampaign, reloadDelayMs, useHistory, type CampaignPage } from './use-history.ts'
import { addReports, maxReports, noReports, progressOf } from './use-reports.ts'

const report = (n: number, counts: Partial<CampaignProgress> = {}): CampaignProgress => aCampaign(n, counts).progress
const reports = (...newer: CampaignProgress[]) => addReports(noReports, newer)

describe('the history of campaigns', () => {
  it('shows the newest progress from page and socket in either order', () => {
    const send = aCampaign(1, { pending: 8, live: 2 })
    const newer = { ...send.progress, pending: 3, live: 5, pushed: 2 }
    expect(progressOf(reports(newer), send)).toEqual(newer)
    expect(progressOf(reports(send.progress), { ...send, progress: newer })).toEqual(newer)
  })

  it('ignores a late report', () => {
    const send = aCampaign(1, { pending: 0, live: 10 })
    const late = { ...send.progress, pending: 6, live: 4 }
    expect(progressOf(reports(late), send)).toEqual(send.progress)
    expect(progressOf(addReports(reports(send.progress), [late]), send)).toEqual(send.progress)
  })

  it('distinguishes a campaign missing on page 1 from an older one', () => {
    const sends = [aCampaign(8), aCampaign(7)]
    const page: CampaignPage = { campaigns: sends, pagination: { page: 1, limit: 10, total: 2, totalPages: 1 } }
    expect(missingCampaign(page, noReports)).toBeUndefined()
    expect(missingCampaign(page, reports(report(8), report(3)))).toBeUndefined()
    expect(missingCampaign(page, reports(report(10), report(9)))).toBe(10)
  })

  it('keeps a limited number of reports, the latest ones', () => {
    const kept = reports(...Array.from({ length: maxReports + 5 }, (_, n) => report(n)))
    expect(kept.size).toBe(maxReports)
    expect(kept.has(campaignId(0))).toBe(false)
    expect(kept.has(campaignId(maxReports + 4))).toBe(true)
  })
})

let server: FakeServer
let answers: ((answer: ServerAnswer) => void)[]

const askedPages = () => server.requestsTo('GET /notifications/recent').map(({ query }) => query.get('page'))

const pageOf = (page: number, ...numbers: number[]): ServerAnswer => ({
  status: 200,
  body: {
    success: true,
    message: '',
    notifications: numbers.map((n) => aCampaign(n)),
    pagination: { page, limit: 10, total: 12, totalPages: 2 },
  },
})
const broken: ServerAnswer = { status: 503, body: { success: false, code: 'unavailable', message: 'Not now' } }

/** A request is sent in a task of its own. */
const actAndRequest = (action: () => void) =>
  act(async () => {
    action()
    await nextTask()
  })

/** The history with a connected socket. The test answers each request. */
const openHistory = async () => {
  const { socket, emit, disconnect, reconnect } = fakeSocket()
  const scope = {}
  const { result } = renderHook(() => useHistory(), {
    wrapper: ({ children }) => (
      <QueryScopeContext value={scope}>
        <SocketContext value={socket}>{children}</SocketContext>
      </QueryScopeContext>
    ),
  })
  await actAndRequest(() => undefined)
  return {
    emit,
    history: () => result.current.history,
    shown: () => result.current.history.loaded?.campaigns.map(({ seq }) => seq),
    show: (page: number) => actAndRequest(() => result.current.show({ page, filter: {} })),
    reconnect: () =>
      actAndRequest(() => {
        disconnect()
        reconnect()
      }),
    answer: (round: number, given: ServerAnswer) => actAndRequest(() => answers[round - 1]?.(given)),
  }
}

describe('the history of campaigns', () => {
  beforeEach(() => {
    answers = []
    server = fakeServer()
    server.on('GET /notifications/recent', () => {
      const { promise, resolve } = Promise.withResolvers<ServerAnswer>()
      answers.push(resolve)
      return promise
    })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('keeps the displayed page while another one loads or fails, and reloads it on a reconnect', async () => {
    const { history, shown, show, answer, reconnect } = await openHistory()
    expect(history()).toMatchObject({ isBusy: true, hasFailed: false })
    await answer(1, pageOf(1, 1))
    expect(history().isBusy).toBe(false)
    await show(2)
    expect(history().isBusy).toBe(true)
    expect(askedPages()).toEqual(['1', '2'])
    expect(shown()).toEqual([1])
    await answer(2, broken)
    expect(history()).toMatchObject({ isBusy: false, hasFailed: true })
    expect(shown()).toEqual([1])
    await reconnect()
    expect(askedPages()).toEqual(['1', '2', '1'])
  })

  it('reloads the page that is being loaded', async () => {
    const { history, shown, show, answer, reconnect } = await openHistory()
    await answer(1, pageOf(1, 12))
    await show(2)
    await reconnect()
    expect(askedPages()).toEqual(['1', '2', '2'])
    expect(history().isBusy).toBe(true)
    await answer(3, pageOf(2, 1))
    expect(shown()).toEqual([1])
  })

  it('reloads only page 1 when it lacks a reported campaign', async () => {
    vi.useFakeTimers()
    const { emit, show, answer } = await openHistory()
    const reportSend = async (n: number) => {
      emit('campaign:progress', aCampaign(n).progress)
      await act(() => vi.advanceTimersByTimeAsync(2 * reloadDelayMs))
      await actAndRequest(() => undefined)
    }
    await answer(1, pageOf(1, 8, 7))
    await reportSend(3)
    expect(askedPages()).toEqual(['1'])
    await reportSend(9)
    expect(askedPages()).toEqual(['1', '1'])
    await answer(2, pageOf(1, 9, 8))
    await show(2)
    await answer(3, pageOf(2, 1))
    await reportSend(10)
    expect(askedPages()).toEqual(['1', '1', '2'])
  })
})
