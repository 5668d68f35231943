import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from './expect.ts'
import { type Account, setUpJourneys, waitForIdle } from './journeys.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'
import { signInAs } from './screens.ts'

/** Every address of the product, for every role. */
const { portal, newContext, newPage, open } = setUpJourneys(() => startSamplePortal(2))

/** For a test that loads many pages. */
const manyPagesMs = 120_000

const publicPaths = ['/login', '/register', '/reset-password', '/reset-password?token=of-a-link']
const learnerPaths = (sample: SamplePortal): readonly string[] => [
  '/my-program',
  '/notification',
  `/notification/${sample.notification}`,
  '/profile',
  '/edit-profile',
  '/payment',
  `/program-details-active/${sample.enrolledProgram}`,
  `/program-details-inactives/${sample.otherProgram}`,
]
const adminPaths = (sample: SamplePortal): readonly string[] => [
  '/admin/dashboard',
  '/admin/programs',
  '/admin/programs/new',
  `/admin/programs/edit/${sample.otherProgram}`,
  '/admin/universities',
  '/admin/notifications',
  '/admin/people',
  '/admin/profile',
]
const unknownPaths = ['/', '/nowhere', '/admin', '/admin/nowhere', '/notification/1/2', '/faculty']

/** Opens a path and returns the address of the page that is shown. */
const visit = async (page: Page, path: string): Promise<string> => {
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
const visitAll = async (page: Page, paths: readonly string[]) => {
  const visited: (readonly [from: string, to: string])[] = []
  for (const path of paths) visited.push([path, await visit(page, path)])
  return visited
}
/** Like `visitAll`, but waits for all responses, which may redirect too. */
const visitAllUntilIdle = async (page: Page, paths: readonly string[]) => {
  const ends: (readonly [from: string, to: string])[] = []
  for (const path of paths) {
    await visit(page, path)
    await waitForIdle(page)
    const { pathname, search } = new URL(page.url())
    ends.push([path, pathname + search])
  }
  return ends
}
const mapAllTo = (paths: readonly string[], end: string) => paths.map((path) => [path, end])
const mapAllToThemselves = (paths: readonly string[]) => paths.map((path) => [path, path])

const openAs = async (account: Account | null): Promise<Page> => {
  const page = await newPage(await newContext())
  await signInAs(page, account)
  return page
}

test(
  '[G-4 G-18 G-21 G-48] a visitor sees the public pages and the landing page, and is redirected to the login elsewhere',
  async () => {
    const page = await openAs(null)
    const allowed = ['/home', ...publicPaths]
    // The page removes the token from the address.
    const expected = allowed.map((path) => [path, path.startsWith('/reset-password') ? '/reset-password' : path])
    expect(await visitAll(page, allowed)).toEqual(expected)
    const redirected = [...learnerPaths(portal()), '/faculty/dashboard', ...adminPaths(portal()), ...unknownPaths]
    expect(await visitAll(page, redirected)).toEqual(mapAllTo(redirected, '/login'))
  },
  manyPagesMs,
)

test(
  '[G-3 G-4 G-18 G-48] a learner sees the learners’ pages, and is redirected to the home page elsewhere',
  async () => {
    const page = await openAs(portal().learner(1))
    const allowed = ['/home', ...learnerPaths(portal())]
    expect(await visitAllUntilIdle(page, allowed)).toEqual(mapAllToThemselves(allowed))
    const redirected = [...publicPaths, '/faculty/dashboard', ...adminPaths(portal()), ...unknownPaths]
    expect(await visitAll(page, redirected)).toEqual(mapAllTo(redirected, '/home'))
  },
  manyPagesMs,
)

test(
  '[G-48] a member of the faculty sees the faculty page and the learners’ pages',
  async () => {
    const page = await openAs(portal().faculty)
    // They have no enrollment, and not the first learner's notification.
    const others = learnerPaths(portal()).filter((path) => !/^\/(program-details-active|notification)\/./.test(path))
    const allowed = ['/faculty/dashboard', '/home', ...others]
    expect(await visitAllUntilIdle(page, allowed)).toEqual(mapAllToThemselves(allowed))
    const redirected = [...publicPaths, ...adminPaths(portal()), ...unknownPaths]
    expect(await visitAll(page, redirected)).toEqual(mapAllTo(redirected, '/faculty/dashboard'))
  },
  manyPagesMs,
)

test(
  '[G-3 G-4] an admin sees only the admin panel',
  async () => {
    const page = await openAs(portal().admin)
    const allowed = adminPaths(portal())
    expect(await visitAllUntilIdle(page, allowed)).toEqual(mapAllToThemselves(allowed))
    const { notification } = portal()
    const ofRecipient = `/notification/${notification}`
    const ofLearners = learnerPaths(portal()).filter((path) => path !== ofRecipient)
    const redirected = ['/home', ...publicPaths, ...ofLearners, '/faculty/dashboard', ...unknownPaths]
    expect(await visitAll(page, redirected)).toEqual(mapAllTo(redirected, '/admin/dashboard'))
    // A push leads to the page of its recipient.
    expect(await visit(page, ofRecipient)).toBe(`/admin/notifications/${notification}`)
  },
  manyPagesMs,
)

test('[G-19] the bottom bar links to four pages and marks the current one', async () => {
  const sample = portal()
  const page = await openAs(sample.learner(1))
  const bar = page.getByRole('navigation', { name: 'Main' })
  const active = bar.locator('[aria-current="page"] .label')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const [name, path] of [
    ['My Program', '/my-program'],
    ['Notification', '/notification'],
    ['Profile', '/profile'],
    ['Home', '/home'],
  ] as const) {
    await bar.getByRole('link', { name, exact: name !== 'Notification' }).click()
    await page.waitForURL(`**${path}`)
    await expect(active).toHaveText([name])
  }
  const within = [
    [`/program-details-active/${sample.enrolledProgram}`, 'My Program'],
    [`/program-details-inactives/${sample.otherProgram}`, 'My Program'],
    [`/notification/${sample.notification}`, 'Notification'],
    ['/edit-profile', 'Profile'],
    ['/payment', ''],
  ] as const
  for (const [path, name] of within) {
    await visit(page, path)
    await expect(active, path).toHaveText(name === '' ? [] : [name])
  }
})

test('a login leads back to the page that required it', async () => {
  const { email, password } = portal().learner(2)
  const page = await open(await newContext(), '/notification?page=2')
  await page.waitForURL('**/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname === '/notification')
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  await expect(page.getByRole('link', { name: /Notification$/ })).toHaveAttribute('aria-current', 'page')
})
