import { countUnread } from '@portal/contracts/notifications/http'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { expect } from './expect.ts'
import { delayRequests, setUpJourneys, blockSocket, mockError, waitForIdle } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpJourneys(() => startSamplePortal(8))
const { portal, newPage, expectConsoleErrors } = journeys

const openAsLearner = (n: number, path = '/profile'): Promise<Page> => openSignedIn(journeys, portal().learner(n), path)
const openTab = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await newPage(context)
  await page.goto(path)
  return page
}

/** A learner of the sample without an enrollment. */
const notEnrolled = 4

const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' })
const logOutRoute = /^\/auth\/logout$/
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' })
const stored = (page: Page) =>
  page.evaluate<unknown>("['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))")

describe('the profile', () => {
  test(
    '[X-4] shows personal data, enrollments and a coming feature, and links to the details',
    { tags: ['essential'] },
    async () => {
      const { email } = portal().learner(1)
      const page = await openAsLearner(1)
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await page.getByText(email, { exact: true }).waitFor()
      const facts = page.getByRole('main').locator('dl > div')
      await expect(facts.locator('dt')).toHaveText(['Student code', 'University', 'Mobile number'])
      await expect(facts.locator('dd')).toHaveText([/^MIN-\d{4}-[A-Z0-9]+$/, /./, /^\d{10}$/])
      const community = page.getByText('My Community')
      await expect(community).toHaveText('My CommunityComing Soon')

      await page.getByRole('link', { name: 'Minor in Artificial Intelligence Semester 1 Fees: Pending' }).click()
      await page.waitForURL(`**/program-details-active/${portal().enrolledProgram}`)
      await page.goBack()
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.waitForURL('**/edit-profile')
      await page.getByRole('link', { name: 'Back to your profile' }).click()
      await page.waitForURL('**/profile')
    },
  )

  test('[X-7] invites a learner without programs to enroll', async () => {
    const page = await openAsLearner(notEnrolled)
    await page.getByText('You are not enrolled in any program yet').waitFor()
    await page.getByRole('link', { name: 'Enroll Now' }).click()
    await page.waitForURL('**/my-program')
  })

  test('allows a logout on a slow network, and does not shift its layout when data arrives', async () => {
    const page = await openAsLearner(2, '/payment')
    const release = await delayRequests(page, /^\/user\//)
    await page.goto('/profile')
    await page.getByRole('status', { name: 'Loading your programs' }).waitFor()
    await page.getByText('My Community').waitFor()
    release()
    await page
      .getByRole('link', { name: /Fees: Pending/ })
      .nth(1)
      .waitFor()
    expect(await layoutShifts(page)).toEqual([])

    // A late socket or count would use the ended session.
    await blockSocket(page)
    const counted = page.waitForResponse((response) => new URL(response.url()).pathname === countUnread.path)
    const releaseAgain = await delayRequests(page, /^\/user\//)
    await page.reload()
    await counted
    await page.getByRole('status', { name: 'Loading your programs' }).waitFor()
    await logOut(page).click()
    await dialog(page).getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    releaseAgain()
  })

  test('[X-26] shows which data cannot be loaded, and keeps the data of the session', async () => {
    expectConsoleErrors(/500/)
    const page = await openAsLearner(1, '/payment')
    await blockSocket(page)
    await mockError(page, /^\/user\/(profile|my-programs)$/, 500, { success: false, message: 'No', code: 'internal' })
    await page.goto('/profile')
    await toasts(page).getByText('Failed to load profile').waitFor()
    await page.getByText(portal().learner(1).email, { exact: true }).waitFor()
    await page.getByRole('alert').getByText('Failed to load programs').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /Fees: Pending/ }).waitFor()
  })
})

describe('logging out', () => {
  test(
    '[X-9] asks for a confirmation, logs out every tab of the browser, and clears its storage',
    { tags: ['essential'] },
    async () => {
      const page = await openAsLearner(3)
      const otherTab = await openTab(page.context(), '/my-program')
      await otherTab.getByRole('heading', { level: 1, name: 'My Programs' }).waitFor()
      for (const tab of [page, otherTab]) await waitForIdle(tab)
      // A background tab renders rarely.
      await page.bringToFront()
      await logOut(page).click()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      await expect(page).toHaveURL('/profile')

      await logOut(page).click()
      await dialog(page).getByRole('button', { name: 'Logout' }).click()
      await page.waitForURL('**/login')
      await otherTab.waitForURL('**/login')
      await expect.poll(() => stored(page)).toEqual([null, null, null])
      await page.goto('/profile')
      await page.waitForURL('**/login')
    },
  )

  test('does not wait for a slow server', async () => {
    const page = await openAsLearner(3)
    await waitForIdle(page)
    const release = await delayRequests(page, logOutRoute)
    const answered = page.waitForResponse((response) => logOutRoute.test(new URL(response.url()).pathname))
    await logOut(page).click()
    await dialog(page).getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await expect.poll(() => stored(page)).toEqual([null, null, null])
    release()
    expect((await answered).status()).toBe(200)
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
  })
})
