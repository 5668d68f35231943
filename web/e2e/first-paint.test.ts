/** @module-tag verify */
import type { BrowserContext, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, setUpJourneys } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/**
 * What a reader sees while the scripts load: 400 ms to the server and 50 kB/s. The build has rendered the pages that strangers open
 * (build/prerender.ts), and the others start as an outline, so the times depend on the network and hardly on the machine.
 */
const { portal, newContext, newPage, open, signedInContext } = setUpJourneys(() => startSamplePortal(2))

const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 }

/** Records paints and layout shifts. Page code is a string, because these files have no DOM types. */
const recorder = `
  globalThis.recorded = { title: '', shift: 0, inbox: 0 }
  new PerformanceObserver(() => {
    globalThis.heading ??= document.querySelector('h1')
    globalThis.recorded.title ||= globalThis.heading?.innerText ?? ''
  }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.recorded.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main li a')) return
    globalThis.recorded.inbox = performance.now()
    observer.disconnect()
  }).observe(document, { subtree: true, childList: true, attributes: true })
`

type Recorded = {
  readonly first: number
  /** The title that the first paint showed. */
  readonly title: string
  /** Whether it is still the same element. */
  readonly isKept: boolean
  readonly shift: number
  readonly inbox: number
  /** When the first script of the application was requested. */
  readonly scripts: number
}

const openSlowly = async (context: BrowserContext, path: string): Promise<Page> => {
  await context.addInitScript(recorder)
  const page = await newPage(context)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowNetwork)
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

const recordedOn = (page: Page): Promise<Recorded> =>
  page.evaluate<Recorded>(`({
    ...globalThis.recorded,
    isKept: globalThis.heading === document.querySelector('h1'),
    first: performance.getEntriesByName('first-paint')[0].startTime,
    scripts: performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.js')).startTime,
  })`)

const limitsMs = { first: 1_200, inbox: 6_000 }

/** The digits that a reader could notice. */
const rounded = (shift: number): number => Math.round(shift * 1_000) / 1_000

describe('on a slow network', () => {
  test.each([
    ['/login', 'Welcome back', phone],
    ['/login', 'Welcome back', desktop],
    ['/', 'Welcome back', phone],
    ['/home', 'Add a Minor to your degree.', phone],
    ['/home', 'Add a Minor to your degree.', desktop],
  ])('%s shows “%s” before the scripts, and nothing moves when they take over (%o)', async (path, text, viewport) => {
    const page = await openSlowly(await newContext(viewport), path)
    const { first, title, isKept, shift, scripts } = await recordedOn(page)
    expect(first).toBeLessThanOrEqual(limitsMs.first)
    expect(title.replaceAll(/\s+/g, ' ')).toBe(text)
    expect(isKept).toBe(true)
    expect(scripts).toBeGreaterThan(first)
    expect(rounded(shift)).toBe(0)
  })

  test('the inbox shows its notifications while the rest of the page loads', async () => {
    const context = await signedInContext(portal().learner(1))
    const requests: string[] = []
    context.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const page = await openSlowly(context, '/notification')
    const { first, inbox, shift } = await recordedOn(page)
    expect(first).toBeLessThanOrEqual(limitsMs.first)
    expect(inbox).toBeGreaterThan(0)
    expect(inbox).toBeLessThanOrEqual(limitsMs.inbox)
    expect(rounded(shift)).toBe(0)
    await page.getByRole('main').getByRole('listitem').first().waitFor()
    // The page is one request for itself and one for its notifications.
    expect(requests.filter((path) => path === '/notification')).toHaveLength(1)
    expect(requests.filter((path) => path === '/notifications')).toHaveLength(1)
  })

  test("the home page requests the learner's programs before its scripts", async () => {
    const context = await signedInContext(portal().learner(1))
    const requests: string[] = []
    context.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const page = await openSlowly(context, '/home')
    await page.getByRole('region', { name: 'Your programs' }).getByRole('link').first().waitFor()
    const scripts = requests.findIndex((path) => path.endsWith('.js'))
    expect(requests.slice(0, scripts)).toEqual(expect.arrayContaining(['/user/my-programs', '/allprograms']))
  })

  test.each(['/home', '/my-program', '/admin/dashboard'])('%s shows its outline at once', async (path) => {
    const account: Account = path.startsWith('/admin') ? portal().admin : portal().learner(1)
    const page = await openSlowly(await signedInContext(account), path)
    const { first, shift } = await recordedOn(page)
    expect(first).toBeLessThanOrEqual(limitsMs.first)
    expect(rounded(shift)).toBe(0)
  })
})

describe('a page that the build has rendered', () => {
  const openWithoutScripts = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await newPage(context)
    await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    await page.goto(path)
    return page
  }

  /** The boxes of these texts, in whole px. */
  const boxesOf = async (page: Page, texts: readonly string[]) => {
    await page.evaluate('document.fonts.ready')
    const boxes = texts.map(async (text) => {
      const box = await page.getByText(text, { exact: true }).filter({ visible: true }).first().boundingBox()
      return [text, Math.round(box?.x ?? -1), Math.round(box?.y ?? -1), Math.round(box?.width ?? -1)]
    })
    return Promise.all(boxes)
  }

  test.each([
    ['/login', phone, ['Welcome back', 'Email', 'Password', 'Login']],
    ['/login', desktop, ['Welcome back', 'Email', 'Password', 'Login']],
    ['/home', phone, ['Sign Up', 'semesters']],
    ['/home', desktop, ['Sign Up', 'semesters']],
  ])('has its texts where the application has them: %s (%o)', async (path, viewport, texts) => {
    const withoutScripts = await openWithoutScripts(await newContext(viewport), path)
    const page = await open(await newContext(viewport), path)
    expect(await boxesOf(withoutScripts, texts)).toEqual(await boxesOf(page, texts))
  })

  test.each(['/home', '/login', '/'])('is hidden from signed-in users, who see an outline: %s', async (path) => {
    const page = await openWithoutScripts(await signedInContext(portal().learner(1)), path)
    await expect(page.locator('#root')).toBeVisible()
    await expect(page.getByRole('heading')).toHaveCount(0)
  })

  test('does not send its form before the application can', async () => {
    const page = await openWithoutScripts(await newContext(), '/login')
    await page.getByLabel('Password', { exact: true }).evaluate('(field) => field.form.requestSubmit()')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('is shown without JavaScript, below the explanation', async () => {
    const browser = (await newContext()).browser()
    if (!browser) throw new Error('The context has no browser')
    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: portal().address })
    const page = await plain.newPage()
    await page.goto('/home')
    await expect(page.locator('noscript')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await plain.close()
  })
})
