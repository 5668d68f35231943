import { listMyPrograms } from '@portal/contracts/catalog/http'
import { countUnread } from '@portal/contracts/notifications/http'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { abortRequests, delayRequests, setUpJourneys, mockError, waitForIdle } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpJourneys(() => startSamplePortal(10))
const { portal, newContext, newPage, open, signIn, expectConsoleErrors } = journeys

/** Learners of the sample without an enrollment, one for each journey. */
const notEnrolled = { landingPage: 4, visitor: 5, doubleClick: 9, seatPage: 10 } as const

const enrollRoute = /^\/programs\/[^/]+\/enroll$/
const programName = 'Minor in Business Analytics'
const detailsPath = () => `/program-details-inactives/${portal().otherProgram}`
const openAsLearner = (n: number, path: string): Promise<Page> => openSignedIn(journeys, portal().learner(n), path)

const register = (page: Page) => page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' })
const pay = (page: Page) => page.getByRole('button', { name: 'Pay ₹1,000' })
const waitForSeatPage = (page: Page) => page.getByRole('heading', { level: 1, name: 'Book your Seat' }).waitFor()
const waitForEnrollment = (page: Page) => page.getByRole('heading', { name: 'You’re enrolled' }).waitFor()
const enrolled = (page: Page) => page.getByRole('region', { name: 'Enrolled programs' })

/** Opens the program from the landing page, which renders its sections when they come near the viewport. */
const openCard = async (page: Page) => {
  const programs = page.locator('#programs')
  const about = page.getByRole('button', { name: 'About the Minor', expanded: false })
  await programs.or(about).first().waitFor()
  // For users it is folded.
  if (await about.isVisible()) await about.click()
  await programs.scrollIntoViewIfNeeded()
  await programs.getByRole('link', { name: new RegExp(programName) }).click()
}

const enrollmentsOf = async (n: number) => {
  const { address, learner } = portal()
  const { token } = await logIn(address, learner(n).email, learner(n).password)
  return (await callRoute(address, listMyPrograms, { token })).programs
}

const unreadOf = async (n: number): Promise<number> => {
  const { address, learner } = portal()
  const { token } = await logIn(address, learner(n).email, learner(n).password)
  return (await callRoute(address, countUnread, { token })).unread
}

/** Opens the payment page of the program. */
const openSeatPage = async (n: number): Promise<Page> => {
  const page = await openAsLearner(n, detailsPath())
  await register(page).click()
  await waitForSeatPage(page)
  await pay(page).waitFor()
  return page
}

const countEnrollRequests = (page: Page) => {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && enrollRoute.test(new URL(request.url()).pathname)) count++
  })
  return () => count
}

const openTab = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await newPage(context)
  await page.goto(path)
  return page
}

describe('enrolling', () => {
  test(
    '[H-23 Y-3] leads from the card on the landing page to the enrollment, which appears on both open tabs',
    { tags: ['essential'] },
    async () => {
      const { email, password } = portal().learner(notEnrolled.landingPage)
      const context = await newContext()
      const page = await signIn(context, email, password)
      const otherTab = await openTab(context, '/my-program')
      await otherTab.getByText('You are not enrolled in any program yet').waitFor()
      // A background tab renders rarely.
      await page.bringToFront()

      await page.waitForURL('**/home')
      await openCard(page)
      await page.getByRole('heading', { level: 2, name: programName }).waitFor()
      await register(page).click()
      await waitForSeatPage(page)
      for (const text of [programName, 'One-time registration fee', '₹1,000', /terms of the program .* privacy policy/])
        await page.getByText(text, typeof text === 'string' ? { exact: true } : {}).waitFor()
      await pay(page).click()

      await waitForEnrollment(page)
      await page.getByText('You have not been charged. Online payment isn’t available yet', { exact: false }).waitFor()
      await page.getByRole('definition').getByText('Pending', { exact: true }).waitFor()
      await enrolled(otherTab)
        .getByRole('link', { name: new RegExp(programName) })
        .waitFor()
      await expect(otherTab.getByText('You are not enrolled in any program yet')).toHaveCount(0)
      expect(await enrollmentsOf(notEnrolled.landingPage)).toMatchObject([{ programName, paymentStatus: 'Pending' }])

      await page.reload()
      await waitForEnrollment(page)
      await expect(pay(page)).toHaveCount(0)
      await page.getByRole('link', { name: 'Go to your program' }).click()
      await page.waitForURL('**/program-details-active/*')
      await page.getByRole('heading', { level: 2, name: programName }).waitFor()
      // Back skips the payment page, which would offer the seat again.
      await page.goBack()
      await page.waitForURL('**/program-details-active/*')

      await page.goto('/profile')
      await page.getByRole('link', { name: `${programName} Semester 1 Fees: Pending` }).waitFor()
      await page.goto('/notification')
      await page.getByRole('link', { name: new RegExp(`You are enrolled in ${programName}`) }).waitFor()
      await page.goto('/home')
      const own = page
        .getByRole('region', { name: 'Your programs' })
        .getByRole('link', { name: new RegExp(programName) })
      await own.getByText('Semester 1 of 3').waitFor()
      await openCard(page)
      await page.waitForURL('**/program-details-active/*')
    },
  )

  test('[P-59] sends one request, even if Pay is clicked several times, and no toast repeats the page', async () => {
    const page = await openSeatPage(notEnrolled.doubleClick)
    await waitForIdle(page)
    const unread = await unreadOf(notEnrolled.doubleClick)
    const enrollRequests = countEnrollRequests(page)
    const release = await delayRequests(page, enrollRoute)
    await pay(page).dblclick()
    await page.getByRole('button', { name: 'Pay ₹1,000', disabled: true }).waitFor()
    await pay(page).click({ force: true })
    release()
    await waitForEnrollment(page)
    await page.getByRole('link', { name: `${unread + 1} unread Notification` }).waitFor()
    await expect(page.getByText(`You are enrolled in ${programName}`)).toHaveCount(0)
    expect(enrollRequests()).toBe(1)
    expect(await enrollmentsOf(notEnrolled.doubleClick)).toHaveLength(1)
  })

  test('[H-22] asks a visitor to log in, and then works from the card', async () => {
    const { email, password } = portal().learner(notEnrolled.visitor)
    const page = await open(await newContext(), '/home')
    await openCard(page)
    await page.waitForURL('**/login')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL('**/home')
    await openCard(page)
    await register(page).click()
    await pay(page).click()
    await waitForEnrollment(page)
  })
})

describe('book your seat', () => {
  test('survives a reload, and links back to the program', async () => {
    const page = await openSeatPage(notEnrolled.seatPage)
    // At the bottom of the window, although the page is short.
    const button = await pay(page).boundingBox()
    expect(button?.y).toBeGreaterThan(phone.height * 0.8)
    await page.reload()
    await waitForSeatPage(page)
    await pay(page).waitFor()
    await page.getByRole('link', { name: 'Back to the program' }).click()
    await page.waitForURL(`**${detailsPath()}`)
    await register(page).waitFor()
  })

  test('does not shift its layout on a slow network', async () => {
    const page = await openSeatPage(notEnrolled.seatPage)
    const release = await delayRequests(page, /^\/programs\//)
    await page.reload()
    await waitForSeatPage(page)
    await page.getByRole('status', { name: 'Loading program details...' }).waitFor()
    release()
    await pay(page).waitFor()
    expect(await layoutShifts(page)).toEqual([])
  })

  test('shows why the payment failed, lets the message be closed, and works on a retry', async () => {
    expectConsoleErrors(/409|net::ERR_/)
    const page = await openSeatPage(notEnrolled.seatPage)
    const reason = 'Enrollment is closed until Monday'
    await mockError(page, enrollRoute, 409, { success: false, message: reason, code: 'conflict' })
    await pay(page).click()
    await page.getByRole('alert').getByText(reason).waitFor()
    await page.unrouteAll()
    await abortRequests(page, enrollRoute)
    await pay(page).click()
    const networkProblem = page.getByRole('alert').getByText(/^Unable to connect to server\./)
    await networkProblem.waitFor()
    await page.getByRole('alert').getByRole('button').click()
    await networkProblem.waitFor({ state: 'detached' })
    expect(await enrollmentsOf(notEnrolled.seatPage)).toEqual([])

    await page.unrouteAll()
    await pay(page).click()
    await waitForEnrollment(page)
    // The program details also show the enrollment.
    await page.goto(detailsPath())
    await page.waitForURL('**/program-details-active/*')
  })
})

test(
  '[Y-2 Y-8] the payment history says that its records are samples, and shows amounts, states and the next installment',
  { tags: ['essential'] },
  async () => {
    const page = await openAsLearner(1, '/profile')
    await page.getByRole('link', { name: 'Payment History' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payment History' }).waitFor()
    await page.getByText('Sample records: online payment isn’t available yet.').waitFor()
    const records = page.getByRole('main').getByRole('listitem')
    for (const [status, count] of [
      ['Completed', 2],
      ['Pending', 1],
      ['Failed', 1],
    ] as const) {
      await expect(records.filter({ hasText: status })).toHaveCount(count)
    }
    await records.filter({ hasText: 'PAY-1001' }).getByText('₹1,000').waitFor()
    const breakdown = page.getByRole('region', { name: 'Fee breakdown, semester 2' })
    await expect(breakdown.getByRole('term')).toHaveText([
      'Tuition fee',
      'Laboratory fee',
      'Development fee',
      'Total',
      'Due date',
    ])
    await breakdown.getByText('₹15,000').waitFor()
    // Layout shifts right after a click are not recorded.
    await page.reload()
    await breakdown.getByText('₹15,000').waitFor()
    expect(await layoutShifts(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to your profile' }).click()
    await page.waitForURL('**/profile')
  },
)
