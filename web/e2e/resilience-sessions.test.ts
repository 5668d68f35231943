import { changePassword, logOut } from '@portal/contracts/auth/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import { admin, newDataFolder, seedLearners, startPortal } from '@portal/system-tests/testing/portal-process'
import { expect } from './expect.ts'
import { type Account, setUpJourneys, waitForIdle } from './journeys.ts'

/** Sessions start and end in all tabs of a browser. A login leads back to the page that required it. */
const { portal, newContext, open, signIn, expectConsoleErrors } = setUpJourneys(async () => {
  const dataFolder = await newDataFolder()
  const password = await seedLearners(dataFolder.path, 3)
  const { address, stop } = await startPortal({ dataDir: dataFolder.path })
  const learner = (n: number): Account => ({ email: seededEmail(n), password })
  const { token } = await logIn(address, admin.email, admin.password)
  const readers = await Promise.all([1, 2, 3].map((n) => logIn(address, learner(n).email, password)))
  // Fills a second page of the list.
  for (let n = 1; n <= 11; n++) {
    const userIds = readers.map(({ userId }) => userId)
    const body = { userIds, title: `Notice ${n}`, message: 'Please read.', type: 'General' } as const
    await callRoute(address, sendNotification, { token, body })
  }
  return {
    address,
    dataDir: dataFolder.path,
    learner,
    stop: async () => {
      await stop()
      await dataFolder.remove()
    },
  }
})

const secondPage = '/notification?page=2'
const expectSecondPage = async (page: Page) => {
  await page.getByText('Showing 11 to 11 of 11 notifications').waitFor()
  await expect(page).toHaveURL(secondPage)
}
const sessionEnded = (page: Page) => page.getByText('Your session has ended. Please log in again.')

// Page code is a string, because these files have no DOM types.
const storedToken = (page: Page) => page.evaluate<string>("localStorage.getItem('token')")
const storedSession = (page: Page) =>
  page.evaluate<(string | null)[]>("['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))")

const submitLogin = async (page: Page, { email, password }: Account) => {
  await page.waitForURL('**/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}
const confirmLogOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
}
const signInAndOpen = async ({ email, password }: Account, path: string): Promise<Page> => {
  const page = await signIn(await newContext(), email, password)
  await page.waitForURL('**/home')
  await page.goto(path)
  return page
}
/** Opens two tabs in one browser. */
const openTwoTabs = async (account: Account, firstPath: string, secondPath: string) => {
  const first = await signInAndOpen(account, firstPath)
  return [first, await open(first.context(), secondPath)] as const
}

describe('a link to a protected page', () => {
  test('leads through the login to its address and query, and Back does not return to the form', async () => {
    const page = await open(await newContext(), '/home')
    await page.goto(secondPage)
    await page.waitForURL('**/login')
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
    await expect(sessionEnded(page)).toBeHidden()
    await page.reload()
    await submitLogin(page, portal().learner(1))
    await expectSecondPage(page)
    await page.goBack()
    await page.waitForURL('**/home')
  })

  test('does not open for another role', async () => {
    const page = await open(await newContext(), secondPage)
    await submitLogin(page, admin)
    await page.waitForURL('**/admin/dashboard')
  })
})

describe('an ended session', () => {
  test('leads back to the page after a login, if it ended while the tab was closed', async () => {
    const page = await signInAndOpen(portal().learner(1), secondPage)
    await expectSecondPage(page)
    const token = await storedToken(page)
    await page.goto('about:blank')
    await callRoute(portal().address, logOut, { token })

    expectConsoleErrors(/status of 401/)
    await page.goto(secondPage)
    await sessionEnded(page).waitFor()
    expect(await storedSession(page)).toEqual([null, null, null])
    await submitLogin(page, portal().learner(1))
    await expectSecondPage(page)
  })

  test(
    'ends in every tab after a password change elsewhere, and one login restores all tabs',
    { tags: ['essential'] },
    async () => {
      const reader = portal().learner(2)
      const [first, second] = await openTwoTabs(reader, secondPage, '/profile')
      await expectSecondPage(first)
      await second.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      for (const tab of [first, second]) await waitForIdle(tab)
      const elsewhere = await logIn(portal().address, reader.email, reader.password)
      const newPassword = 'Haystack-2026'
      await callRoute(portal().address, changePassword, {
        token: elsewhere.token,
        body: { currentPassword: reader.password, newPassword },
      })

      for (const tab of [first, second]) {
        await tab.waitForURL('**/login')
        await sessionEnded(tab).waitFor()
      }
      await submitLogin(first, { ...reader, password: newPassword })
      await expectSecondPage(first)
      await second.waitForURL('**/profile')
      await second.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    },
  )
})

describe('a logout without a network', () => {
  test('ends the session locally at once, and on the server when the network is back', async () => {
    expectConsoleErrors(/net::ERR_|WebSocket/)
    const page = await signInAndOpen(portal().learner(1), '/profile')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await waitForIdle(page)
    const token = await storedToken(page)
    const sessionCookie = async () =>
      (await page.context().cookies()).find(({ name }) => name.endsWith('portal_session'))
    expect(await sessionCookie()).toBeDefined()
    await page.context().setOffline(true)
    await confirmLogOut(page)
    await expect(page).toHaveURL('/login')
    expect(await storedSession(page)).toEqual([null, null, null])
    const logOutResponse = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth/logout')
    await page.context().setOffline(false)
    expect((await logOutResponse).status()).toBe(200)
    expect(await sessionCookie()).toBeUndefined()
    const rejected = await fetch(`${portal().address}/user/profile`, { headers: { authorization: `Bearer ${token}` } })
    expect(rejected.status).toBe(401)
  })
})

describe('two tabs', () => {
  test('are logged out together, and neither Back nor a reload shows the old page', async () => {
    const [first, second] = await openTwoTabs(portal().learner(1), '/profile', secondPage)
    await expectSecondPage(second)
    for (const tab of [first, second]) await waitForIdle(tab)
    await confirmLogOut(first)
    for (const tab of [first, second]) {
      await tab.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
      await expect(tab).toHaveURL('/login')
      await expect(sessionEnded(tab)).toBeHidden()
      expect(await storedSession(tab)).toEqual([null, null, null])
    }
    // The history still has the landing page, which is public.
    await first.goBack()
    await first.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()
    await second.reload()
    await second.waitForURL('**/login')
    await second.goto('/profile')
    await second.waitForURL('**/login')
  })

  test('are logged in together: the login page redirects, and the landing page greets the user', async () => {
    const context = await newContext()
    const visitor = await open(context, '/home')
    await visitor.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()
    const waiting = await open(context, secondPage)
    // The address changes before the login page is there, which remembers the page to return to.
    await waiting.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
    const { email, password } = portal().learner(1)
    await signIn(context, email, password)
    await expectSecondPage(waiting)
    await visitor.getByRole('heading', { level: 1, name: /^Good (morning|afternoon|evening), / }).waitFor()
    await visitor.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor({ state: 'hidden' })
  })

  test('show the same name after one of them changes it', async () => {
    const [first, second] = await openTwoTabs(portal().learner(3), '/edit-profile', '/profile')
    await second.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await first.getByLabel('Full name').fill('Bhavna Rao')
    await first.getByRole('button', { name: 'Save' }).click()
    await first.getByText('Profile updated successfully!').waitFor()
    await second.getByRole('heading', { name: 'Bhavna Rao' }).waitFor()
    await first.waitForURL('**/profile')
    await first.getByRole('heading', { name: 'Bhavna Rao' }).waitFor()
  })

  test('switch to another user who logs in on the same device', async () => {
    const [first, second] = await openTwoTabs(portal().learner(1), '/profile', '/profile')
    const waitForEmail = (page: Page, { email }: Account) => page.getByText(email, { exact: true }).waitFor()
    await waitForEmail(second, portal().learner(1))
    for (const tab of [first, second]) await waitForIdle(tab)
    await confirmLogOut(first)
    await second.waitForURL('**/login')
    await submitLogin(first, portal().learner(3))
    await first.waitForURL('**/home')
    await expect(second).not.toHaveURL('/login')
    await second.goto('/profile')
    await waitForEmail(second, portal().learner(3))
    await first.goto('/profile')
    await waitForEmail(first, portal().learner(3))
  })
})
