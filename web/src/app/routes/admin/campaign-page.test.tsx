import { cleanup, screen, within } from '@testing-library/react'
import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { deliveryStatuses } from '@portal/contracts/notifications/notification'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { paginationOf } from '@portal/contracts/shared/page'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CampaignDetails } from '../../../features/campaigns/detail/use-campaign.ts'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { aRecipient } from '../../../features/campaigns/testing/recipients.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { SocketContext } from '../../../lib/socket.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { CampaignPage } from './campaign-page.tsx'

const sender = { userId: userIdSchema.parse('01890000-0000-7000-8000-000000000901'), fullName: 'Kiran Das' }
const campaign = {
  ...aCampaign(7, { live: 3, pending: 4, failed: 2, skipped: 1, read: 2 }, { title: 'Exam moved', type: 'Exam' }),
  sentBy: sender,
}
const path = `/admin/notifications/${campaign.id}`
const recipientsPath = `GET /notifications/${campaign.id}/recipients`

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let details: CampaignDetails
let recipients: CampaignRecipient[]

const listed = (status: string | null, q: string | null) =>
  recipients.filter((one) => (status === null || one.status === status) && (q === null || one.fullName.includes(q)))

type Reason = { readonly status: string; readonly reason: string; readonly says: string; readonly count: number }
let reasonsOf: () => readonly Reason[]

beforeEach(() => {
  startSession({ user: aUser({ role: 'admin' }), token: 'token-1' })
  details = {
    campaign,
    actions: [{ kind: 'sent', by: sender, at: '2026-11-21T10:00:00.000Z' }],
    remindedBy: [],
    resendable: 2,
    resendsLeft: 4,
    firstHour: [],
    byDay: [],
  }
  recipients = [
    aRecipient(1, { status: 'live', readAt: '2026-11-21T10:05:00.000Z' }),
    aRecipient(2, { status: 'failed', reason: 'no answer' }),
    aRecipient(3, { status: 'failed', reason: 'no answer' }),
    aRecipient(4, { status: 'cancelled', fullName: '', personalEmail: '' }),
  ]
  reasonsOf = () => {
    const { length: count } = recipients.filter(({ reason }) => reason === 'no answer')
    return count === 0
      ? []
      : [{ status: 'failed', reason: 'no answer', says: 'The push service did not answer.', count }]
  }
  server = fakeServer()
  server.on(`GET /notifications/${campaign.id}/campaign`, () => ok(details))
  server.on(recipientsPath, ({ query }) => {
    const found = listed(query.get('status'), query.get('q'))
    const counts = Object.fromEntries(
      deliveryStatuses.map((status) => [status, recipients.filter((one) => one.status === status).length]),
    )
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
    const rows = found.slice((page - 1) * limit, page * limit)
    return ok({
      recipients: rows,
      counts,
      reasons: reasonsOf(),
      pagination: paginationOf({ page, limit }, found.length),
    })
  })
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

const open = async (address = path) => {
  const page = (
    <SocketContext value={live.socket}>
      <CampaignPage />
    </SocketContext>
  )
  renderPages({ '/admin/notifications/:id': page }, address)
  await clock.flush()
}
const press = async (element: HTMLElement) => {
  await clock.user.click(element)
  await clock.flush()
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const queryButton = (name: string | RegExp) => screen.queryByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))
const report = async (progress: Partial<CampaignProgress>) => {
  live.emit('campaign:progress', { ...campaign.progress, ...progress })
  await clock.advance(20)
}
const rows = () =>
  within(screen.getByRole('table', { name: 'Recipients' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
const names = () => rows().map(([name]) => name?.textContent)
const statusOf = (n: number) => rows()[n]?.[2]?.textContent
const chips = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
const asked = () => server.requestsTo(recipientsPath).map(({ query }) => query.toString())

describe('the page of a campaign', () => {
  it('[C-24] shows the text in both languages', async () => {
    const translation = { lang: 'ta', title: 'தேர்வு', message: 'அறை 12' }
    details = { ...details, campaign: { ...campaign, translation } }
    await open()
    const preview = within(screen.getByRole('figure'))
    expect(preview.getByText(campaign.title)).toBeDefined()
    expect(preview.getByText('தமிழ்')).toBeDefined()
    expect(preview.getByText('தேர்வு').getAttribute('lang')).toBe('ta')
    expect(preview.getByRole('group', { name: 'Translated message' }).textContent).toBe('அறை 12')
  })

  it('[C-19] says that it was sent as urgent', async () => {
    details = { ...details, campaign: { ...campaign, isUrgent: true } }
    await open()
    expect(screen.getByText('Urgent')).toBeDefined()
  })

  it('[C-18] shows its text, type, sender, time and button, copies its id, and leads to the form with a reminder or a copy', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const withButton = { button: { label: 'Choose your center', url: 'https://exam.example/centers' } }
    details = { ...details, campaign: { ...campaign, ...withButton } }
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Exam moved' })).toBeDefined()
    expect(screen.getByText('The text of notice 7')).toBeDefined()
    expect(screen.getAllByText('Exam').length).toBeGreaterThan(0)
    expect(screen.getByText('Sent by Kiran Das')).toBeDefined()
    expect(screen.getAllByText(/^Nov 21, 2026 •/).length).toBeGreaterThan(0)
    const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(addressOf('Remind those who have not read it')).toBe(`/admin/notifications?remind=${campaign.id}`)
    expect(addressOf('Duplicate')).toBe(`/admin/notifications?copy=${campaign.id}`)
    const preview = within(screen.getByText('On a phone').closest('figure') ?? document.body)
    expect(preview.getByText('Choose your center')).toBeDefined()
    expect(preview.getByText('exam.example')).toBeDefined()
    await press(button('Copy ID'))
    expect(copied).toHaveBeenCalledWith(campaign.id)
    expect(screen.getByText('ID copied')).toBeDefined()
  })

  it('links to the reminded notification and to its reminders, and lists who did what and why, newest first', async () => {
    const [earlier, first, second] = [aCampaign(3).id, aCampaign(8).id, aCampaign(9).id]
    details = {
      ...details,
      campaign: { ...campaign, remindsOf: earlier },
      remindedBy: [first, second],
      actions: [
        ...details.actions,
        { kind: 'resent', by: { ...sender, fullName: '' }, at: '2026-11-21T11:00:00.000Z', recipients: 12 },
        { kind: 'cancel-requested', by: sender, at: '2026-11-21T12:00:00.000Z', reason: 'Wrong room' },
      ],
    }
    await open()
    const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(addressOf('Reminder of an earlier notification')).toBe(`/admin/notifications/${earlier}`)
    expect(addressOf('Reminder 1 sent')).toBe(`/admin/notifications/${first}`)
    expect(addressOf('Reminder 2 sent')).toBe(`/admin/notifications/${second}`)
    const history = within(screen.getByRole('region', { name: 'History' }))
    expect(history.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/^.*[AP]M/, ''))).toEqual([
      'Kiran Das stopped the pending deliveriesReason: Wrong room',
      'Deleted account sent it again to 12 people',
      'Kiran Das sent it',
    ])
  })

  it('shows the newest of many entries of its history, and all of them on request', async () => {
    const exported = (hour: number) =>
      ({ kind: 'exported', by: sender, at: `2026-11-21T${10 + hour}:00:00.000Z`, recipients: hour }) as const
    details = { ...details, actions: [...details.actions, ...[1, 2, 3, 4, 5, 6].map(exported)] }
    await open()
    const history = within(screen.getByRole('region', { name: 'History' }))
    expect(history.getAllByRole('listitem')).toHaveLength(5)
    await press(button('Show all 7'))
    expect(history.getAllByRole('listitem').at(-1)?.textContent).toContain('Kiran Das sent it')
    expect(document.activeElement).toBe(history.getByRole('list'))
    expect(queryButton(/^Show all/)).toBeNull()
  })

  it('shows all six states, follows reported deliveries and reads, and a resend, which makes failed recipients pending again', async () => {
    await open()
    const counts = () =>
      within(screen.getByRole('region', { name: 'Delivery' }))
        .getAllByRole('term')
        .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`)
    expect(counts()).toEqual(['Live 3', 'Pushed 0', 'Pending 4', 'In inbox 1', 'Failed 2', 'Canceled 0'])
    await report({ live: 4, pushed: 3, pending: 0, read: 5 })
    expect(counts()).toEqual(['Live 4', 'Pushed 3', 'Pending 0', 'In inbox 1', 'Failed 2', 'Canceled 0'])
    expect(screen.getByRole('region', { name: 'Delivery' }).textContent).toContain('5 of 10 read')

    await report({ live: 4, pushed: 3, pending: 2, failed: 0, read: 5, resent: 2 })
    const bar = '10 recipients: 4 live, 3 pushed, 2 pending, 1 in inbox, 5 read'
    expect(screen.getByRole('img', { name: bar })).toBeDefined()
    await report({ live: 4, pushed: 3, pending: 0, read: 5 })
    expect(screen.getByRole('img', { name: bar })).toBeDefined()
  })

  it('[E-4] shows how many an email told of it, beside the states', async () => {
    await open()
    const delivery = screen.getByRole('region', { name: 'Delivery' })
    expect(delivery.textContent).not.toContain('told by email')
    await report({ pending: 0, skipped: 5, emailed: 3 })
    expect(within(delivery).getByText('3 told by email')).toBeDefined()
  })

  it('[N-34] shows how many followed the button', async () => {
    await open()
    await report({ clicked: 12 })
    expect(within(screen.getByRole('region', { name: 'Delivery' })).getByText('12 followed the button')).toBeDefined()
  })

  it('[E-5] says that nobody gets an email without a mail server', async () => {
    details = { ...details, emailAvailable: false }
    await open()
    await report({ pending: 0, skipped: 5 })
    expect(screen.getByText('No emails: the portal has no mail server')).toBeDefined()
  })

  it('shows how far it came, without those from whom it was withheld, and deliveries and reads over time', async () => {
    const [at, later] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:03:00.000Z']
    const firstHour = [
      { at, delivered: 3, reads: 0 },
      { at: later, delivered: 0, reads: 2 },
    ]
    details = { ...details, firstHour, byDay: [{ at: '2026-11-20T18:30:00.000Z', delivered: 3, reads: 2 }] }
    await open()
    const funnel = within(screen.getByRole('list', { name: 'Reach' }))
    expect(funnel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Recipients10 · 100%',
      'In an inbox10 · 100%',
      'Shown or pushed3 · 30%',
      'Read2 · 20%',
    ])
    expect(screen.getByText('3 deliveries and 2 reads in the first hour.')).toBeDefined()
    const [minutes] = screen.getAllByRole('table')
    expect(
      minutes &&
        within(minutes)
          .getAllByRole('row')
          .map(({ textContent }) => textContent),
    ).toEqual(['MinuteShown or pushedRead', '030', '302'])
    await report({ pending: 0, cancelled: 4, withheld: 3 })
    expect(screen.getByText('In an inbox').parentElement?.textContent).toBe('In an inbox7 · 70%')
  })

  it('says that an unknown notification does not exist, with a way back', async () => {
    server.on(`GET /notifications/${campaign.id}/campaign`, () => problem(404, 'not-found', 'Notification not found'))
    await open()
    expect(screen.getByRole('heading', { name: 'Notification not found' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'All notifications' }).getAttribute('href')).toBe('/admin/notifications')
    cleanup()
    await open('/admin/notifications/not-an-id')
    expect(screen.getByRole('heading', { name: 'Notification not found' })).toBeDefined()
  })

  it('shows an error with a retry', async () => {
    server.on(`GET /notifications/${campaign.id}/campaign`, () => problem(503, 'unavailable', 'Not now'))
    await open()
    expect(screen.getByText('Failed to load notification')).toBeDefined()
    server.on(`GET /notifications/${campaign.id}/campaign`, () => ok(details))
    await press(button('Try again'))
    expect(screen.getByRole('heading', { name: 'Exam moved' })).toBeDefined()
  })
})

describe('the actions of a campaign', () => {
  it('keeps a written reason over the end of the session, for the same action, until it is canceled', async () => {
    await open()
    await press(button('Recall'))
    await clock.fill(dialog().getByRole('textbox'), 'Wrong date')
    cleanup()
    await open()
    expect(dialog().getByRole('textbox')).toHaveProperty('value', 'Wrong date')
    await press(dialog().getByRole('button', { name: 'Keep it' }))
    cleanup()
    await open()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('cancels after a confirmation with a reason, but not without it, and shows the server’s answer', async () => {
    const message = '4 canceled. 6 had already been delivered.'
    server.on(`POST /notifications/${campaign.id}/cancel`, () => ok({ message, cancelled: 4, alreadySent: 6 }))
    await open()
    await press(button('Recall'))
    await press(dialog().getByRole('button', { name: 'Keep it' }))
    await clock.advance(500)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.requests.filter(({ call }) => call.startsWith('POST'))).toEqual([])
    await press(button('Cancel pending'))
    expect(dialog().getByText(/4 people whose delivery is pending/)).toBeDefined()
    await clock.fill(dialog().getByLabelText(/^Reason/), ' Wrong room ')
    await press(dialog().getByRole('button', { name: 'Cancel deliveries' }))
    expect(server.requestsTo(`POST /notifications/${campaign.id}/cancel`).map(({ body }) => body)).toEqual([
      { reason: 'Wrong room' },
    ])
    expect(screen.getByText(message)).toBeDefined()
    expect(server.requestsTo(`GET /notifications/${campaign.id}/campaign`)).toHaveLength(2)
    await clock.advance(500)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offers only what changes something', async () => {
    details = { ...details, resendable: 0 }
    await open()
    expect(queryButton(/^Resend/)).toBeNull()
    await report({ pending: 0, skipped: 5 })
    expect(queryButton('Cancel pending')).toBeNull()
    expect(button('Recall')).toBeDefined()
    await report({ pending: 0, skipped: 5, recalled: 10 })
    expect(queryButton('Recall')).toBeNull()
    expect(screen.getByRole('heading', { level: 1, name: 'This notification was withdrawn' })).toBeDefined()
  })

  it('resends with one key per confirmation, also after a lost answer, and shows a rejection of the server', async () => {
    server.on(`POST /notifications/${campaign.id}/resend`, () => 'unreachable')
    await open()
    await press(button('Resend to 2 failed'))
    expect(dialog().getByText(/4 resends are left/)).toBeDefined()
    await press(dialog().getByRole('button', { name: 'Send again' }))
    server.on(`POST /notifications/${campaign.id}/resend`, () =>
      ok({ message: 'Sending again to 2 people.', resent: 2 }),
    )
    await press(dialog().getByRole('button', { name: 'Send again' }))
    expect(screen.getByText('Sending again to 2 people.')).toBeDefined()
    const keys = server
      .requestsTo(`POST /notifications/${campaign.id}/resend`)
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(1)

    await clock.advance(500)
    server.on(`POST /notifications/${campaign.id}/recall`, () =>
      problem(409, 'conflict', 'This notification was withdrawn'),
    )
    await press(button('Recall'))
    await press(dialog().getByRole('button', { name: 'Recall' }))
    expect(screen.getByText('This notification was withdrawn')).toBeDefined()
  })
})

describe('the recipients of a campaign', () => {
  it('are listed with their delivery, lead to their pages, and are filtered by status, reason and search, with counts', async () => {
    await open()
    expect(rows()[1]?.map(({ textContent }) => textContent)).toEqual([
      'Learner 002',
      'learner-2@example.com',
      'Failed',
      expect.stringContaining('no answer'),
      expect.stringContaining('Just now'),
      '–',
    ])
    expect(names()).toEqual(['Learner 001', 'Learner 002', 'Learner 003', 'Deleted account'])
    expect(screen.getByRole('link', { name: 'Learner 002' }).getAttribute('href')).toBe(
      `/admin/people/${aRecipient(2).userId}`,
    )

    expect(chips('Status')).toEqual(['All 4', 'Live 1', 'Failed 2', 'Canceled 1'])
    expect(chips('Reason')).toEqual(['No answer 2'])
    await press(button('Failed 2'))
    expect(asked().at(-1)).toBe('status=failed&page=1&limit=50')
    expect(names()).toEqual(['Learner 002', 'Learner 003'])
    await press(button('No answer 2'))
    expect(asked().at(-1)).toBe('status=failed&reason=no+answer&page=1&limit=50')
    await clock.fill(screen.getByRole('searchbox', { name: 'Search by name or email' }), '003')
    await clock.advance(300)
    await clock.flush()
    expect(asked().at(-1)).toBe('status=failed&reason=no+answer&q=003&page=1&limit=50')
    expect(names()).toEqual(['Learner 003'])
  })

  it('have a chip for each reason and status, with names that differ', async () => {
    const reason = 'sample data'
    reasonsOf = () => [
      { status: 'skipped', reason, says: 'It is part of the sample data.', count: 3 },
      { status: 'failed', reason, says: 'It is part of the sample data.', count: 1 },
    ]
    await open()
    expect(chips('Reason')).toEqual(['Sample data (in inbox) 3', 'Sample data (failed) 1'])
  })

  it('are restored from the address, and an empty answer has a way out', async () => {
    await open(`${path}?status=pushed&search=nobody&page=1`)
    expect(asked()).toEqual(['status=pushed&q=nobody&page=1&limit=50'])
    expect(screen.getByText('No recipient matches')).toBeDefined()
    await press(button('Show all recipients'))
    expect(names()).toHaveLength(4)
  })

  it('are shown 50 a page', async () => {
    recipients = Array.from({ length: 60 }, (_, n) => aRecipient(n + 1))
    await open()
    expect(screen.getByText('Showing 1 to 50 of 60 recipients')).toBeDefined()
    await press(button('Page 2'))
    expect(names()).toHaveLength(10)
    expect(asked().at(-1)).toBe('page=2&limit=50')
  })

  it('are updated in place when deliveries progress, without moving a row, and can be exported as CSV; a failure is shown', async () => {
    await open(`${path}?status=failed`)
    recipients = recipients.map((one) => (one.fullName === 'Learner 002' ? { ...one, status: 'pending' } : one))
    await report({ pending: 3, skipped: 2 })
    await clock.flush()
    expect(names()).toEqual(['Learner 002', 'Learner 003'])
    expect(button('Failed 1')).toBeDefined()
    expect(screen.getByText('The list has changed since you opened it.')).toBeDefined()
    await press(button('Show the current list'))
    expect(names()).toEqual(['Learner 003'])

    const exportPath = `GET /notifications/${campaign.id}/recipients.csv`
    server.on(exportPath, () => problem(503, 'unavailable', 'The export is not available at the moment'))
    await press(button('Export CSV'))
    expect(server.requestsTo(exportPath).map(({ query }) => query.toString())).toEqual(['status=failed'])
    expect(screen.getByText('The export is not available at the moment')).toBeDefined()
  })

  it('are requested at most every two seconds while deliveries progress', async () => {
    await open()
    recipients = recipients.map((one) => ({ ...one, status: 'live' as const }))
    for (let n = 0; n < 10; n++) await report({ pending: 3 - (n % 3), live: 4 + (n % 3) })
    expect(asked().length).toBe(2)
    await clock.advance(2_000)
    expect(asked().length).toBe(3)
    expect(statusOf(1)).toBe('Live')
  })

  it('show an error with a retry', async () => {
    server.on(recipientsPath, () => 'unreachable')
    await open()
    expect(screen.getByText('Failed to load the recipients')).toBeDefined()
  })
})
