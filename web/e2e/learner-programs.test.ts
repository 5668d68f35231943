import {
  createProgram,
  enrollInProgram,
  listMyPrograms,
  removeProgram,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { delayRequests, setUpJourneys } from './journeys.ts'
import { awaitFonts, layoutShifts } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The programs of a learner, their details, the enrollment and the payment history. */
const { portal, openAs, newPage, adminToken } = setUpJourneys(() => startSamplePortal(10))

/** Learners of the sample without an enrollment. */
const [notEnrolled, alsoNotEnrolled] = [4, 5]

const programName = 'Minor in Business Analytics'
const enrolled = (page: Page) => page.getByRole('region', { name: 'Enrolled programs' })
const others = (page: Page) => page.getByRole('region', { name: 'Other Minor Programs' })
const register = (page: Page) => page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' })
const pay = (page: Page) => page.getByRole('button', { name: 'Pay ₹1,000' })
const waitForSeatPage = (page: Page) => page.getByRole('heading', { level: 1, name: 'Book your Seat' }).waitFor()
const waitForEnrollment = (page: Page) => page.getByRole('heading', { name: 'You’re enrolled' }).waitFor()

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

test(
  '[P-5 P-10] enrolled programs are above the others, and each leads to its details',
  { tags: ['essential'] },
  async () => {
    const page = await openAs(portal().learner(1), '/my-program')
    await expect(enrolled(page).getByRole('link')).toHaveCount(1)
    await expect(others(page).getByRole('link')).toHaveCount(3)
    await enrolled(page)
      .getByRole('link', { name: /Artificial Intelligence/ })
      .click()
    await page.waitForURL('**/program-details-active/*')
    await page.getByRole('heading', { level: 2, name: 'Minor in Artificial Intelligence' }).waitFor()
    const fees = page.getByRole('region', { name: 'Course Fee', exact: true }).locator('dl > div')
    await expect(fees).toHaveText(['Semester 1₹15,000', 'Semester 2₹15,000', 'Semester 3₹15,000', 'Total fee₹45,000'])
    await expect(page.getByRole('region', { name: 'Tools', exact: true }).getByRole('listitem')).toHaveCount(7)
    await page.getByRole('link', { name: 'Back to My Programs' }).click()
    await page.waitForURL('**/my-program')
    await others(page).getByRole('link').first().click()
    await page.waitForURL('**/program-details-inactives/*')
    // Visible at every scroll position.
    const place = await register(page).boundingBox()
    expect(place && place.y + place.height < phone.height).toBe(true)
  },
)

test(
  '[H-23 Y-3] a learner comes from the card on the landing page to the enrollment, which appears on both open tabs',
  { tags: ['essential'] },
  async () => {
    const { address, learner } = portal()
    const page = await openAs(learner(notEnrolled), '/home')
    const otherTab = await newPage(page.context())
    await otherTab.goto('/my-program')
    await otherTab.getByText('You are not enrolled in any program yet').waitFor()
    // A background tab renders rarely.
    await page.bringToFront()
    await openCard(page)
    await page.getByRole('heading', { level: 2, name: programName }).waitFor()
    await register(page).click()
    await waitForSeatPage(page)
    await pay(page).click()
    await waitForEnrollment(page)
    await page.getByRole('definition').getByText('Pending', { exact: true }).waitFor()
    await enrolled(otherTab)
      .getByRole('link', { name: new RegExp(programName) })
      .waitFor()
    const { token } = await logIn(address, learner(notEnrolled).email, learner(notEnrolled).password)
    const { programs } = await callRoute(address, listMyPrograms, { token })
    expect(programs).toMatchObject([{ programName, paymentStatus: 'Pending' }])
    // The notice has arrived. No toast repeats the page.
    await page.getByRole('link', { name: /unread Notification$/ }).waitFor()
    await expect(page.getByText(`You are enrolled in ${programName}`)).toHaveCount(0)

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
    const own = page.getByRole('region', { name: 'Your programs' }).getByRole('link', { name: new RegExp(programName) })
    await own.getByText('Semester 1 of 3').waitFor()
    await openCard(page)
    await page.waitForURL('**/program-details-active/*')
  },
)

test('“Book your Seat” survives a reload, during which nothing moves, and has its button at the bottom', async () => {
  const page = await openAs(portal().learner(10), `/program-details-inactives/${portal().otherProgram}`)
  await register(page).click()
  await waitForSeatPage(page)
  // At the bottom of the window, although the page is short.
  await pay(page).waitFor()
  expect((await pay(page).boundingBox())?.y).toBeGreaterThan(phone.height * 0.8)
  const release = await delayRequests(page, /^\/programs\//)
  await page.reload()
  await waitForSeatPage(page)
  await page.getByRole('status', { name: 'Loading program details...' }).waitFor()
  await awaitFonts(page)
  release()
  await pay(page).waitFor()
  expect(await layoutShifts(page)).toEqual([])
})

test('[Y-2] the payment history says that its records are samples', { tags: ['essential'] }, async () => {
  const page = await openAs(portal().learner(1), '/profile')
  await page.getByRole('link', { name: 'Payment History' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payment History' }).waitFor()
  await page.getByText('Sample records: online payment isn’t available yet.').waitFor()
  // Layout shifts right after a click are not recorded.
  await page.reload()
  await page.getByRole('region', { name: 'Fee breakdown, semester 2' }).getByText('₹15,000').waitFor()
  expect(await layoutShifts(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to your profile' }).click()
  await page.waitForURL('**/profile')
})

test(
  'an admin adds, renames and removes a program on open pages, which enrolled learners keep',
  { tags: ['essential'] },
  async () => {
    const { address, learner } = portal()
    const token = await adminToken()
    const home = await openAs(learner(alsoNotEnrolled), '/home#about-minor')
    await home.locator('#programs').scrollIntoViewIfNeeded()
    const list = await openAs(learner(1), '/my-program')
    const pages = [list, home]
    for (const page of pages) {
      await page.getByRole('link', { name: /Minor in Artificial Intelligence/ }).waitFor()
      await page.evaluate('globalThis.isTheSameDocument = true')
    }
    const inAll = (name: string) => pages.map((page) => page.getByRole('link', { name: new RegExp(name) }))

    const body = { programName: 'Minor in Quantum Computing' }
    const { data: program } = await callRoute(address, createProgram, { token, body })
    const params = { id: program._id }
    await Promise.all(inAll('Quantum Computing').map((card) => card.waitFor()))
    const renamed = { ...program, programName: 'Minor in Quantum Engineering' }
    await callRoute(address, updateProgram, { token, params, body: renamed })
    await Promise.all(inAll('Quantum Engineering').map((card) => card.waitFor()))
    for (const card of inAll('Quantum Computing')) await expect(card).toHaveCount(0)

    const own = await logIn(address, learner(1).email, learner(1).password)
    await callRoute(address, enrollInProgram, { token: own.token, params })
    const details = await openAs(learner(1), `/program-details-active/${program._id}`)
    await details.getByRole('heading', { level: 2, name: 'Minor in Quantum Engineering' }).waitFor()
    await callRoute(address, removeProgram, { token, params })
    await home.getByRole('link', { name: /Quantum Engineering/ }).waitFor({ state: 'detached' })
    await enrolled(list)
      .getByRole('link', { name: /Quantum Engineering/ })
      .getByText('Withdrawn')
      .waitFor()
    const notice = /^Withdrawn on .+ Read-only copy of this program\.$/
    await details.getByRole('status').filter({ hasText: notice }).waitFor()
    await details.reload()
    await details.getByRole('status').filter({ hasText: notice }).waitFor()
    for (const page of pages) expect(await page.evaluate('globalThis.isTheSameDocument')).toBe(true)
  },
)
