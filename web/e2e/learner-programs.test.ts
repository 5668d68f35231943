import {
  createProgram,
  enrollInProgram,
  listPrograms,
  removeProgram,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { fitsViewportWidth } from './admin-journeys.ts'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { delayRequests, setUpJourneys } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpJourneys(() => startSamplePortal(8))
const { portal, newContext, open } = journeys

/** In the sample, the first learner is enrolled in one program, the second in two, and these in none. */
const notEnrolled = 4
const alsoNotEnrolled = 5

let adminToken: string
beforeAll(async () => {
  const { address, admin } = portal()
  adminToken = (await logIn(address, admin.email, admin.password)).token
})

const openAsLearner = (n: number, path = '/my-program', viewport?: typeof desktop): Promise<Page> =>
  openSignedIn(journeys, portal().learner(n), path, viewport)

const enrolled = (page: Page) => page.getByRole('region', { name: 'Enrolled programs' })
const others = (page: Page) => page.getByRole('region', { name: 'Other Minor Programs' })
const addProgram = async (programName: string) => {
  const { data } = await callRoute(portal().address, createProgram, { token: adminToken, body: { programName } })
  return data
}

/** The landing page renders its sections when they come near the viewport. */
const goToPrograms = (page: Page) => page.locator('#programs').scrollIntoViewIfNeeded()

const programsRoute = /^\/allprograms$/
const enrollmentsRoute = /^\/user\/my-programs$/

describe('my programs', () => {
  test(
    '[P-5] lists enrolled programs above the others, each with a link to its details',
    { tags: ['essential'] },
    async () => {
      const page = await openAsLearner(2)
      await page.getByRole('heading', { level: 1, name: 'My Programs' }).waitFor()
      await enrolled(page).getByRole('link').nth(1).waitFor()
      await others(page).getByRole('link').nth(1).waitFor()
      await expect(enrolled(page).getByRole('link')).toHaveCount(2)
      await expect(others(page).getByRole('link')).toHaveCount(2)

      const own = enrolled(page).getByRole('link').first()
      const progress = own.getByRole('progressbar', { name: 'Semester 1' })
      await expect(progress).toHaveAttribute('aria-valuenow', '33')
      await own.getByText('33%').waitFor()
      await own.click()
      await page.waitForURL('**/program-details-active/*')
      await page.getByRole('button', { name: 'Continue Learning' }).waitFor()
      await page.getByRole('link', { name: 'Back to My Programs' }).click()
      await page.waitForURL('**/my-program')

      const other = others(page).getByRole('link').first()
      await other.getByText('3 semesters').waitFor()
      await other.getByText('₹45,000').waitFor()
      await other.click()
      await page.waitForURL('**/program-details-inactives/*')
      await page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' }).waitFor()
    },
  )

  test('[P-6] has a text for a learner without programs, and one for a learner enrolled in all programs', async () => {
    const { address, learner } = portal()
    const page = await openAsLearner(notEnrolled)
    await page.getByText('You are not enrolled in any program yet').waitFor()
    await others(page).getByRole('link').nth(3).waitFor()

    const { token } = await logIn(address, learner(6).email, learner(6).password)
    for (const { _id: id } of await callRoute(address, listPrograms)) {
      await callRoute(address, enrollInProgram, { token, params: { id } })
    }
    const inAll = await openAsLearner(6)
    await inAll.getByText('No programs found. Please check back later.').waitFor()
    await expect(enrolled(inAll).getByRole('link')).toHaveCount(4)
  })

  test.each([
    ['phone', undefined],
    ['desktop', desktop],
  ])('does not shift its layout on a slow network, on a %s', async (_, viewport) => {
    const page = await openAsLearner(1, '/payment', viewport)
    const releaseOffer = await delayRequests(page, programsRoute)
    const releaseEnrollments = await delayRequests(page, enrollmentsRoute)
    await page.goto('/my-program')
    await page.getByRole('status', { name: 'Loading your programs' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'My Programs' }).waitFor()
    releaseEnrollments()
    await enrolled(page).getByRole('link').waitFor()
    await page.getByRole('status', { name: 'Loading programs' }).waitFor()
    releaseOffer()
    await others(page).getByRole('link').nth(2).waitFor()
    expect(await layoutShifts(page)).toEqual([])
  })
})

describe('the landing page', () => {
  test.each([320, 360])('fits a phone %i px wide', async (width) => {
    const page = await open(await newContext({ width, height: 640 }), '/home')
    const wayIn = await page.getByRole('banner').getByRole('link', { name: 'Login' }).boundingBox()
    expect(wayIn?.height).toBe(44)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Up' })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveCount(1)
    await goToPrograms(page)
    await page.getByRole('link', { name: /Minor in Artificial Intelligence/ }).waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
  })
})

describe('changes by an admin on an open page', () => {
  test('add, rename and remove a program', { tags: ['essential'] }, async () => {
    const { address } = portal()
    const home = await openAsLearner(notEnrolled, '/home#about-minor')
    await goToPrograms(home)
    const pages = [await openAsLearner(1), home]
    for (const page of pages) {
      await page.getByRole('link', { name: /Minor in Artificial Intelligence/ }).waitFor()
      await page.evaluate('globalThis.isTheSameDocument = true')
    }
    const inAll = (name: string) => pages.map((page) => page.getByRole('link', { name: new RegExp(name) }))

    const program = await addProgram('Minor in Quantum Computing')
    await Promise.all(inAll('Minor in Quantum Computing').map((card) => card.waitFor()))
    await callRoute(address, updateProgram, {
      token: adminToken,
      params: { id: program._id },
      body: { ...program, programName: 'Minor in Quantum Engineering' },
    })
    await Promise.all(inAll('Minor in Quantum Engineering').map((card) => card.waitFor()))
    for (const card of inAll('Minor in Quantum Computing')) await expect(card).toHaveCount(0)
    await callRoute(address, removeProgram, { token: adminToken, params: { id: program._id } })
    await Promise.all(inAll('Minor in Quantum Engineering').map((card) => card.waitFor({ state: 'detached' })))
    for (const page of pages) expect(await page.evaluate('globalThis.isTheSameDocument')).toBe(true)
  })

  test('update open details, which say when the program is removed', async () => {
    const { address } = portal()
    const program = await addProgram('Minor in Robotics')
    const page = await openAsLearner(notEnrolled, `/program-details-inactives/${program._id}`)
    await page.getByRole('heading', { level: 2, name: 'Minor in Robotics' }).waitFor()
    const params = { id: program._id }
    await callRoute(address, updateProgram, {
      token: adminToken,
      params,
      body: { ...program, detail: 'Machines that move.', enrollmentDetails: { fee: '1500' } },
    })
    await page.getByText('Machines that move.').waitFor()
    await page.getByRole('link', { name: 'Pay ₹1,500 & Register Now' }).waitFor()
    await callRoute(address, removeProgram, { token: adminToken, params })
    await page.getByRole('alert').getByText('Program not found').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'My Programs', exact: true }).click()
    await page.waitForURL('**/my-program')
  })

  test('leave enrolled learners a record of a removed program', async () => {
    const { address, learner } = portal()
    const program = await addProgram('Minor in Bookbinding')
    const params = { id: program._id }
    const { token } = await logIn(address, learner(alsoNotEnrolled).email, learner(alsoNotEnrolled).password)
    await callRoute(address, enrollInProgram, { token, params })
    const list = await openAsLearner(alsoNotEnrolled)
    const details = await openAsLearner(alsoNotEnrolled, `/program-details-active/${program._id}`)
    const card = enrolled(list).getByRole('link', { name: /Minor in Bookbinding/ })
    await card.waitFor()
    await details.getByRole('heading', { level: 2, name: 'Minor in Bookbinding' }).waitFor()

    await callRoute(address, removeProgram, { token: adminToken, params })
    await card.getByText('Withdrawn').waitFor()
    const notice = /^Withdrawn on .+ Read-only copy of this program\.$/
    await details.getByRole('status').filter({ hasText: notice }).waitFor()
    await details.reload()
    await details.getByRole('heading', { level: 2, name: 'Minor in Bookbinding' }).waitFor()
    await details.getByRole('status').filter({ hasText: notice }).waitFor()
  })

  test('show learners and visitors an empty state after the last program is removed', async () => {
    const { address } = portal()
    const page = await openAsLearner(notEnrolled)
    const visitor = await open(await newContext(), '/home')
    await goToPrograms(visitor)
    await visitor.getByRole('link', { name: /Minor in Artificial Intelligence/ }).waitFor()
    for (const { _id } of await callRoute(address, listPrograms)) {
      await callRoute(address, removeProgram, { token: adminToken, params: { id: _id } })
    }
    await page.getByText('No programs available at the moment.').waitFor()
    await visitor.reload()
    await goToPrograms(visitor)
    await visitor.getByText('No programs available at the moment.').waitFor()
    await expect(others(page).getByRole('link')).toHaveCount(0)
  })
})
