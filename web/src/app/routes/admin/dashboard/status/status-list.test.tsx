import { cleanup, screen, within } from '@testing-library/react'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../../../../../features/campaigns/testing/campaigns.ts'
import { endSession, startSession } from '../../../../../lib/session.ts'
import { SocketContext } from '../../../../../lib/socket.ts'
import { fakeClock } from '../../../../../testing/fake-clock.ts'
import { aUser, ok } from '../../../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../../../testing/fake-server.ts'
import { fakeSocket } from '../../../../../testing/fake-socket.ts'
import { renderPages } from '../../../../../testing/render-pages.tsx'
import { StatusList } from './status-list.tsx'

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let inFlight: number
let failedToday: SentItem[]
let health: Record<string, unknown>

const pageOf = (notifications: readonly SentItem[], total = notifications.length) =>
  ok({ notifications, pagination: { page: 1, limit: 100, total, totalPages: 1 } })

beforeEach(() => {
  startSession({ user: aUser({ role: 'admin' }), token: 'token-1' })
  inFlight = 0
  failedToday = []
  health = { status: 'ok', parts: { 'event-store': 'ok', auth: 'ok' }, discontinuities: [], unreadableEvents: [] }
  server = fakeServer()
  server.on('GET /health', () => ({ status: 200, body: health }))
  server.on('GET /notifications/recent', ({ query }) =>
    query.get('status') === 'pending' ? pageOf([], inFlight) : pageOf(failedToday),
  )
  live = fakeSocket()
  clock = fakeClock()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  endSession('logged-out')
  localStorage.clear()
})

const open = async () => {
  const page = (
    <SocketContext value={live.socket}>
      <StatusList />
    </SocketContext>
  )
  renderPages({ '/admin/dashboard': page }, '/admin/dashboard')
  await clock.flush()
}

const sentences = () =>
  within(screen.getByRole('list', { name: 'Is all well?' }))
    .getAllByRole('listitem')
    .map(({ className, textContent }) => [className.split(' ').at(-1), textContent?.replace(/\u00A0→$/u, '')])

describe('whether all is well', () => {
  it('[D-7] names what is not, with a way to it', async () => {
    clock = fakeClock('2026-11-21T20:00:00.000Z')
    health = { ...health, status: 'degraded', parts: { 'event-store': 'ok', auth: 'down', 'read-models': 'down' } }
    inFlight = 3
    failedToday = [aCampaign(4, { failed: 10, live: 1 }), aCampaign(3, { failed: 2 })]
    await open()
    expect(sentences()).toEqual([
      ['bad', '2 services do not answer: auth, read models'],
      ['work', '3 sends in flight'],
      ['bad', '12 pushes failed today'],
    ])
    const path = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
    expect(path(/in flight/)).toBe('/admin/notifications?source=all&status=pending')
    // It is the next day in India.
    expect(path(/failed today/)).toBe('/admin/notifications?source=all&status=failed&since=2026-11-22')
    const [, failed] = server.requestsTo('GET /notifications/recent').filter(({ query }) => query.has('status'))
    expect(failed?.query.toString()).toBe('source=all&status=failed&from=2026-11-22&page=1&limit=100')
  })

  it('reads the report of a portal that is down', async () => {
    const outdated = 'Some data is not up to date: run “make status” on the server'
    for (const [report, sentence] of [
      [{ parts: { auth: 'down' } }, '1 service does not answer: auth'],
      [{ parts: { continuity: 'down' } }, outdated],
      [{ parts: { auth: 'ok' }, unreadableEvents: ['…'] }, outdated],
    ] as const) {
      server.on('GET /health', () => ({ status: 503, body: { ...health, status: 'down', ...report } }))
      await open()
      expect([report, sentences()[0]]).toEqual([report, ['bad', sentence]])
      cleanup()
    }
  })

  it('counts one in the singular, and does not claim to have counted more than it has loaded', async () => {
    inFlight = 1
    failedToday = [aCampaign(3, { failed: 1 })]
    await open()
    expect(sentences().slice(1)).toEqual([
      ['work', '1 send in flight'],
      ['bad', '1 push failed today'],
    ])
    cleanup()
    server.on('GET /notifications/recent', ({ query }) =>
      query.get('status') === 'failed' ? pageOf([aCampaign(3, { failed: 5 })], 101) : pageOf([]),
    )
    await open()
    expect(sentences()[2]).toEqual(['bad', 'More than 5 pushes failed today'])
  })

  it('[D-6] is unknown if it cannot be loaded, which is only logged', async () => {
    server.on('GET /health', () => 'unreachable')
    server.on('GET /notifications/recent', ({ query }) => (query.has('status') ? 'unreachable' : pageOf([])))
    await open()
    expect(sentences()).toEqual([
      ['unknown', 'Services: unknown'],
      ['unknown', 'Sends in flight: unknown'],
      ['unknown', 'Failed pushes today: unknown'],
    ])
    for (const what of ['the services', 'the sends in flight', 'the failed pushes'])
      expect(console.error).toHaveBeenCalledWith(`Checking ${what} failed`, expect.any(String))
  })

  it('[D-7] is said in a sentence each, checked again every 30 seconds and while sends progress', async () => {
    await open()
    expect(sentences()).toEqual([
      ['good', 'All services answer'],
      ['good', 'No sends in flight'],
      ['good', 'No pushes failed today'],
    ])
    health = { ...health, parts: { auth: 'down' } }
    await clock.advance(30_000)
    expect(sentences()[0]).toEqual(['bad', '1 service does not answer: auth'])
    inFlight = 1
    live.emit('campaign:progress', aCampaign(2, { live: 8 }).progress)
    await clock.flush()
    expect(sentences()[1]).toEqual(['work', '1 send in flight'])
  })
})
