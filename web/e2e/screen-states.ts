import type { Page } from 'playwright-core'
import { keepUnconnected } from './journeys.ts'
import { calls, enterAccount, fillContact, newcomer, press, says } from './registration-form.ts'

export type Screen = {
  /** The screen's name, as its picture is called. */
  readonly name: string
  readonly path: string
  /** The page as it is with other data than the sample's: its parts are looked at on other screens, too. */
  readonly isState?: boolean
  /** What the portal has in store for this screen. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** What leads from the address to the screen, where it has none of its own. */
  readonly arrive?: (page: Page) => Promise<unknown>
}

/** These calls have this answer, whatever the sample has, and leave nothing behind. Pages at the same address are let through. */
const answered = (page: Page, path: RegExp, body: object, status = 200) =>
  page.route(
    (url) => path.test(url.pathname),
    (route) => (route.request().isNavigationRequest() ? route.fallback() : route.fulfill({ status, json: body })),
  )

const done = { success: true, message: '' }

const toCodes = async (page: Page) => {
  await enterAccount(page)
  await fillContact(page, newcomer())
  await press(page, 'Send OTPs to Email & Phone')
  await says(page, 'Step 3 of 3')
}

const askForLink = async (page: Page) => {
  await page.getByRole('textbox').fill('asha@example.com')
  await press(page, 'Send Reset Link')
  await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
}

export const statesOfForms: readonly Screen[] = [
  { name: 'register-contact', path: '/register', arrive: enterAccount, isState: true },
  {
    name: 'register-codes',
    path: '/register',
    prepare: (page) => answered(page, calls.send, done),
    arrive: toCodes,
    isState: true,
  },
  {
    name: 'reset-link-sent',
    path: '/reset-password',
    prepare: (page) => answered(page, /^\/auth\/forgot-password$/, done),
    arrive: askForLink,
    isState: true,
  },
]

export const bookSeat = (page: Page): Promise<void> => page.getByRole('link', { name: /^Pay ₹/ }).click()

const payForSeat = async (page: Page) => {
  await bookSeat(page)
  const pay = page.getByRole('button', { name: /^Pay ₹/ })
  await pay.click()
  await pay.waitFor({ state: 'detached' })
}

const bookedSeat = (programId: string) => ({
  ...done,
  data: {
    programId,
    programName: 'Minor in Quantum Computing',
    currentSemester: 'Semester 1',
    paymentStatus: 'Pending',
    enrolledAt: '2026-11-21T09:00:00.000Z',
    withdrawnAt: null,
  },
})

/** Nothing in it, and no connection that would tell what is. */
const emptyInbox = async (page: Page) => {
  await keepUnconnected(page)
  const pagination = { page: 1, limit: 10, total: 0, totalPages: 0 }
  await answered(page, /^\/notifications$/, {
    ...done,
    notifications: [],
    pagination,
    epoch: 'first',
    seq: 0,
    unread: 0,
  })
  await answered(page, /^\/notifications\/unread\/count$/, { ...done, count: 0, epoch: 'first', seq: 0, unread: 0 })
}

const noPrograms = async (page: Page) => {
  await answered(page, /^\/allprograms$/, [])
  await answered(page, /^\/user\/my-programs$/, { ...done, programs: [], data: [] })
}

const failedPrograms = (page: Page) =>
  answered(page, /^\/allprograms$/, { success: false, message: 'Something went wrong', code: 'internal' }, 500)

/** Of one who may still enroll in `programId`. */
export const statesOfLearner = (programId: string): readonly Screen[] => [
  {
    name: 'seat-booked',
    path: `/program-details-inactives/${programId}`,
    prepare: (page) => answered(page, /^\/programs\/[^/]+\/enroll$/, bookedSeat(programId)),
    arrive: payForSeat,
    isState: true,
  },
  { name: 'my-program-empty', path: '/my-program', prepare: noPrograms, isState: true },
  { name: 'my-program-failed', path: '/my-program', prepare: failedPrograms, isState: true },
  // Last: no page of this browser is connected afterwards.
  { name: 'notifications-empty', path: '/notification', prepare: emptyInbox, isState: true },
]
