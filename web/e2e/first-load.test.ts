import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { layoutShifts } from './layout-shift.ts'
import { startEmptyPortal } from './portals.ts'

const assets = new URL('../dist/assets', import.meta.url)

/** What a first visit on a phone loads. Guards the size budgets against growing libraries. */
const { newContext, newPage, open } = setUpJourneys(startEmptyPortal)

/** The gzipped sizes of all scripts of a first visit, without those that the service worker fetches later. */
const scriptsOf = async (path: string) => {
  const page = await newPage(await newContext())
  const scripts: Promise<readonly [name: string, bytes: number]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.push(response.body().then((body) => [new URL(response.url()).pathname, gzipSync(body).length] as const))
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  // Later responses do not count, and their bodies cannot be read once the page is closed.
  page.removeAllListeners('response')
  return Promise.all(scripts)
}

/** Files that only signed-in users load. */
const sessionOnlyFiles = ['connect-socket', 'inbox-connection', 'start-push'].map((name) => {
  const file = readdirSync(assets).find((built) => built.startsWith(`${name}-`) && built.endsWith('.js'))
  if (file === undefined) throw new Error(`The build has no ${name}`)
  return file
})

test.each([
  ['/login', 195_000],
  ['/home', 230_000],
])('%s loads at most %i bytes of gzipped script', { tags: ['essential'] }, async (path, budgetBytes) => {
  const loaded = await scriptsOf(path)
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0)
  // Detects a page that failed to load.
  expect(bytes).toBeGreaterThan(100_000)
  const list = loaded.toSorted(([, a], [, b]) => b - a).map(([name, size]) => `${size} ${name}`)
  // Visitors have no live updates.
  expect(loaded.filter(([name]) => sessionOnlyFiles.some((file) => name.endsWith(file)))).toEqual([])
  expect(bytes > budgetBytes ? [`${bytes} in all`, ...list] : []).toEqual([])
})

/** Whether the browser has skipped the layout of an element. Page code is a string, because these files have no DOM types. */
const isSkipped = (page: Page, selector: string) =>
  page.evaluate<boolean>(
    `!document.querySelector(${JSON.stringify(selector)}).checkVisibility({ contentVisibilityAuto: true })`,
  )

test('sections below the first screen are rendered when they come near the viewport, and links and find-in-page reach them', async () => {
  const page = await open(await newContext(desktop), '/home')
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
  expect(await page.evaluate("window.find('Learn online, belong to a campus.')")).toBe(true)
  await expect.poll(() => isSkipped(page, '#why h2')).toBe(false)
  expect(await layoutShifts(page)).toEqual([])
})
