import { cleanup, screen, within } from '@testing-library/react'
import { explainDelivery } from '@portal/contracts/notifications/delivery-reasons'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { programId } from '../../../features/campaigns/testing/fake-audience.ts'
import { campaignId } from '../../../features/campaigns/testing/campaigns.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { PersonPage } from './person-page.tsx'

const userId = userIdSchema.parse('01890000-0000-7000-8000-000000000042')
const call = `GET /notifications/people/${userId}`
const accountCall = `GET /admin/people/${userId}`
const person = {
  userId,
  fullName: 'Asha Rao',
  personalEmail: 'asha@example.com',
  role: 'student',
  universityName: 'Hill University',
  studentCode: 'MP26-00042',
  emailVerified: false,
}
const account = {
  ...aUser({ fullName: 'Asha Rao', personalEmail: 'asha@example.com' }),
  _id: userId,
  emailVerified: false,
  state: 'active',
  registeredAt: '2026-03-02T09:00:00.000Z',
  history: [],
}
const delivery = {
  notificationId: campaignId(3),
  title: 'Exam moved',
  type: 'Exam',
  status: 'failed',
  reason: 'no answer from the provider',
  says: explainDelivery('failed', 'no answer from the provider'),
  deliveredAt: '2026-11-21T09:00:00.000Z',
}

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  server = fakeServer()
  server.on(call, () => ok({ person, deliveries: [delivery] }))
  server.on(accountCall, () => ok({ person: account }))
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (id: string = userId) => {
  renderPages({ '/admin/people/:userId': <PersonPage /> }, `/admin/people/${id}`)
  await clock.flush()
}

describe('the page of a person', () => {
  it('shows who it is, leads to the send form, and lists the last notifications with status, sentence and read time', async () => {
    const read = {
      ...delivery,
      notificationId: campaignId(2),
      title: '',
      status: 'live',
      says: 'An open screen has shown it.',
    }
    server.on(call, () => ok({ person, deliveries: [delivery, { ...read, readAt: '2026-11-21T09:30:00.000Z' }] }))
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Asha Rao' })).toBeDefined()
    const facts = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])
    expect(facts).toEqual([
      ['Email', 'asha@example.com (not verified)'],
      ['Role', 'Student'],
      ['University', 'Hill University'],
      ['Student code', 'MP26-00042'],
      ['State', 'Active'],
      ['Mobile number', '9876543210'],
      ['Registered', 'Mar 2, 2026'],
    ])
    expect(screen.getByRole('link', { name: 'Send a notification' }).getAttribute('href')).toBe(
      `/admin/notifications?to=${userId}`,
    )
    const [first, second] = within(screen.getByRole('region', { name: 'Latest notifications' })).getAllByRole(
      'listitem',
    )
    if (!first || !second) throw new Error('Two notifications are listed')
    expect(within(first).getByRole('link', { name: 'Exam moved' }).getAttribute('href')).toBe(
      `/admin/notifications/${campaignId(3)}`,
    )
    expect(within(first).getByText('Failed')).toBeDefined()
    expect(within(first).getByText(delivery.says)).toBeDefined()
    expect(within(first).getByText('Not read')).toBeDefined()
    expect(within(second).getByRole('link', { name: 'Notification' })).toBeDefined()
    expect(within(second).getByText('30 min')).toBeDefined()
  })

  it('[U-28] lists the Enrollments and Devices, and says if there are none', async () => {
    const enrollments = [
      { programId: programId(1), programName: 'AI', currentSemester: 'Semester 1', paymentStatus: 'Pending' },
      {
        programId: programId(2),
        programName: 'Data',
        currentSemester: 'Semester 2',
        paymentStatus: 'Pending',
        feeAccount: { installmentsPaise: [1_500_000, 1_500_050], paidPaise: 1_500_000 },
      },
    ]
    const devices = [
      { name: 'Firefox on Linux', addedAt: '2026-11-20T09:00:00.000Z', usedAt: '2026-11-21T09:00:00.000Z' },
      { name: 'A device' },
    ]
    const entries = (section: string) =>
      within(screen.getByRole('region', { name: section }))
        .queryAllByRole('listitem')
        .map(({ children }) => [...children].map(({ textContent }) => textContent))
    server.on(call, () => ok({ person, enrollments, devices, deliveries: [] }))
    await open()
    expect(entries('Enrollments')).toEqual([
      ['AI', 'Semester 1 · Payment pending'],
      ['Data', 'Semester 2 · Payment pending · Installment 2 of 2 open: ₹15,000.50'],
    ])
    expect(entries('Devices')).toEqual([
      ['Firefox on Linux', 'Added Nov 20, 2026 · Last used Nov 21, 2026'],
      ['A device', ''],
    ])
    cleanup()
    server.on(call, () => ok({ person, enrollments: [], devices: [], deliveries: [] }))
    await open()
    expect(screen.getByText('Not enrolled in any program.')).toBeDefined()
    expect(screen.getByText('No device gets notifications.')).toBeDefined()
    cleanup()
    server.on(call, () => ok({ person: { ...person, role: 'faculty' }, enrollments: [], devices: [], deliveries: [] }))
    await open()
    expect(screen.queryByRole('region', { name: 'Enrollments' })).toBeNull()
  })

  it('offers no notification to an admin or a deleted account', async () => {
    server.on(call, () => ok({ person: { ...person, role: 'admin' }, deliveries: [] }))
    server.on(accountCall, () => ok({ person: { ...account, role: 'admin' } }))
    await open()
    expect(screen.queryByRole('link', { name: 'Send a notification' })).toBeNull()
    expect(screen.getByText('Nothing has been sent to this person yet')).toBeDefined()
    cleanup()
    server.on(call, () => ok({ person: { ...person, fullName: '', personalEmail: '' }, deliveries: [delivery] }))
    server.on(accountCall, () => problem(404, 'not-found', 'There is no such person'))
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Deleted account' })).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send a notification' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Exam moved' })).toBeDefined()
  })

  it('says that an unknown account does not exist, with a way back', async () => {
    server.on(call, () => problem(404, 'not-found', 'User not found'))
    await open()
    expect(screen.getByRole('heading', { name: 'Person not found' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'All notifications' })).toBeDefined()
    cleanup()
    await open('someone')
    expect(screen.getByRole('heading', { name: 'Person not found' })).toBeDefined()
  })

  it('shows an error with a retry', async () => {
    server.on(call, () => 'unreachable')
    await open()
    expect(screen.getByText('Failed to load this person')).toBeDefined()
    server.on(call, () => ok({ person, deliveries: [] }))
    await clock.user.click(screen.getByRole('button', { name: 'Try again' }))
    await clock.flush()
    expect(screen.getByRole('heading', { name: 'Asha Rao' })).toBeDefined()
    cleanup()
    server.on(accountCall, () => 'unreachable')
    await open()
    expect(screen.getByText('Failed to load the account')).toBeDefined()
    expect(screen.getByRole('heading', { name: 'Latest notifications' })).toBeDefined()
    server.on(accountCall, () => ok({ person: account }))
    await clock.user.click(screen.getByRole('button', { name: 'Try again' }))
    await clock.flush()
    expect(screen.getByRole('region', { name: 'Account' })).toBeDefined()
  })
})
