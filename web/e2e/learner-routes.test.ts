import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { type Account, journeysOn, untilAtRest } from './journeys.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'
import { signInAs } from './screens.ts'

/** Every address of the product, for everybody. */
const { portal, newContext, newPage, open } = journeysOn(() => startSamplePortal(2))

/** Many whole pages, one after the other. */
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
  '/admin/profile',
]
const unknownPaths = ['/', '/nowhere', '/admin', '/admin/nowhere', '/notification/1/2', '/faculty']

/** The address once a page is there. */
const whereLeads = async (page: Page, path: string): Promise<string> => {
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
const whereAllLead = async (page: Page, paths: readonly string[]) => {
  const led: (readonly [from: string, to: string])[] = []
  for (const path of paths) led.push([path, await whereLeads(page, path)])
  return led
}
/** The same once everything has been answered, which may lead elsewhere, too. */
const whereAllEnd = async (page: Page, paths: readonly string[]) => {
  const ends: (readonly [from: string, to: string])[] = []
  for (const path of paths) {
    await whereLeads(page, path)
    await untilAtRest(page)
    const { pathname, search } = new URL(page.url())
    ends.push([path, pathname + search])
  }
  return ends
}
const allTo = (paths: readonly string[], end: string) => paths.map((path) => [path, end])
const allStay = (paths: readonly string[]) => paths.map((path) => [path, path])

const as = async (account: Account | null): Promise<Page> => {
  const page = await newPage(await newContext())
  await signInAs(page, account)
  return page
}

test(
  '[G-4 G-18 G-21 G-48] who is not signed in sees the public pages and the landing page, and is asked to log in everywhere else',
  async () => {
    const page = await as(null)
    const stays = ['/home', ...publicPaths]
    // The token of a link is taken out of the address as soon as it is read.
    const led = stays.map((path) => [path, path.startsWith('/reset-password') ? '/reset-password' : path])
    expect(await whereAllLead(page, stays)).toEqual(led)
    const goes = [...learnerPaths(portal()), '/faculty/dashboard', ...adminPaths(portal()), ...unknownPaths]
    expect(await whereAllLead(page, goes)).toEqual(allTo(goes, '/login'))
  },
  manyPagesMs,
)

test(
  '[G-3 G-4 G-18 G-48] a learner sees the learners’ pages, and is at home everywhere else',
  async () => {
    const page = await as(portal().learner(1))
    const stays = ['/home', ...learnerPaths(portal())]
    expect(await whereAllEnd(page, stays)).toEqual(allStay(stays))
    const goes = [...publicPaths, '/faculty/dashboard', ...adminPaths(portal()), ...unknownPaths]
    expect(await whereAllLead(page, goes)).toEqual(allTo(goes, '/home'))
  },
  manyPagesMs,
)

test(
  '[G-48] a member of the faculty has a page of their own, and those of learners',
  async () => {
    const page = await as(portal().faculty)
    // They are enrolled in nothing, and have notifications of their own.
    const others = learnerPaths(portal()).filter((path) => !/^\/(program-details-active|notification)\/./.test(path))
    const stays = ['/faculty/dashboard', '/home', ...others]
    expect(await whereAllEnd(page, stays)).toEqual(allStay(stays))
    const goes = [...publicPaths, ...adminPaths(portal()), ...unknownPaths]
    expect(await whereAllLead(page, goes)).toEqual(allTo(goes, '/faculty/dashboard'))
  },
  manyPagesMs,
)

test(
  '[G-3 G-4] an admin sees the panel, and nothing else',
  async () => {
    const page = await as(portal().admin)
    const stays = adminPaths(portal())
    expect(await whereAllEnd(page, stays)).toEqual(allStay(stays))
    const goes = ['/home', ...publicPaths, ...learnerPaths(portal()), '/faculty/dashboard', ...unknownPaths]
    expect(await whereAllLead(page, goes)).toEqual(allTo(goes, '/admin/dashboard'))
  },
  manyPagesMs,
)

test('[G-19] the bar at the bottom leads to four places, and tells in which of them one is', async () => {
  const sample = portal()
  const page = await as(sample.learner(1))
  const bar = page.getByRole('navigation', { name: 'Main' })
  const active = async () => {
    const names = await bar.locator('[aria-current="page"] .label').allTextContents()
    return names.join()
  }
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const [name, path] of [
    ['My Program', '/my-program'],
    ['Notification', '/notification'],
    ['Profile', '/profile'],
    ['Home', '/home'],
  ] as const) {
    await bar.getByRole('link', { name, exact: name !== 'Notification' }).click()
    await page.waitForURL(`**${path}`)
    await eventually(`${name} is where one is`, async () => (await active()) === name)
  }
  const within = [
    [`/program-details-active/${sample.enrolledProgram}`, 'My Program'],
    [`/program-details-inactives/${sample.otherProgram}`, 'My Program'],
    [`/notification/${sample.notification}`, 'Notification'],
    ['/edit-profile', 'Profile'],
    ['/payment', ''],
  ] as const
  for (const [path, name] of within) {
    await whereLeads(page, path)
    expect([path, await active()]).toEqual([path, name])
  }
})

test('whoever was asked to log in comes to the page that they wanted', async () => {
  const { email, password } = portal().learner(2)
  const page = await open(await newContext(), '/notification?page=2')
  await page.waitForURL('**/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname === '/notification')
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  expect(await page.getByRole('link', { name: /Notification$/ }).getAttribute('aria-current')).toBe('page')
})
