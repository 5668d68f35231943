import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { sendNotification } from '@portal/contracts/notifications/http'
import { launchBrowser } from './browser.ts'
import { expect } from './expect.ts'

/** Back, Forward and Reload restore the scroll position. The screen is so low that a page of ten rows scrolls. */
const lowPhone = { width: 390, height: 500 }
const sends = 12

let browser: Browser
let portal: PortalProcess
let dataFolder: Awaited<ReturnType<typeof newDataFolder>>
let password: string
let context: BrowserContext
let page: Page

beforeAll(async () => {
  dataFolder = await newDataFolder()
  password = await seedLearners(dataFolder.path, 1)
  portal = await startPortal({ dataDir: dataFolder.path })
  const { token } = await logIn(portal.address, admin.email, admin.password)
  const { userId } = await logIn(portal.address, seededEmail(1), password)
  for (let n = 1; n <= sends; n++) {
    await callRoute(portal.address, sendNotification, {
      token,
      body: { userIds: [userId], title: `Notice ${n}`, message: `Text of notice ${n}`, type: 'General' },
    })
  }
  browser = await launchBrowser()
})
beforeEach(async () => {
  context = await browser.newContext({ viewport: lowPhone, baseURL: portal.address })
  page = await context.newPage()
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(seededEmail(1))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
  await dataFolder?.remove()
})

const row = (n: number) => page.getByRole('link', { name: new RegExp(`Notice ${n}\\b`) }).first()

// Page code is a string, because these files have no DOM types.
const scrolled = () => page.evaluate<number>('window.scrollY')
/** The page stores the position at the scroll event, which comes with the next frame. */
const scrollTo = async (y: number) => {
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('scroll', () => resolve(), { once: true })
    window.scrollTo(0, ${y})
  })`)
  await expect.poll(scrolled).toBe(y)
}
const expectScroll = (y: number) => expect.poll(async () => Math.abs((await scrolled()) - y)).toBeLessThanOrEqual(2)

test('Back restores the position in the list, and Forward opens the notification, each with its title', async () => {
  await page.goto('/notification')
  await row(12).waitFor()
  await expect(page).toHaveTitle(/Notifications/)
  await scrollTo(300)
  await row(6).scrollIntoViewIfNeeded()
  const place = await scrolled()
  await row(6).click()
  await page.getByText('Text of notice 6').waitFor()
  await expectScroll(0)
  // The notification is so short that the scroll position is 0 before the focus moves.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')

  await page.goBack()
  await row(12).waitFor()
  expect(place).toBeGreaterThan(100)
  await expectScroll(place)
  await page.goForward()
  await page.getByText('Text of notice 6').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Notification Details' }).waitFor()
})

test('a reload keeps the page of the list and the scroll position', async () => {
  await page.goto('/notification?page=2')
  await page.getByText('Showing 11 to 12 of 12 notifications').waitFor()
  await page.reload()
  await page.getByText('Showing 11 to 12 of 12 notifications').waitFor()
  await expect(page).toHaveURL('/notification?page=2')

  await page.goto('/notification')
  await row(12).waitFor()
  await scrollTo(200)
  await page.reload()
  await row(12).waitFor()
  await expectScroll(200)
})

test('another address in the same window starts at the top', async () => {
  await page.goto('/notification')
  await row(12).waitFor()
  await scrollTo(300)
  await page.goto('/home')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await scrolled()).toBe(0)
})

test('a toast is below the title and never covers the bottom bar', async () => {
  await page.goto('/notification')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  const toast = await page.getByRole('status').filter({ hasText: 'All notifications marked as read' }).boundingBox()
  const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  const title = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(toast && bar && toast.y + toast.height < bar.y).toBe(true)
  const isBelow = toast && title && toast.y >= title.y + title.height && toast.y < title.y + title.height + 40
  expect(isBelow && toast.x + toast.width > lowPhone.width - 40).toBe(true)
})
