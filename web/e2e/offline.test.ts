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

/** The portal is installed on phones, which are in trains and cellars. */
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

// What runs in the page is text here: these files know no page's globals.
const waitForServiceWorker = () => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')

const signIn = async () => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(seededEmail(1))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
}

/** Everything that the worker has kept. */
const cachedPaths = () =>
  page.evaluate<string[]>(`(async () => {
    const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })()`)

const sizeOf = (address: string) =>
  page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(address)}
    await image.decode()
    return image.naturalWidth + 'x' + image.naturalHeight
  })()`)

describe('without a network', () => {
  test('the portal opens where one was, says so, and goes on when it is back', async () => {
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

  test('a page that was never opened opens, too', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    await page.goto('/register')
    await page.getByText(networkErrorMessage).first().waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Create Account')
  })

  test('logging in fails with the words for it', async () => {
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

describe('what is kept', () => {
  test('are the files of the portal, and never what a call has answered', async () => {
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

  test('answers no call, not even one at the address of a page', async () => {
    await page.goto('/login')
    await waitForServiceWorker()
    await context.setOffline(true)
    const outcome = await page.evaluate<string>(
      "fetch('/admin/programs', { headers: { accept: 'application/json' } }).then(() => 'answered', () => 'failed')",
    )
    expect(outcome).toBe('failed')
  })
})

describe('to be installed', () => {
  test('the portal brings a manifest, icons of the sizes it names, and a worker that is asked for anew', async () => {
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
