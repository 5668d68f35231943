import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, delayRequests, setUpJourneys } from './journeys.ts'
import { awaitFonts, layoutShifts } from './layout-shift.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'

/** Nothing moves while data, fonts or notifications arrive. The whole browser renders fonts as users have them. */
const { portal, openAs, openAsAdmin, send } = setUpJourneys(() => startSamplePortal(8), 'whole')

const link = (name: string | RegExp) => (page: Page) => page.getByRole('main').getByRole('link', { name }).first()
const button = (name: string) => (page: Page) => page.getByRole('button', { name })
const learner = (n: number) => (sample: SamplePortal) => sample.learner(n)
const admin = (sample: SamplePortal) => sample.admin

type Step = readonly [delayed: RegExp, loading: string, shown: (page: Page) => Locator]
type Loading = {
  readonly page: string
  readonly as: (sample: SamplePortal) => Account
  readonly path: (sample: SamplePortal) => string
  readonly viewports?: readonly (typeof phone)[]
  /** The requests in the order in which they are answered, each with what the page shows before and afterwards. */
  readonly steps: readonly Step[]
}

const loadings: readonly Loading[] = [
  {
    page: 'the inbox',
    as: learner(1),
    path: () => '/notification',
    viewports: [{ width: 320, height: 844 }, phone],
    steps: [[/^\/notifications$/, 'Loading notifications', (page) => page.getByRole('listitem').nth(2)]],
  },
  {
    page: 'a notification',
    as: learner(1),
    path: ({ notification }) => `/notification/${notification}`,
    steps: [[/^\/notifications\/[0-9a-f-]{36}$/, 'Loading', button('Mark as unread')]],
  },
  {
    page: 'My Programs',
    as: learner(1),
    path: () => '/my-program',
    viewports: [phone, desktop],
    steps: [
      [/^\/user\/my-programs$/, 'Loading your programs', link(/Artificial Intelligence/)],
      [/^\/allprograms$/, 'Loading programs', link(/Business Analytics/)],
    ],
  },
  {
    page: 'an enrolled program',
    as: learner(1),
    path: ({ enrolledProgram }) => `/program-details-active/${enrolledProgram}`,
    steps: [[/^\/user\/programs\//, 'Loading program details...', button('Continue Learning')]],
  },
  {
    page: 'another program',
    as: learner(1),
    path: ({ otherProgram }) => `/program-details-inactives/${otherProgram}`,
    steps: [[/^\/programs\//, 'Loading program details...', link('Pay ₹1,000 & Register Now')]],
  },
  {
    page: 'the profile',
    as: learner(2),
    path: () => '/profile',
    steps: [[/^\/user\//, 'Loading your programs', link(/Fees: Pending/)]],
  },
  {
    page: 'the programs of an admin',
    as: admin,
    path: () => '/admin/programs',
    viewports: [desktop],
    steps: [[/^\/admin\/programs$/, 'Loading programs', (page) => page.getByRole('table', { name: 'Programs' })]],
  },
]

test.each(loadings)('nothing moves while $page loads', async ({ as, path, viewports = [phone], steps }) => {
  for (const viewport of viewports) {
    const page = await openAs(as(portal()), '/payment', viewport)
    const releases = await Promise.all(steps.map(([delayed]) => delayRequests(page, delayed)))
    await page.goto(path(portal()))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const [n, [, loading, shown]] of steps.entries()) {
      await page.getByRole('status', { name: loading }).or(page.getByText(loading)).first().waitFor()
      if (n === 0) await awaitFonts(page)
      releases[n]?.()
      await shown(page).waitFor()
    }
    expect([viewport.width, await layoutShifts(page)]).toEqual([viewport.width, []])
  }
})

test('nothing moves on the form of the profile, which is complete before the server responds', async () => {
  const page = await openAs(portal().learner(1), '/payment')
  const release = await delayRequests(page, /^\/user\/profile$/)
  await page.goto('/edit-profile')
  await expect(page.getByLabel('Mobile number')).not.toHaveValue('')
  await awaitFonts(page)
  release()
  await page.waitForLoadState('networkidle')
  expect(await layoutShifts(page)).toEqual([])
})

test('nothing moves when fonts arrive late', async () => {
  const page = await openAs(portal().learner(1), '/payment')
  const deliverFonts = await delayRequests(page, /\.woff2$/)
  await page.goto('/notification', { waitUntil: 'domcontentloaded' })
  await page.getByRole('main').getByRole('listitem').nth(2).waitFor()
  const fontsLoaded = page.evaluate('document.fonts.ready.then(() => undefined)')
  deliverFonts()
  await fontsLoaded
  expect(await page.evaluate(`document.fonts.check('700 13px "Figtree Variable"')`)).toBe(true)
  expect(await layoutShifts(page)).toEqual([])
})

test('nothing moves when a notification arrives while the list is scrolled, until it is asked for', async () => {
  const reader = portal().learner(3)
  await send([reader], ...Array.from({ length: 12 }, (_, n) => ({ title: `Notice ${n + 1}` })))
  // So low that a page of ten rows scrolls.
  const page = await openAs(reader, '/notification', { width: 390, height: 500 })
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
  await rows.nth(9).waitFor()
  // This browser declines notifications soon after the start.
  await expect(page.getByText('Notifications are off.')).toBeVisible()
  // The page holds back from the scroll event on, which comes with the next frame.
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('scroll', () => resolve(), { once: true })
    scrollTo(0, 300)
  })`)
  await expect.poll(() => page.evaluate('scrollY')).toBe(300)
  await send([reader], { title: 'The newest of all' })
  const pill = page.getByRole('button', { name: '1 new' })
  await pill.waitFor()
  await expect(rows.first()).toContainText('Notice 12')
  expect(await page.evaluate('scrollY')).toBe(300)
  expect(await layoutShifts(page)).toEqual([])
  await pill.click()
  await expect(rows.first()).toContainText('The newest of all')
  await pill.waitFor({ state: 'detached' })
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('nothing moves while the page of a sent notification loads', async () => {
  const page = await openAsAdmin('/admin/profile')
  const release = await delayRequests(page, /^\/notifications\//)
  await page.goto(`/admin/notifications/${portal().notification}`)
  await page.getByRole('link', { name: 'Dashboard' }).waitFor()
  await awaitFonts(page)
  release()
  await page.getByRole('table', { name: 'Recipients' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await layoutShifts(page)).toEqual([])
})

test.each([phone, desktop])(
  'the send button stays in its place when the users arrive, at $width px',
  async (viewport) => {
    const page = await openAsAdmin('/admin/profile', viewport)
    const release = await delayRequests(page, /^\/notifications\/audience\/people$/)
    await page.goto('/admin/notifications')
    await page.getByRole('status', { name: 'Loading users' }).waitFor()
    const sendButton = page.getByRole('button', { name: 'Send notification' })
    await awaitFonts(page)
    const before = await sendButton.boundingBox()
    release()
    await page
      .getByRole('checkbox', { name: /@example\.com/ })
      .first()
      .waitFor()
    expect(await sendButton.boundingBox()).toEqual(before)
  },
)

test('chart and notifications of the dashboard stay in their places when its numbers arrive', async () => {
  const page = await openAsAdmin('/admin/profile')
  const release = await delayRequests(page, /^\/(api|admin|notifications)\//)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('status', { name: 'Loading recent notifications' }).waitFor()
  const [chart, recent] = ['Sends and reads', 'Recent Notifications'].map((name) => page.getByRole('region', { name }))
  const places = () => Promise.all([chart, recent].map(async (part) => (await part?.boundingBox())?.y))
  await awaitFonts(page)
  const waiting = await places()
  release()
  await recent?.getByRole('listitem').first().waitFor()
  await chart?.locator('svg').first().waitFor()
  // They are above the chart, and each comes by a request of its own.
  await page.getByRole('list', { name: 'Counts' }).locator('.figure').nth(3).waitFor()
  expect(await places()).toEqual(waiting)
})
