import { cleanup, screen, within } from '@testing-library/react'
import type { ActivityDay } from '@portal/contracts/notifications/http'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../../../../features/campaigns/testing/campaigns.ts'
import { aPerson, serveAudience } from '../../../../features/campaigns/testing/fake-audience.ts'
import { aProgram } from '../../../../features/programs/admin/testing/programs.ts'
import { endSession, startSession } from '../../../../lib/session.ts'
import { SocketContext } from '../../../../lib/socket.ts'
import { aUser, ok, problem } from '../../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../../testing/fake-server.ts'
import { fakeSocket } from '../../../../testing/fake-socket.ts'
import { renderPages } from '../../../../testing/render-pages.tsx'
import { insertAllStyles } from '../../../../testing/styles.tsx'
import { fakeClock } from '../../../../testing/fake-clock.ts'
import { light } from '../../../theme/tokens.ts'
import { DashboardPage } from './dashboard-page.tsx'

const admin = aUser({ role: 'admin' })
const university = (n: number) => ({
  _id: universityIdSchema.parse(`01930000-0000-7000-8000-${String(n).padStart(12, '0')}`),
  name: `University ${n}`,
})

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let sends: SentItem[]
let days: ActivityDay[]

const pageOf = (notifications: readonly SentItem[]) =>
  ok({ notifications, pagination: { page: 1, limit: 5, total: notifications.length, totalPages: 1 } })

beforeEach(() => {
  startSession({ user: admin, token: 'token-1' })
  sends = [aCampaign(2, { live: 6, pending: 2 }, { title: 'Exam moved', type: 'Exam' }), aCampaign(1, { skipped: 4 })]
  days = [
    { date: '2026-11-20', sends: 2, delivered: 1_240, reads: 300, arrivals: 1_240, arrivalsRead: 798 },
    { date: '2026-11-21', sends: 1, delivered: 8, reads: 501, arrivals: 8, arrivalsRead: 3 },
  ]
  server = fakeServer()
  server.on('GET /api/universities', () => ({ status: 200, body: [university(1), university(2)] }))
  serveAudience(server, { people: [aPerson(1, 'Asha Rao')] })
  server.on('GET /admin/programs', () => ok({ data: [1, 2, 3].map((n) => aProgram(n)) }))
  server.on('GET /notifications/activity', () => ok({ days }))
  server.on('GET /health', () => ({
    status: 200,
    body: { status: 'ok', parts: { auth: 'ok' }, discontinuities: [], unreadableEvents: [] },
  }))
  server.on('GET /notifications/recent', ({ query }) => pageOf(query.has('status') ? [] : sends))
  server.on('POST /auth/logout', () => ok({ message: 'Logged out' }))
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
      <DashboardPage />
    </SocketContext>
  )
  renderPages({ '/admin/dashboard': page }, '/admin/dashboard')
  await clock.flush()
}

const counts = () =>
  Object.fromEntries(
    within(screen.getByRole('list', { name: 'Counts' }))
      .getAllByRole('listitem')
      .map((card) => [card.querySelector('.name')?.textContent, card.querySelector('.figure')?.textContent]),
  )
const requestsTo = (call: string) => server.requestsTo(call).length
/** Requests for the newest sends, without those that count sends by status. */
const recentRequests = () =>
  server.requestsTo('GET /notifications/recent').filter(({ query }) => query.get('status') === null).length
const figures = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

describe('the counts of the dashboard', () => {
  it('[U-11 D-1 D-11] show universities, users and programs, but no enrollments, and lead to their lists', async () => {
    await open()
    expect(counts()).toEqual({ Universities: '2', Users: '1', Programs: '3', Enrollments: '--' })
    const links = within(screen.getByRole('list', { name: 'Counts' })).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Universities', '/admin/universities'],
      ['Users', '/admin/dashboard/users'],
      ['Programs', '/admin/programs'],
    ])
  })

  it('[D-14] lead to who did what', async () => {
    await open()
    expect(screen.getByRole('link', { name: 'Who did what' }).getAttribute('href')).toBe('/admin/dashboard/audit')
  })

  it('[D-6] log a failure and show no error', async () => {
    for (const called of ['GET /api/universities', 'GET /admin/people', 'GET /admin/programs'])
      server.on(called, () => problem(503, 'unavailable', 'Busy'))
    await open()
    expect(counts()).toEqual({ Universities: '--', Users: '--', Programs: '--', Enrollments: '--' })
    for (const name of ['Universities', 'Users', 'Programs'])
      expect(console.error).toHaveBeenCalledWith(`Counting ${name} failed`, 'Busy')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('sends and reads', () => {
  it('[D-9 D-10] belong to the same day in IST: what arrived on it, how much of that is read, and what the portal sent itself', async () => {
    await open()
    expect(server.requestsTo('GET /notifications/activity')[0]?.query.get('days')).toBe('14')
    expect(screen.getByText('Last 2 days: 3 sends to 1,248 inboxes, 801 read.')).toBeDefined()
    expect(figures()).toEqual([
      ['Day', 'Sends', 'Recipients', 'Read'],
      ['Nov 20', '2', '1,240', '798'],
      ['Nov 21', '1', '8', '3'],
    ])

    expect(screen.queryByText(/automatic/)).toBeNull()
    cleanup()
    days = days.map((day) => ({ ...day, sends: day.sends + 500, automatic: 500 }))
    await open()
    expect(screen.getByText('Last 2 days: 1,003 sends to 1,248 inboxes, 801 read.')).toBeDefined()
    const link = screen.getByRole('link', { name: '1,000 of these sends are automatic.' })
    expect(link.getAttribute('href')).toBe('/admin/notifications?source=portal')
  })

  it('show a text for days without sends', async () => {
    days = days.map(({ date }) => ({ date, sends: 0, delivered: 0, reads: 7, arrivals: 0, arrivalsRead: 0 }))
    await open()
    expect(screen.getByText('Nothing was sent in the last 2 days.')).toBeDefined()
  })

  it('show a retry and log the failure if they cannot be loaded', async () => {
    server.on('GET /notifications/activity', () => 'unreachable')
    await open()
    expect(screen.getByText('Statistics are unavailable right now.')).toBeDefined()
    expect(console.error).toHaveBeenCalledWith('Counting sends and reads failed', expect.any(String))
    expect(screen.queryByRole('alert')).toBeNull()
    server.on('GET /notifications/activity', () => ok({ days }))
    await clock.user.click(screen.getByRole('button', { name: 'Try again' }))
    await clock.flush()
    expect(figures()).toHaveLength(3)
  })

  it('reload after deliveries, at most every ten seconds, and on reconnect', async () => {
    await open()
    const report = () => live.emit('campaign:progress', aCampaign(2, { live: 8 }).progress)
    days = days.map((day) => ({ ...day, arrivalsRead: (day.arrivalsRead ?? 0) + 1 }))
    report()
    await clock.flush()
    expect(screen.getByText(/, 803 read\.$/)).toBeDefined()
    for (let n = 0; n < 9; n++) {
      report()
      await clock.advance(1_000)
    }
    expect(requestsTo('GET /notifications/activity')).toBe(2)
    await clock.advance(1_000)
    expect(requestsTo('GET /notifications/activity')).toBe(3)
    await clock.advance(60_000)
    expect(requestsTo('GET /notifications/activity')).toBe(3)
    expect(requestsTo('GET /admin/programs')).toBe(1)
    live.disconnect()
    live.reconnect()
    await clock.flush()
    expect(requestsTo('GET /notifications/activity')).toBe(4)
  })
})

describe('the recent notifications', () => {
  it('[C-3 D-3 D-5 D-8 D-10 D-13] are those of admins, with title, message, type, time in IST and delivery states, and open their pages', async () => {
    const progress = { live: 6, pending: 2, read: 3 }
    sends = [aCampaign(2, progress, { title: 'Exam moved', type: 'Exam', deliveredAt: '2026-11-21T09:05:00.000Z' })]
    await open()
    const [recent] = server.requestsTo('GET /notifications/recent').filter(({ query }) => !query.has('status'))
    expect(recent?.query.toString()).toBe('page=1&limit=5&source=admins')
    const link = screen.getByRole('link', { name: 'Exam moved' })
    expect(link.getAttribute('href')).toBe(`/admin/notifications/${aCampaign(2, {}).id}`)
    const list = screen.getByRole('region', { name: 'Recent Notifications' })
    const entry = within(within(list).getByRole('listitem'))
    expect(entry.getByRole('heading', { name: 'Exam moved' })).toBeDefined()
    expect(entry.getByText('The text of notice 2')).toBeDefined()
    expect(entry.getByText('Exam')).toBeDefined()
    expect(entry.getByText('Nov 21, 2026 • 2:35 PM')).toBeDefined()

    const bar = screen.getByRole('img', { name: '8 recipients: 6 live, 2 pending, 3 read' })
    expect([...(bar.nextElementSibling?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      '6 live',
      '2 pending',
      '3 of 8 read',
    ])
  })

  it('[D-12] show what another admin sends within a second, and its progress and recall without a request each', async () => {
    await open()
    const titles = () =>
      within(screen.getByRole('region', { name: 'Recent Notifications' }))
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent)
    expect(titles()).toEqual(['Exam moved', 'Notice 1'])

    sends = [aCampaign(3, { pending: 9 }, { title: 'Fire drill' }), ...sends]
    live.emit('campaign:progress', aCampaign(3, { pending: 9 }).progress)
    await clock.advance(1_000)
    expect(titles()).toEqual(['Fire drill', 'Exam moved', 'Notice 1'])

    live.emit('campaign:progress', aCampaign(3, { pending: 2, live: 7, read: 1 }).progress)
    live.emit('campaign:progress', { ...aCampaign(2, { live: 6, pending: 2 }).progress, recalled: 8 })
    await clock.advance(1_000)
    expect(screen.getByRole('img', { name: '9 recipients: 7 live, 2 pending, 1 read' })).toBeDefined()
    expect(titles()).toEqual(['Fire drill', 'This notification was withdrawn', 'Notice 1'])
    expect(recentRequests()).toBe(2)

    live.disconnect()
    live.reconnect()
    await clock.flush()
    expect(recentRequests()).toBe(3)
  })

  it('are asked for once a second at most while the portal sends notices of its own, and not again after them', async () => {
    await open()
    const before = recentRequests()
    for (let n = 10; n < 40; n++) {
      live.emit('campaign:progress', aCampaign(n).progress)
      await clock.advance(100)
    }
    expect(recentRequests() - before).toBe(3)
    await clock.advance(1_000)
    live.emit('campaign:progress', aCampaign(39, { live: 1 }).progress)
    await clock.advance(60_000)
    expect(recentRequests() - before).toBe(4)
  })

  it("[N-11 D-5] show 'Invalid date' and General for an invalid time and type", async () => {
    insertAllStyles()
    const [exam, other] = sends
    const broken = { ...exam, timestamp: 'yesterday', deliveredAt: null, type: undefined, notificationType: undefined }
    server.on('GET /notifications/recent', () =>
      ok({
        notifications: [broken, { ...other, type: 'Webinar' }],
        pagination: { page: 1, limit: 5, total: 2, totalPages: 1 },
      }),
    )
    await open()
    const list = within(screen.getByRole('region', { name: 'Recent Notifications' }))
    const [first, second] = list.getAllByRole('listitem').map((item) => within(item))
    expect(first?.getByText('Invalid date')).toBeDefined()
    expect(first?.getByText('General')).toBeDefined()
    const { backgroundColor } = getComputedStyle(second?.getByText('Webinar') ?? document.body)
    expect(backgroundColor).toBe(light.tones.blue.background)
  })

  it('[D-4] show an error if they cannot be loaded, and a text if there are none', async () => {
    server.on('GET /notifications/recent', () => 'unreachable')
    await open()
    expect(screen.getByText('Failed to load notifications')).toBeDefined()
    cleanup()
    server.on('GET /notifications/recent', () => pageOf([]))
    await open()
    expect(screen.getByText('No recent notifications to display.')).toBeDefined()
    const link = screen.getByRole('link', { name: 'Send a notification' })
    expect(link.getAttribute('href')).toBe('/admin/notifications')
  })
})

describe('logging out of the dashboard', () => {
  it('[D-2 L-17] asks for a confirmation, which can be canceled, and clears the stored session', async () => {
    await open()
    await clock.user.click(screen.getByRole('button', { name: 'Logout' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText('Are you sure you want to logout?')).toBeDefined()
    await clock.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(requestsTo('POST /auth/logout')).toBe(0)
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
    await clock.advance(500)

    await clock.user.click(screen.getByRole('button', { name: 'Logout' }))
    await clock.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Logout' }))
    await clock.flush()
    expect(requestsTo('POST /auth/logout')).toBe(1)
    expect(['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))).toEqual([null, null, null])
  })
})
