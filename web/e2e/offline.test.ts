import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seededEmail } from '@portal/system-tests/testing/api-client'
import {
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { launchBrowser, phone } from './browser.ts'

/** The installed portal on a phone without a network. */
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

const signIn = async () => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(seededEmail(1))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
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
  test('the portal reloads the current page with a notice, and recovers when the network is back', async () => {
    await signIn()
    await waitForServiceWorker()
    await page.goto('/notification?page=1')
    await page.getByText('No notifications yet.').waitFor()

    const title = page.getByRole('heading', { level: 1, name: 'Notifications' })
    const place = await title.boundingBox()
    await context.setOffline(true)
    await page.getByText(networkErrorMessage).first().waitFor()
    expect(await title.boundingBox()).toEqual(place)
    await page.reload()
    await page.getByText(networkErrorMessage).first().waitFor()
    await title.waitFor()
    expect(new URL(page.url()).pathname).toBe('/notification')

    await context.setOffline(false)
    await page.getByText('No notifications yet.').waitFor()
    await page.getByText(networkErrorMessage).first().waitFor({ state: 'hidden' })
  })

  test('a page opens that was never opened before', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    await page.goto('/register')
    await page.getByText(networkErrorMessage).first().waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Create Account')
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
    expect(await page.getByRole('alert').textContent()).toBe(networkErrorMessage)
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
