import { logIn as logInRoute } from '@portal/contracts/auth/http'
import { listNotifications } from '@portal/contracts/notifications/http'
import { chromium, type Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { admin } from '@portal/system-tests/testing/portal-process'
import { browserArguments, desktop, pathOf } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** What becomes of a confirmed send, and of what is typed, when the browser is left, with the service worker active. */
const { portal, openAsAdmin } = setUpJourneys(() => startSamplePortal(2))

const running: { kill(): Promise<void> }[] = []
afterAll(() => Promise.all(running.map((browser) => browser.kill())))

/** A browser of its own, with an admin on the send page, whose service worker controls the page. */
const openBrowser = async () => {
  const { address } = portal()
  const server = await chromium.launchServer({ executablePath: pathOf('shell'), args: browserArguments })
  running.push(server)
  const browser = await chromium.connect(server.wsEndpoint())
  const { data } = await callRoute(address, logInRoute, {
    body: { personalEmail: admin.email, password: admin.password },
  })
  const stored = { user: JSON.stringify(data.user), token: data.token, isLoggedIn: 'true' }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: address,
    viewport: desktop,
    storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
  })
  const page = await context.newPage()
  await page.goto('/admin/notifications')
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  return { server, browser, context, page }
}
type OpenBrowser = Awaited<ReturnType<typeof openBrowser>>

const write = async (page: Page, title: string) => {
  const { email } = portal().learner(1)
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Message' }).fill(`About: ${title}`)
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await page.getByRole('checkbox', { name: new RegExp(email) }).check()
}

const confirm = async (page: Page) => {
  await page.getByRole('button', { name: /^Send to \d/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
}

/** The send of the form on the page. Others of the same admin are shown with their titles. */
const held = (page: Page) => page.getByText(/^Sending to 1 person in \d s$/).waitFor()

const inboxTitles = async () => {
  const { address, learner } = portal()
  const { token } = await logIn(address, learner(1).email, learner(1).password)
  const { notifications } = await callRoute(address, listNotifications, { token, query: { page: 1, limit: 100 } })
  return notifications.map(({ title }) => title)
}

type Way = readonly [name: string, leave: (open: OpenBrowser) => Promise<unknown>]

/** Each begins when the dialog was confirmed. The last ones wait for the answer of the server. */
const ways: readonly Way[] = [
  ['closes the tab while the request is on its way', ({ page }) => page.close()],
  ['leaves for another site while the request is on its way', ({ page }) => page.goto('about:blank')],
  ['reloads while the request is on its way', ({ page }) => page.reload()],
  ['goes to another page of the portal', ({ page }) => page.getByRole('link', { name: 'Programs' }).first().click()],
  ['goes back to what was there before', ({ page }) => page.goBack()],
  ['closes the tab', async ({ page }) => (await held(page), page.close())],
  ['reloads', async ({ page }) => (await held(page), page.reload())],
  ['quits the browser', async ({ page, browser }) => (await held(page), browser.close())],
  ['kills the browser', async ({ page, server }) => (await held(page), server.kill())],
  ['crashes the tab', async ({ page }) => (await held(page), page.goto('chrome://crash').catch(() => undefined))],
  [
    'freezes the tab, as a phone does',
    async ({ page, context }) => {
      await held(page)
      const session = await context.newCDPSession(page)
      await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    },
  ],
  [
    'sleeps, as a closed laptop',
    async ({ page, server }) => {
      await held(page)
      const { pid } = server.process()
      // Not by `kill` of the process: Playwright would take it for ended, and leave it.
      if (pid !== undefined) process.kill(pid, 'SIGSTOP')
    },
  ],
  ['loses the network', async ({ page, context }) => (await held(page), context.setOffline(true))],
  [
    'logs out',
    async ({ page }) => {
      await held(page)
      await page.getByRole('banner').locator('button[aria-haspopup="dialog"]').click()
      await page.getByRole('button', { name: 'Logout' }).click()
      await page
        .getByRole('dialog', { name: /logout/ })
        .getByRole('button', { name: 'Logout' })
        .click()
    },
  ],
]

test(
  'a confirmed send is taken back in another tab, and a reload finds what is typed',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin('/admin/notifications')
    await write(page, 'Taken back')
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Taken back')
    await expect(page.getByRole('button', { name: 'Send to 1 user' })).toBeVisible()
    const other = await page.context().newPage()
    await other.goto('/admin/programs')
    await confirm(page)
    await held(page)
    const inOther = other.getByRole('group', { name: 'Sending' }).filter({ hasText: 'Taken back' })
    await inOther.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('group', { name: 'Sending' }).waitFor({ state: 'detached' })
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Taken back')
    expect(await inboxTitles()).not.toContain('Taken back')
  },
)

test('a confirmed send arrives once, however its browser is left', { timeout: 300_000 }, async () => {
  for (const [name, leave] of ways) {
    const open = await openBrowser()
    await write(open.page, name)
    const isOnItsWay = open.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/held'),
    )
    await confirm(open.page)
    await isOnItsWay
    await leave(open)
  }
  await expect
    .poll(async () => (await inboxTitles()).filter((title) => ways.some(([name]) => name === title)).toSorted(), {
      timeout: 60_000,
    })
    .toEqual(ways.map(([name]) => name).toSorted())
})
