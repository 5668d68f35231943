import { cleanup, screen, within } from '@testing-library/react'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { paginationOf } from '@portal/contracts/shared/page'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../testing/campaigns.ts'
import { useHistoryInAddress } from '../use-history-address.ts'
import { HistoryPanel } from './history-panel.tsx'
import { endSession, startSession } from '../../../lib/session.ts'
import { SocketContext } from '../../../lib/socket.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { aUser, ok } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { renderPages } from '../../../testing/render-pages.tsx'

const userId = (n: number) => userIdSchema.parse(`01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const admin = aUser({ _id: userId(900), role: 'admin', fullName: 'Meera Sen' })
const other = { userId: userId(901), fullName: 'Kiran Das' }

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let sends: SentItem[]

const History = () => <HistoryPanel {...useHistoryInAddress().panel} />

const open = async (address = '/admin/notifications') => {
  const page = (
    <SocketContext value={live.socket}>
      <History />
    </SocketContext>
  )
  renderPages({ '/admin/notifications': page }, address)
  await clock.flush()
}
const requests = () => server.requestsTo('GET /notifications/recent').map(({ query }) => query.toString())
const press = async (element: HTMLElement) => {
  await clock.user.click(element)
  await clock.flush()
}
const choose = async (field: string, option: string) => {
  await press(screen.getByRole('combobox', { name: new RegExp(`^${field}`) }))
  await press(screen.getByRole('option', { name: option }))
}
const entry = (name: string) => {
  const item = screen.getByRole('heading', { name }).closest('li')
  if (!item) throw new Error(`No entry ${name}`)
  return within(item)
}

beforeEach(() => {
  startSession({ user: admin, token: 'token-1' })
  sends = [
    { ...aCampaign(2, { live: 6, pending: 2 }, { title: 'Exam moved', type: 'Exam' }), sentBy: other },
    { ...aCampaign(1, { skipped: 4 }), sentBy: { ...other, fullName: '' } },
  ]
  server = fakeServer()
  server.on('GET /notifications/recent', ({ query }) => {
    const found = query.has('q') || query.has('type') ? sends.filter(({ type }) => type === query.get('type')) : sends
    return ok({
      notifications: found,
      pagination: paginationOf({ page: Number(query.get('page')), limit: 10 }, found.length),
    })
  })
  server.on('GET /admin/people', () => ok({ people: [], pagination: paginationOf({ page: 1, limit: 100 }, 0) }))
  live = fakeSocket()
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  endSession('logged-out')
})

describe('an entry of the history', () => {
  it('links to the page of its campaign, says who sent it, and is one quiet line once recalled', async () => {
    await open()
    const links = screen.getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Exam moved', `/admin/notifications/${sends[0]?.id}`],
      ['Notice 1', `/admin/notifications/${sends[1]?.id}`],
    ])
    expect(entry('Exam moved').getByText('Sent by Kiran Das')).toBeDefined()
    expect(entry('Notice 1').getByText('Sent by Deleted account')).toBeDefined()

    const [exam] = sends
    if (!exam) throw new Error('No campaign')
    live.emit('campaign:progress', { ...exam.progress, live: 6, cancelled: 2, pending: 0, recalled: 6 })
    await clock.advance(20)
    const recalled = entry('This notification was withdrawn')
    expect(recalled.getByText('Withdrawn from 6 of 8 inboxes')).toBeDefined()
    expect(screen.queryByText('Exam moved')).toBeNull()
    expect(screen.queryByText('The text of notice 2')).toBeNull()
  })

  it('shows how many inboxes a large campaign has reached, until it has reached all', async () => {
    const large = aCampaign(3, { pending: 120_000 }, { title: 'To everyone' })
    sends = [{ ...large, progress: { ...large.progress, distributed: 34_500 } }]
    await open()
    expect(entry('To everyone').getByText('Delivering to inboxes: 34,500 of 120,000')).toBeDefined()
    live.emit('campaign:progress', { ...large.progress, pending: 119_000, skipped: 1_000 })
    await clock.advance(20)
    expect(screen.queryByText(/Delivering to inboxes/)).toBeNull()
  })
})

describe('the filter of the history', () => {
  it('searches after a pause in typing, counts the matches, can be cleared, and keeps the displayed page if it failed', async () => {
    await open()
    await clock.fill(screen.getByRole('searchbox', { name: 'Search sent notifications' }), ' hall ')
    expect(requests()).toHaveLength(1)
    await clock.advance(300)
    await clock.flush()
    expect(requests().at(-1)).toBe('page=1&limit=10&q=hall&source=admins')
    expect(screen.getByText('0 found')).toBeDefined()
    expect(screen.getByText('No notification matches')).toBeDefined()
    expect(screen.getByText(/choose it as the sender\.$/)).toBeDefined()
    await press(screen.getByRole('button', { name: 'Show all notifications' }))
    expect(requests().at(-1)).toBe('page=1&limit=10&source=admins')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
    expect(entry('Exam moved')).toBeDefined()

    server.on('GET /notifications/recent', () => 'unreachable')
    await clock.fill(screen.getByRole('searchbox'), 'hall')
    await clock.advance(300)
    await clock.flush()
    expect(screen.getByText('The search failed')).toBeDefined()
    expect(entry('Exam moved')).toBeDefined()
  })

  it('selects by type, status, sender and days', async () => {
    await open()
    await press(screen.getByRole('button', { name: 'Filter' }))
    await choose('Type', 'Exam')
    await choose('Status', 'Some pushes failed')
    await choose('Sender', 'Kiran Das')
    await clock.fill(screen.getByLabelText('From'), '2026-11-01')
    await clock.flush()
    expect(requests().at(-1)).toBe(`page=1&limit=10&type=Exam&sentBy=${other.userId}&status=failed&from=2026-11-01`)
    expect(screen.getByText('1 found')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Filter (4)' })).toBeDefined()
    await choose('Status', 'Any status')
    expect(requests().at(-1)).not.toContain('status')
    await press(screen.getByRole('button', { name: 'Clear filter' }))
    expect(requests().at(-1)).toBe('page=1&limit=10&source=admins')
  })

  it('[C-16] shows what admins sent, and what the portal sent itself on request', async () => {
    await open()
    expect(requests()).toEqual(['page=1&limit=10&source=admins'])
    await press(screen.getByRole('button', { name: 'Filter' }))
    expect(screen.getByRole('combobox', { name: /^Sender/ })).toHaveProperty('textContent', 'All admins')
    await choose('Sender', 'The portal (automatic)')
    expect(requests().at(-1)).toBe('page=1&limit=10&source=portal')
    expect(screen.getByRole('button', { name: 'Filter (1)' })).toBeDefined()
    await choose('Sender', 'Meera Sen (you)')
    expect(requests().at(-1)).toBe(`page=1&limit=10&sentBy=${admin._id}`)
    await choose('Sender', 'Admins and the portal')
    expect(requests().at(-1)).toBe('page=1&limit=10&source=all')
    await choose('Sender', 'All admins')
    expect(requests().at(-1)).toBe('page=1&limit=10&source=admins')
    expect(screen.getByRole('button', { name: 'Filter' })).toBeDefined()
  })

  it('offers the portal once as a sender, also if the address names it as one', async () => {
    sends = [{ ...aCampaign(1, { skipped: 4 }), sentBy: { userId: portalSender, fullName: 'The portal' } }]
    await open(`/admin/notifications?sender=${portalSender}`)
    expect(screen.getByRole('combobox', { name: /^Sender/ })).toHaveProperty('textContent', 'The portal (automatic)')
    await press(screen.getByRole('combobox', { name: /^Sender/ }))
    expect(screen.getAllByRole('option', { name: /portal/ }).map(({ textContent }) => textContent)).toEqual([
      'The portal (automatic)',
      'Admins and the portal',
    ])
  })

  it('is restored from the address', async () => {
    await open('/admin/notifications?page=2&type=Exam&status=cancelled')
    expect(requests()).toEqual(['page=2&limit=10&type=Exam&status=cancelled&source=admins'])
    expect(screen.getByRole('combobox', { name: /^Status/ }).textContent).toBe('Some canceled')
  })
})
