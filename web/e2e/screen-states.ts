import { programRestoreMs } from '@portal/contracts/catalog/deleted-programs'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import type { Page } from 'playwright-core'
import { blockSocket } from './journeys.ts'
import {
  sendCodesRoute,
  fillAccountStep,
  fillContact,
  newContact,
  clickButton,
  waitForText,
} from './registration-form.ts'

export type Screen = {
  /** The screen's name, also the name of its screenshot. */
  readonly name: string
  readonly path: string
  /** A state of a page with other data than the sample's. Its components are also on other screens. */
  readonly isState?: boolean
  /** Mocks responses before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Leads from the address to a screen that has no address of its own. */
  readonly interact?: (page: Page) => Promise<unknown>
}

/** Mocks a response for these API routes, without an effect on the sample. Page navigations to the same address pass. */
const mockResponse = (page: Page, path: RegExp, body: object, status = 200) =>
  page.route(
    (url) => path.test(url.pathname),
    (route) => (route.request().isNavigationRequest() ? route.fallback() : route.fulfill({ status, json: body })),
  )

const successBody = { success: true, message: '' }

const openCodesStep = async (page: Page) => {
  await fillAccountStep(page)
  await fillContact(page, newContact())
  await clickButton(page, 'Send OTPs to Email & Phone')
  await waitForText(page, 'Step 3 of 3')
}

const requestResetLink = async (page: Page) => {
  await page.getByRole('textbox').fill('asha@example.com')
  await clickButton(page, 'Send Reset Link')
  await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
}

export const formStates: readonly Screen[] = [
  { name: 'register-contact', path: '/register', interact: fillAccountStep, isState: true },
  {
    name: 'register-codes',
    path: '/register',
    prepare: (page) => mockResponse(page, sendCodesRoute, successBody),
    interact: openCodesStep,
    isState: true,
  },
  {
    name: 'reset-link-sent',
    path: '/reset-password',
    prepare: (page) => mockResponse(page, /^\/auth\/forgot-password$/, successBody),
    interact: requestResetLink,
    isState: true,
  },
]

export const openSeatPage = (page: Page): Promise<void> => page.getByRole('link', { name: /^Pay ₹/ }).click()

const payForSeat = async (page: Page) => {
  await openSeatPage(page)
  const pay = page.getByRole('button', { name: /^Pay ₹/ })
  await pay.click()
  await pay.waitFor({ state: 'detached' })
}

const bookedSeat = (programId: string) => ({
  ...successBody,
  data: {
    programId,
    programName: 'Minor in Quantum Computing',
    currentSemester: 'Semester 1',
    paymentStatus: 'Pending',
    enrolledAt: '2026-11-21T09:00:00.000Z',
    withdrawnAt: null,
  },
})

/** Blocks the socket too, because it would deliver the real inbox. */
const mockEmptyInbox = async (page: Page) => {
  await blockSocket(page)
  const pagination = { page: 1, limit: 10, total: 0, totalPages: 0 }
  await mockResponse(page, /^\/notifications$/, {
    ...successBody,
    notifications: [],
    pagination,
    epoch: 'first',
    seq: 0,
    unread: 0,
  })
  await mockResponse(page, /^\/notifications\/unread\/count$/, {
    ...successBody,
    count: 0,
    epoch: 'first',
    seq: 0,
    unread: 0,
  })
}

const mockNoPrograms = async (page: Page) => {
  await mockResponse(page, /^\/allprograms$/, [])
  await mockResponse(page, /^\/user\/my-programs$/, { ...successBody, programs: [], data: [] })
}

const mockFailedPrograms = (page: Page) =>
  mockResponse(page, /^\/allprograms$/, { success: false, message: 'Something went wrong', code: 'internal' }, 500)

/** States of a learner who is not enrolled in `programId`. */
const mockDevices = async (page: Page) => {
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }
  const preferences = { ...defaultPreferences, push: { ...defaultPreferences.push, General: false }, quietHours }
  await mockResponse(page, /^\/user\/preferences$/, { ...successBody, preferences, emailAvailable: true })
  await mockResponse(page, /^\/user\/devices$/, {
    ...successBody,
    devices: [
      { id: 'this', name: 'Chrome on Android', addedAt: '2026-11-21T03:35:00.000Z', isThis: true },
      { id: 'other', name: 'Samsung Internet on Android', addedAt: '2026-11-20T03:35:00.000Z', isThis: false },
      { id: 'old', name: 'A device', isThis: false },
    ],
  })
}

export const learnerStates = (programId: string): readonly Screen[] => [
  {
    name: 'seat-booked',
    path: `/program-details-inactives/${programId}`,
    prepare: (page) => mockResponse(page, /^\/programs\/[^/]+\/enroll$/, bookedSeat(programId)),
    interact: payForSeat,
    isState: true,
  },
  { name: 'notification-settings-devices', path: '/profile/notifications', prepare: mockDevices, isState: true },
  { name: 'my-program-empty', path: '/my-program', prepare: mockNoPrograms, isState: true },
  { name: 'my-program-failed', path: '/my-program', prepare: mockFailedPrograms, isState: true },
  // Must be last, because it blocks the socket of all later screens.
  { name: 'notifications-empty', path: '/notification', prepare: mockEmptyInbox, isState: true },
]

/** Two programs that were deleted a minute ago, one of them by an admin whose account is gone. */
const mockDeletedPrograms = async (page: Page) => {
  const atMs = Date.now() - 60_000
  const deletion = {
    deletedAt: new Date(atMs).toISOString(),
    restorableUntil: new Date(atMs + programRestoreMs).toISOString(),
  }
  const id = (last: number) => `01930000-0000-7000-9000-00000000000${last}`
  await mockResponse(page, /^\/admin\/programs\/deleted$/, {
    ...successBody,
    data: [
      { _id: id(1), programId: 'MIN-QC-01', programName: 'Minor in Quantum Computing', ...deletion },
      { _id: id(2), programId: 'EVE-1', programName: 'Evening seminar', deletedBy: id(3), ...deletion },
    ],
  })
  const body = { success: false, message: 'User not found', code: 'not-found' }
  await mockResponse(page, /^\/notifications\/people\/[^/]+$/, body, 404)
}

const markLearner = async (page: Page) => {
  await page
    .getByRole('checkbox', { name: /^Mark (?!all)/ })
    .first()
    .check()
  await page.getByRole('region', { name: 'Marked learners' }).waitFor()
}

const previewPayment = async (page: Page) => {
  await markLearner(page)
  await clickButton(page, 'Confirm payment…')
  await clickButton(page, 'Preview')
  await page.getByRole('list', { name: 'What will become of each row' }).waitFor()
}

const previewList = async (page: Page) => {
  await clickButton(page, 'Confirm payments from a list')
  await page
    .getByLabel('List of payments')
    .fill('nobody@example.com; 15,000; 28.09.2026\nno address; 15,000; 28.09.2026')
  await clickButton(page, 'Preview')
  await page.getByRole('list', { name: 'What will become of each row' }).waitFor()
}

/** What opens over the learners of a program. */
const guest = {
  _id: '01930000-0000-7000-9000-000000000021',
  email: 'omar.farooqi@example.com',
  invitedBy: 'Meera Nair',
  invitedAt: '2026-11-21T03:35:00.000Z',
  expiresAt: '2026-12-21T03:35:00.000Z',
}
const longAddress = `${'a-very-long-name.'.repeat(3)}farooqi@students.example.com`

const mockGuests = (page: Page) =>
  mockResponse(page, /^\/admin\/programs\/[^/]+\/invitations$/, {
    ...successBody,
    invitations: [
      guest,
      { ...guest, _id: '01930000-0000-7000-9000-000000000022', email: longAddress, expiresAt: guest.invitedAt },
    ],
    pagination: { page: 1, limit: 50, total: 2, totalPages: 1 },
  })

export const learnersStates = (program: string): readonly Screen[] => {
  const path = `/admin/programs/${program}/learners`
  return [
    { path, name: 'admin-learners-marked', interact: markLearner },
    { path, name: 'admin-learners-payment', interact: previewPayment, isState: true },
    { path, name: 'admin-learners-list', interact: previewList, isState: true },
    { path, name: 'admin-learners-enroll', interact: (page) => clickButton(page, 'Enroll'), isState: true },
    { path: `${path}?invited=1`, name: 'admin-learners-invited', prepare: mockGuests },
  ]
}

export const deletedPrograms: Screen = {
  name: 'admin-programs-deleted',
  path: '/admin/programs',
  prepare: mockDeletedPrograms,
  interact: (page) => clickButton(page, 'Recently deleted (2)'),
}

const invitation = {
  _id: '01930000-0000-7000-9000-000000000011',
  fullName: 'Omar Farooqi',
  personalEmail: 'omar.farooqi@example.com',
  role: 'faculty',
  state: 'pending',
  invitedBy: 'Meera Nair',
  sentAt: '2026-11-21T03:35:00.000Z',
  expiresAt: '2026-11-24T03:35:00.000Z',
}
const expired = { ...invitation, _id: '01930000-0000-7000-9000-000000000012', role: 'admin', state: 'expired' }
const link = 'https://portal.example/reset-password?token=of-an-invitation#email=omar.farooqi%40example.com'

const mockInvitations = async (page: Page) => {
  await mockResponse(page, /^\/admin\/invitations$/, { ...successBody, invitations: [invitation, expired] })
  await mockResponse(page, /^\/admin\/invitations\/[^/]+\/resend$/, { ...successBody, data: { ...invitation, link } })
}

const resendInvitation = async (page: Page) => {
  await page.getByRole('button', { name: 'Resend the invitation of Omar Farooqi' }).first().click()
  await page.getByRole('group', { name: 'Link for Omar Farooqi' }).waitFor()
}

const pasteInvitations = async (page: Page) => {
  await clickButton(page, 'Invite')
  await clickButton(page, 'Paste a list')
  await page.getByLabel('Names and email addresses').fill('Asha Rao, asha@example.com\nnobody@example.com')
  await page.getByRole('list', { name: 'People in the list' }).getByText('No name').waitFor()
}

const users = { path: '/admin/dashboard/users', prepare: mockInvitations, isState: true } as const
export const invitationStates: readonly Screen[] = [
  { ...users, name: 'admin-users-invitations', interact: resendInvitation },
  { ...users, name: 'admin-users-invite', interact: (page) => clickButton(page, 'Invite') },
  { ...users, name: 'admin-users-invite-list', interact: pasteInvitations },
]
