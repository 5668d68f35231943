import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'
import { fillLogin } from './screens.ts'

/** The installed portal on a phone without a network. */
const { portal, newContext, open, send, expectConsoleErrors } = setUpJourneys(() => startLearnersPortal(2))

const lostNetwork = /net::ERR_|WebSocket|Failed to fetch|dynamically imported module/

/** Opens a page whose service worker is ready. */
const openInstalled = async (path: string): Promise<Page> => {
  expectConsoleErrors(lostNetwork)
  const page = await open(await newContext(phone, 'allow'), path)
  // Page code is a string, because these files have no DOM types.
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  return page
}
const openSignedIn = async (learner: number): Promise<Page> => {
  const page = await openInstalled('/login')
  await fillLogin(page, portal().learner(learner))
  await page.waitForURL('**/home')
  return page
}
const offlineNotice = (page: Page) => page.getByText(networkErrorMessage).first()

describe('without a network', () => {
  test(
    'the portal reloads the current page with a notice, and recovers when the network is back',
    { tags: ['essential'] },
    async () => {
      const page = await openSignedIn(1)
      await page.goto('/notification?page=1')
      await page.getByText('No notifications yet.').waitFor()
      const title = page.getByRole('heading', { level: 1, name: 'Notifications' })
      // Its font may make the title wider.
      await page.evaluate('document.fonts.ready.then(() => undefined)')
      const place = await title.boundingBox()
      await page.context().setOffline(true)
      await offlineNotice(page).waitFor()
      expect(await title.boundingBox()).toEqual(place)
      await page.reload()
      await offlineNotice(page).waitFor()
      await title.waitFor()
      await expect(page).toHaveURL(({ pathname }) => pathname === '/notification')

      await page.context().setOffline(false)
      await page.getByText('No notifications yet.').waitFor()
      await offlineNotice(page).waitFor({ state: 'hidden' })
    },
  )

  test('a page opens that was never opened before', async () => {
    const page = await openInstalled('/login')
    await page.context().setOffline(true)
    await page.goto('/register')
    await offlineNotice(page).waitFor()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create Account')
  })

  test(
    '[N-32] the inbox is shown after a reload as it was last updated, and its notifications open',
    { tags: ['essential'] },
    async () => {
      await send([portal().learner(2)], { title: 'Room change' }, { title: 'Exam on Monday' })
      const page = await openSignedIn(2)
      const row = (title: string) => page.getByRole('main').getByRole('link', { name: title })
      await page.goto('/notification')
      await row('Exam on Monday').waitFor()
      await expect.poll(() => page.evaluate("localStorage.getItem('kept_inbox')")).not.toBeNull()
      await page.context().setOffline(true)
      await page.reload()
      await row('Room change').waitFor()
      await offlineNotice(page).waitFor()
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
      await page.context().setOffline(false)
      await page.getByRole('link', { name: '1 unread Notification' }).waitFor()
      await page.getByRole('link', { name: 'Back to notifications' }).click()
      await row('Exam on Monday').waitFor()
      // The kept list is shown until a slow server answers.
      await page.getByText(/^Last updated/).waitFor({ state: 'hidden' })
    },
  )
})

test('the cache contains the static files and no API responses, which it serves not even at the address of a page', async () => {
  const page = await openSignedIn(1)
  for (const path of ['/my-program', '/notification', '/profile']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  const cached = await page.evaluate<string[]>(`(async () => {
    const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return cached.flat().map(({ url }) => new URL(url).pathname)
  })()`)
  expect(cached).toContain('/index.html')
  const files = /^\/(index\.html|color-scheme\.js|manifest\.webmanifest|assets\/[^/]+\.(js|css|woff2)|icons\/[^/]+)$/
  expect(cached.filter((address) => !files.test(address))).toEqual([])

  await page.context().setOffline(true)
  const outcome = await page.evaluate<string>(
    "fetch('/admin/programs', { headers: { accept: 'application/json' } }).then(() => 'answered', () => 'failed')",
  )
  expect(outcome).toBe('failed')
})

test('the installed app has a manifest, icons of the declared sizes, and a worker that is not cached', async () => {
  const page = await open(await newContext(), '/login')
  const manifest = await page.request.get('/manifest.webmanifest')
  expect(manifest.headers()).toMatchObject({
    'content-type': expect.stringContaining('application/manifest+json'),
    'cache-control': 'no-cache',
  })
  const { icons, ...rest } = await manifest.json()
  expect(rest).toMatchObject({ name: 'Minor Programs', start_url: '/home', scope: '/', display: 'standalone' })
  for (const { src, sizes } of icons) {
    const size = await page.evaluate<string>(`(async () => {
      const image = new Image()
      image.src = ${JSON.stringify(src)}
      await image.decode()
      return image.naturalWidth + 'x' + image.naturalHeight
    })()`)
    expect([src, size, sizes === 'any' || size]).toEqual([src, size, sizes === 'any' || sizes])
  }
  const worker = await page.request.get('/sw.js')
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache' })
  expect(worker.headers()['content-type']).toContain('javascript')
})
