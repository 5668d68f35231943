import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { expect } from './expect.ts'
import { delayRequests, setUpJourneys, waitForIdle } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpJourneys(() => startSamplePortal(8))
const { portal, newContext, newPage, signIn, expectConsoleErrors } = journeys

const openAsLearner = (n: number, path = '/edit-profile'): Promise<Page> =>
  openSignedIn(journeys, portal().learner(n), path)

const fullName = (page: Page) => page.getByLabel('Full name')
const currentPassword = (page: Page) => page.getByLabel('Current password', { exact: true })
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })
const confirmPassword = (page: Page) => page.getByLabel('Confirm new password', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: /^(Save|Saving\.\.\.)$/ })
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' })
const saved = (page: Page) => toasts(page).getByText('Profile updated successfully!')

const profileRoutes = /^\/user\/(profile|password)$/
/** Records the requests that save the profile, in order. */
const collectSaves = (page: Page) => {
  const saves: (readonly [string, unknown])[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'PUT' && profileRoutes.test(pathname)) saves.push([pathname, request.postDataJSON()])
  })
  return saves
}

const weakPassword =
  'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.'

describe('the form', () => {
  test('[G-14 X-10] has an editable name, a read-only university and mobile number, and is complete before the server responds', async () => {
    const page = await openAsLearner(1)
    await page.getByRole('heading', { level: 1, name: 'Edit Profile' }).waitFor()
    const release = await delayRequests(page, profileRoutes)
    await page.reload()
    for (const label of ['University', 'Mobile number']) {
      await expect(page.getByLabel(label)).not.toBeEditable()
      await expect(page.getByLabel(label)).not.toHaveValue('')
    }
    await expect(fullName(page)).toBeEditable()
    await page.getByRole('group', { name: 'Change password' }).waitFor()
    release()
    await page.waitForLoadState('networkidle')
    expect(await layoutShifts(page)).toEqual([])
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/profile')
  })

  test('[X-16] shows a message at each invalid field until it is edited, and sends nothing', async () => {
    const page = await openAsLearner(1)
    const saves = collectSaves(page)
    await fullName(page).fill('   ')
    await save(page).click()
    await page.getByText('Name is required').waitFor()
    await fullName(page).fill('Aditi Bose')
    await page.getByText('Name is required').waitFor({ state: 'detached' })

    // Filling in one password field requires all three.
    await confirmPassword(page).fill('Haystack-2026')
    await save(page).click()
    await page.getByText('Please enter your current password.').waitFor()
    await page.getByText('Please enter a new password.').waitFor()
    await currentPassword(page).fill('whatever it is')
    await page.getByText('Please enter your current password.').waitFor({ state: 'detached' })
    await newPassword(page).fill('harvest-2026')
    await save(page).click()
    await page.getByText(weakPassword).waitFor()
    await newPassword(page).fill('Haystack-2027')
    await page.getByText(weakPassword).waitFor({ state: 'detached' })
    await save(page).click()
    await page.getByText("Passwords don't match!").waitFor()
    await newPassword(page).fill('Haystack-2026')
    await page.getByText("Passwords don't match!").waitFor({ state: 'detached' })
    expect(saves).toEqual([])
  })
})

describe('saving', () => {
  test(
    '[X-12] sends only the name, once, updates the other tab, and returns to the profile after a second',
    { tags: ['essential'] },
    async () => {
      const page = await openAsLearner(2)
      const otherTab = await newPage(page.context())
      await otherTab.goto('/profile')
      await otherTab.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      // A background tab renders rarely.
      await page.bringToFront()
      const saves = collectSaves(page)
      const release = await delayRequests(page, profileRoutes)
      await fullName(page).fill('Ishani Rao')
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 10_000)
      await save(page).dblclick()
      await page.getByRole('button', { name: 'Saving...', disabled: true }).waitFor()
      release()
      await saved(page).waitFor()
      expect(saves).toEqual([['/user/profile', { fullName: 'Ishani Rao' }]])
      await otherTab.getByRole('heading', { level: 2, name: 'Ishani Rao' }).waitFor()

      await page.clock.runFor(999)
      await expect(page).toHaveURL('/edit-profile')
      await page.clock.runFor(1)
      await page.waitForURL('**/profile')
      await page.clock.resume()
      await page.getByRole('heading', { level: 2, name: 'Ishani Rao' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { level: 2, name: 'Ishani Rao' }).waitFor()
    },
  )

  test('[X-25] ends the sessions of other browsers after a password change, and keeps this one', async () => {
    const { email, password } = portal().learner(3)
    const page = await openAsLearner(3)
    const elsewhere = await openAsLearner(3, '/my-program')
    await elsewhere.getByRole('heading', { level: 1, name: 'My Programs' }).waitFor()
    await waitForIdle(elsewhere)
    await page.bringToFront()
    await currentPassword(page).fill(password)
    await newPassword(page).fill('Haystack-2026')
    await confirmPassword(page).fill('Haystack-2026')
    await save(page).click()
    await saved(page).waitFor()
    await elsewhere.waitForURL('**/login')
    await elsewhere.getByText('Your session has ended. Please log in again.').waitFor()

    await page.waitForURL('**/profile')
    await page.reload()
    await page.getByText(email, { exact: true }).waitFor()
    await page.getByRole('link', { name: /Notification/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await signIn(await newContext(), email, 'Haystack-2026')
  })

  test('shows a wrong current password at its field, and says that the name was saved', async () => {
    expectConsoleErrors(/400|422/)
    const page = await openAsLearner(4)
    const saves = collectSaves(page)
    await fullName(page).fill('Kabir Sen')
    await currentPassword(page).fill('Not-the-one-1')
    await newPassword(page).fill('Haystack-2026')
    await confirmPassword(page).fill('Haystack-2026')
    await save(page).click()
    await page.getByText('Your current password is incorrect', { exact: true }).waitFor()
    await toasts(page)
      .getByText('Your name is saved, your password is not: Your current password is incorrect')
      .waitFor()
    expect(saves).toEqual([
      ['/user/profile', { fullName: 'Kabir Sen' }],
      ['/user/password', { currentPassword: 'Not-the-one-1', newPassword: 'Haystack-2026' }],
    ])
    await expect(page).toHaveURL('/edit-profile')
    await page.goto('/profile')
    await page.getByRole('heading', { level: 2, name: 'Kabir Sen' }).waitFor()
  })
})
