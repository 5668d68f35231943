import { changePassword } from '@portal/contracts/auth/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { expect } from './expect.ts'
import { type Account, logOut, noSession, setUpJourneys, storedSession, waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'
import { fillLogin } from './screens.ts'

/** The profile of a learner, and sessions that start and end in all tabs of a browser. */
const { portal, newContext, newPage, open, openAs, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(4))

/** Two tabs of one browser. The first is in front: a background tab renders rarely. */
const openTwoTabs = async (account: Account, firstPath: string, secondPath: string) => {
  const first = await openAs(account, firstPath)
  const second = await newPage(first.context())
  await second.goto(secondPath)
  for (const tab of [first, second]) {
    await tab.getByRole('heading', { level: 1 }).first().waitFor()
    await waitForIdle(tab)
  }
  await first.bringToFront()
  return [first, second] as const
}
const name = (page: Page, text: string) => page.getByRole('heading', { level: 2, name: text })
const sessionEnded = (page: Page) => page.getByText('Your session has ended. Please log in again.')

describe('the profile', () => {
  test('[X-4] shows personal data and enrollments, and links to the details', { tags: ['essential'] }, async () => {
    const { email } = portal().learner(1)
    const page = await openAs(portal().learner(1), '/profile')
    await page.getByText(email, { exact: true }).waitFor()
    const facts = page.getByRole('main').locator('dl > div dd')
    await expect(facts).toHaveText([/^MIN-\d{4}-[A-Z0-9]+$/, /./, /^\d{10}$/, 'English'])
    await page.getByRole('link', { name: 'Minor in Artificial Intelligence Semester 1 Fees: Pending' }).click()
    await page.waitForURL(`**/program-details-active/${portal().enrolledProgram}`)
  })

  test('[X-12] sends a new name once, and shows it in the other tab', { tags: ['essential'] }, async () => {
    const [page, otherTab] = await openTwoTabs(portal().learner(2), '/profile', '/profile')
    const saves: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') saves.push([new URL(request.url()).pathname, request.postDataJSON()])
    })
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.waitForURL('**/edit-profile')
    await page.getByLabel('Full name').fill('Ishani Rao')
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByRole('region', { name: 'Messages' }).getByText('Profile updated successfully!').waitFor()
    expect(saves).toEqual([['/user/profile', { fullName: 'Ishani Rao' }]])
    await page.waitForURL('**/profile')
    await name(otherTab, 'Ishani Rao').waitFor()
    await page.reload()
    await name(page, 'Ishani Rao').waitFor()
  })
})

test(
  '[X-36 X-37] a learner chooses by keyboard what is pushed, and quiet hours, which stay after a reload',
  { tags: ['essential'] },
  async () => {
    const page = await openAs(portal().learner(3), '/profile')
    await page.getByRole('link', { name: 'Notification settings' }).press('Enter')
    const exams = page.getByRole('checkbox', { name: 'Exam: Push' })
    const quiet = page.getByRole('checkbox', { name: 'Hold pushes during quiet hours' })
    const from = page.getByRole('combobox', { name: 'From' })
    await page.getByText('Email is off, because this portal has no mail server.').waitFor()
    await exams.press('Space')
    await quiet.press('Space')
    await from.press('Enter')
    const saved = page.waitForResponse((response) => response.request().postData()?.includes('"21:30"') === true)
    await page.getByRole('option', { name: '10:00 PM' }).press('ArrowUp')
    await page.keyboard.press('Enter')
    expect((await saved).status()).toBe(200)
    await page.reload()
    await expect(from).toHaveText('9:30 PM')
    await expect(exams).not.toBeChecked()
    await expect(quiet).toBeChecked()
  },
)

describe('a log-out', () => {
  test(
    '[X-9] asks for a confirmation, ends the session in every tab, and Back does not show the page',
    { tags: ['essential'] },
    async () => {
      const [page, otherTab] = await openTwoTabs(portal().learner(3), '/my-program', '/notification')
      await page.getByRole('link', { name: 'Profile' }).click()
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect(page).toHaveURL('/profile')
      await waitForIdle(page)
      await logOut(page)
      for (const tab of [page, otherTab]) {
        await tab.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
        await expect(tab).toHaveURL('/login')
        await expect(sessionEnded(tab)).toBeHidden()
      }
      expect(await storedSession(page)).toEqual(noSession)
      await page.goBack()
      await page.waitForURL('**/login')
      await otherTab.reload()
      await otherTab.waitForURL('**/login')
    },
  )

  test('without a network ends the session at once, and on the server when the network is back', async () => {
    expectConsoleErrors(/net::ERR_|WebSocket/)
    const page = await open(await newContext(), '/login')
    await fillLogin(page, portal().learner(1))
    await page.waitForURL('**/home')
    await page.goto('/profile')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await waitForIdle(page)
    const [, token] = await storedSession(page)
    const sessionCookie = async () =>
      (await page.context().cookies()).find(({ name: cookie }) => cookie.endsWith('portal_session'))
    expect(await sessionCookie()).toBeDefined()
    await page.context().setOffline(true)
    await logOut(page)
    await expect(page).toHaveURL('/login')
    expect(await storedSession(page)).toEqual(noSession)
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth/logout')
    await page.context().setOffline(false)
    expect((await answer).status()).toBe(200)
    expect(await sessionCookie()).toBeUndefined()
    const rejected = await fetch(`${portal().address}/user/profile`, { headers: { authorization: `Bearer ${token}` } })
    expect(rejected.status).toBe(401)
  })
})

describe('a login', () => {
  test('leads to the address and query that required it, and Back does not return to the form', async () => {
    const page = await open(await newContext(), '/home')
    await page.goto('/notification?type=Exam')
    await page.waitForURL('**/login')
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
    await expect(sessionEnded(page)).toBeHidden()
    await page.reload()
    await fillLogin(page, portal().learner(1))
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await expect(page).toHaveURL('/notification?type=Exam')
    await page.goBack()
    await page.waitForURL('**/home')
  })

  test('restores all tabs, which a password change elsewhere has logged out', { tags: ['essential'] }, async () => {
    const reader = portal().learner(4)
    const [first, second] = await openTwoTabs(reader, '/my-program', '/profile')
    const { token } = await logIn(portal().address, reader.email, reader.password)
    const password = 'Haystack-2026'
    const body = { currentPassword: reader.password, newPassword: password }
    await callRoute(portal().address, changePassword, { token, body })
    for (const tab of [first, second]) {
      await tab.waitForURL('**/login')
      await sessionEnded(tab).waitFor()
    }
    await fillLogin(first, { email: reader.email, password })
    await first.waitForURL('**/my-program')
    await second.waitForURL('**/profile')
    await second.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  })
})
