import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, launchBrowser, phone } from './browser.ts'
import { startEmptyPortal } from './portals.ts'
import type { RunningPortal } from './journeys.ts'
import { layoutShifts, recordLayoutShifts } from './layout-shift.ts'

const assets = new URL('../dist/assets', import.meta.url)

/** What a phone that has never been here loads. The libraries grow with every release; this is what notices. */
let browser: Browser
let portal: RunningPortal

beforeAll(async () => {
  portal = await startEmptyPortal()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
})

/** All the script of a cold visit, gzipped. The service worker's own fetches come after the page and are not part of it. */
const scriptsOf = async (path: string) => {
  const context = await browser.newContext({ viewport: phone, baseURL: portal.address, serviceWorkers: 'block' })
  const page = await context.newPage()
  const scripts: Promise<readonly [name: string, bytes: number]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.push(response.body().then((body) => [new URL(response.url()).pathname, gzipSync(body).length] as const))
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  // What comes from now on is asked for by the page's later needs, and cannot be read once the page is gone.
  page.removeAllListeners('response')
  const loaded = await Promise.all(scripts)
  await context.close()
  return loaded
}

/** What is loaded for whoever is signed in alone. */
const sessionOnlyFiles = ['connect-socket', 'inbox-connection', 'start-push'].map((name) => {
  const file = readdirSync(assets).find((built) => built.startsWith(`${name}-`) && built.endsWith('.js'))
  if (file === undefined) throw new Error(`The build has no ${name}`)
  return file
})

test.each([
  ['/login', 195_000],
  ['/home', 230_000],
])('%s takes at most %i bytes of gzipped script', async (path, budgetBytes) => {
  const loaded = await scriptsOf(path)
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0)
  // A page that failed to load would be small, too.
  expect(bytes).toBeGreaterThan(100_000)
  const list = loaded.toSorted(([, a], [, b]) => b - a).map(([name, size]) => `${size} ${name}`)
  // Nor has a visitor anything to be told live.
  expect(loaded.filter(([name]) => sessionOnlyFiles.some((file) => name.endsWith(file)))).toEqual([])
  expect(bytes > budgetBytes ? [`${bytes} in all`, ...list] : []).toEqual([])
})

/** Whether the browser has skipped the layout and painting of an element. What runs in the page is text here. */
const isSkipped = (page: Page, selector: string) =>
  page.evaluate<boolean>(
    `!document.querySelector(${JSON.stringify(selector)}).checkVisibility({ contentVisibilityAuto: true })`,
  )

test('sections below the first screen are painted when the reader comes near; links and find-in-page reach them before', async () => {
  const context = await browser.newContext({ viewport: desk, baseURL: portal.address, serviceWorkers: 'block' })
  await recordLayoutShifts(context)
  const page = await context.newPage()
  await page.goto('/home')
  await page.getByRole('searchbox', { name: 'Search the questions' }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  for (const section of ['#why', '#testimonials', '#faq'])
    expect([section, await isSkipped(page, `${section} h2`)]).toEqual([section, true])

  await page.getByRole('link', { name: 'Questions' }).click()
  await expect.poll(() => isSkipped(page, '#faq h2')).toBe(false)
  const title = page.getByRole('heading', { name: 'Frequently asked questions' })
  await expect.poll(async () => Math.round((await title.boundingBox())?.y ?? -1)).toBeLessThan(100)
  expect((await title.boundingBox())?.y).toBeGreaterThanOrEqual(0)

  await page.evaluate('window.scrollTo(0, 0)')
  await expect.poll(() => isSkipped(page, '#why h2')).toBe(true)
  expect(await page.evaluate("window.find('Why choose a real campus')")).toBe(true)
  await expect.poll(() => isSkipped(page, '#why h2')).toBe(false)
  expect(await layoutShifts(page)).toEqual([])
  await context.close()
})
