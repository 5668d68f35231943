import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { launchBrowser, phone } from './browser.ts'
import { expect } from './expect.ts'

/** The installed portal on a phone without a network. */
let browser: Browser
let portal: PortalProcess
let dataFolder: Awaited<ReturnType<typeof newDataFolder>>
let password: string
let context: BrowserContext
let page: Page

beforeAll(async () => {
  dataFolder = await newDataFolder()
  password = await seedLearners(dataFolder.path, 3)
  portal = await startPortal({ dataDir: dataFolder.path })
  browser = await launchBrowser()
})
beforeEach(async () => {
  context = await browser.newContext({ viewport: phone, baseURL: portal.address })
  page = await context.newPage()
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
  await dataFolder?.remove()
})

// Page code is a string, because these files have no DOM types.
const waitForServiceWorker = () => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')

const signIn = async (learner = 1) => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(seededEmail(learner))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
}

/** The paths of all files in the caches. */
const cachedPaths = () =>
  page.evaluate<string[]>(`(async () => {
    const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return cached.flat().map(({ url }) => new URL(url).pathname)
  })()`)

const sizeOf = (address: string) =>
  page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(address)}
    await image.decode()
    return image.naturalWidth + 'x' + image.naturalHeight
  })()`)

describe('without a network', () => {
  test(
    'the portal reloads the current page with a notice, and recovers when the network is back',
    { tags: ['essential'] },
    async () => {
      await signIn()
      await waitForServiceWorker()
      await page.goto('/notification?page=1')
      await page.getByText('No notifications yet.').waitFor()

      const title = page.getByRole('heading', { level: 1, name: 'Notifications' })
      // Its font may make the title wider.
      await page.evaluate('document.fonts.ready.then(() => undefined)')
      const place = await title.boundingBox()
      await context.setOffline(true)
      await page.getByText(networkErrorMessage).first().waitFor()
      expect(await title.boundingBox()).toEqual(place)
      await page.reload()
      await page.getByText(networkErrorMessage).first().waitFor()
      await title.waitFor()
      await expect(page).toHaveURL(({ pathname }) => pathname === '/notification')

      await context.setOffline(false)
      await page.getByText('No notifications yet.').waitFor()
      await page.getByText(networkErrorMessage).first().waitFor({ state: 'hidden' })
    },
  )

  test('a page opens that was never opened before', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    await page.goto('/register')
    await page.getByText(networkErrorMessage).first().waitFor()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create Account')
  })

  test('a login fails with the network error message', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('textbox', { name: 'Email' }).fill(seededEmail(1))
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('alert').waitFor()
    await expect(page.getByRole('alert')).toHaveText(networkErrorMessage)
  })
})

const send = async (learner: number, titles: readonly string[]) => {
  const { address } = portal
  const { token } = await logIn(address, admin.email, admin.password)
  const { userId } = await logIn(address, seededEmail(learner), password)
  for (const title of titles)
    await callRoute(address, sendNotification, {
      token,
      body: { userIds: [userId], title, message: `Text of ${title}`, type: 'General' },
    })
}

const row = (title: string) => page.getByRole('main').getByRole('link', { name: title })
const keptInbox = () => page.evaluate<string | null>("localStorage.getItem('kept_inbox')")

const waitUntilKept = () => expect.poll(keptInbox, 'the inbox is kept').not.toBeNull()

/** Opens the inbox and waits until it is kept on the device. */
const visitInbox = async (title: string) => {
  await waitForServiceWorker()
  await page.goto('/notification')
  await row(title).waitFor()
  await waitUntilKept()
}

describe('the inbox without a network', () => {
  test(
    '[N-32] is shown after a reload as it was last updated, and its notifications open',
    { tags: ['essential'] },
    async () => {
      await send(2, ['Room change', 'Exam on Monday'])
      await signIn(2)
      await visitInbox('Exam on Monday')
      await context.setOffline(true)
      await page.reload()
      await row('Room change').waitFor()
      await page.getByText(networkErrorMessage).first().waitFor()
      await page.getByText(/^Last updated \d/).waitFor()
      await expect(page.getByText('Failed to load')).toHaveCount(0)

      await row('Exam on Monday').click()
      await page.getByText('Text of Exam on Monday').waitFor()
      await page.reload()
      await page.getByText('Text of Exam on Monday').waitFor()
      await page.goto('/home')
      await row('Exam on Monday').waitFor()

      await page.goto('/notification')
      await row('Room change').click()
      await page.getByText('Text of Room change').waitFor()
      await context.setOffline(false)
      await page.getByRole('link', { name: '1 unread Notification' }).waitFor()
      await page.getByRole('link', { name: 'Back to notifications' }).click()
      await row('Exam on Monday').waitFor()
      // The kept list is shown until a slow server answers.
      await page.getByText(/^Last updated/).waitFor({ state: 'hidden' })
    },
  )

  test('[N-33] is removed by a log-out without a network, in all tabs, and another learner sees nothing of it', async () => {
    await send(3, ['For the third learner'])
    await signIn(3)
    await visitInbox('For the third learner')
    const left = (await keptInbox()) ?? ''
    expect(left).not.toBe('')
    expect(Buffer.from(left, 'base64').toString()).not.toContain('third')
    const otherTab = await context.newPage()
    await otherTab.goto('/notification')
    await otherTab.getByText('Text of For the third learner').waitFor()

    await context.setOffline(true)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await otherTab.waitForURL('**/login')
    expect(await keptInbox()).toBeNull()
    await otherTab.close()
    await page.goto('/notification')
    await page.waitForURL('**/login')
    await expect(page.getByText('For the third learner')).toHaveCount(0)

    await context.setOffline(false)
    await signIn(1)
    // The portal has kept the inbox of this learner, and does not write it again without a network.
    await waitUntilKept()
    await context.setOffline(true)
    // As if that of the third learner had not been removed.
    await page.evaluate(`localStorage.setItem('kept_inbox', ${JSON.stringify(left)})`)
    await page.goto('/notification')
    await page.getByText('Failed to load notifications. Please try again later.').waitFor()
    await expect(page.getByText('For the third learner')).toHaveCount(0)
    expect(await keptInbox()).toBeNull()
  })
})

describe('the cache', () => {
  test('contains the static files, and no API responses', async () => {
    await signIn()
    await waitForServiceWorker()
    for (const path of ['/my-program', '/notification', '/profile']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
    }
    const cached = await cachedPaths()
    expect(cached).toContain('/index.html')
    const files = /^\/(index\.html|color-scheme\.js|manifest\.webmanifest|assets\/[^/]+\.(js|css|woff2)|icons\/[^/]+)$/
    expect(cached.filter((address) => !files.test(address))).toEqual([])
  })

  test('does not serve API requests, not even at the address of a page', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    const outcome = await page.evaluate<string>(
      "fetch('/admin/programs', { headers: { accept: 'application/json' } }).then(() => 'answered', () => 'failed')",
    )
    expect(outcome).toBe('failed')
  })
})

describe('the installed app', () => {
  test('has a manifest, icons of the declared sizes, and a worker that is not cached', async () => {
    const manifest = await context.request.get('/manifest.webmanifest')
    expect(manifest.headers()).toMatchObject({
      'content-type': expect.stringContaining('application/manifest+json'),
      'cache-control': 'no-cache',
    })
    const { icons, ...rest } = await manifest.json()
    expect(rest).toMatchObject({ name: 'Minor Programs', start_url: '/home', scope: '/', display: 'standalone' })
    await page.goto('/login')
    for (const { src, sizes } of icons) {
      const size = await sizeOf(src)
      expect([src, size, sizes === 'any' || size]).toEqual([src, size, sizes === 'any' || sizes])
    }
    const worker = await context.request.get('/sw.js')
    expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache' })
    expect(worker.headers()['content-type']).toContain('javascript')
  })
})
