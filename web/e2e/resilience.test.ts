import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { expect } from './expect.ts'
import { type Account, delayRequests, setUpJourneys, waitForIdle } from './journeys.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'

/** Reloads and guards of every page, network failures, missing files and user preferences. */
const { portal, newContext, signedInContext, newPage, open, expectConsoleErrors } = setUpJourneys(() =>
  startSamplePortal(2),
)

/** An unread count may be before the title. */
const expectTitle = (page: Page, title: string) =>
  expect(page).toHaveTitle(new RegExp(String.raw`^(\(\d+\+?\) )?${title} · Minor Programs$`))

/** The pages of each role with their titles. */
const visitorPages = () => [
  ['/login', 'Welcome back'],
  ['/register', 'Create Account'],
  ['/reset-password', 'Reset Password'],
]
const everyonesPages = () => [
  ['/notifications/unsubscribe', 'Stop emails'],
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy policy'],
]
const learnerPages = ({ notification, enrolledProgram, otherProgram }: SamplePortal) => [
  ['/home', 'Home'],
  ['/my-program', 'My Programs'],
  ['/notification?page=1', 'Notifications'],
  [`/notification/${notification}`, 'Notification Details'],
  ['/profile', 'Profile'],
  ['/profile/notifications', 'Notification settings'],
  ['/profile/sessions', 'Where you are signed in'],
  ['/profile/security', 'Two-step verification'],
  ['/edit-profile', 'Edit Profile'],
  ['/payment', 'Payment History'],
  [`/program-details-active/${enrolledProgram}`, 'Program Details'],
  [`/program-details-inactives/${otherProgram}`, 'Program Details'],
]
const facultyPages = () => [['/faculty/dashboard', 'Faculty']]
const adminPages = ({ enrolledProgram, otherProgram, notification, userId }: SamplePortal) => [
  ['/admin/dashboard', 'Dashboard'],
  ['/admin/programs', 'Programs'],
  ['/admin/programs/new', 'Create New Program'],
  [`/admin/programs/edit/${otherProgram}`, 'Edit Program'],
  [`/admin/programs/${otherProgram}/preview`, 'View as a learner'],
  [`/admin/programs/${enrolledProgram}/learners`, 'Learners'],
  ['/admin/universities', 'Universities'],
  ['/admin/notifications', 'Notifications'],
  [`/admin/notifications/${notification}`, 'Sent Notification'],
  ['/admin/dashboard/users', 'Users'],
  ['/admin/dashboard/audit', 'Who did what'],
  [`/admin/people/${userId}`, 'Person'],
  ['/admin/profile', 'Profile'],
  ['/admin/profile/notifications', 'Notification settings'],
  ['/admin/profile/sessions', 'Where you are signed in'],
  ['/admin/profile/api-keys', 'API keys'],
  ['/admin/profile/security', 'Two-step verification'],
]
const unknownPages = () =>
  ['/', '/nowhere', '/admin', '/admin/nowhere', '/notification/1/2', '/faculty'].map((path) => [path])

const openFor = async (account: Account | null): Promise<Page> =>
  newPage(await (account ? signedInContext(account) : newContext()))

type Role = {
  readonly who: string
  readonly account: (sample: SamplePortal) => Account | null
  readonly own: (sample: SamplePortal) => readonly string[][]
  readonly others: (sample: SamplePortal) => readonly string[][]
  readonly landing: string
}
const roles: readonly Role[] = [
  {
    who: 'a visitor',
    account: () => null,
    own: () => [['/home', 'Add a Minor to your degree'], ...visitorPages()],
    others: (sample) => [...learnerPages(sample).slice(1), ...facultyPages(), ...adminPages(sample)],
    landing: '/login',
  },
  {
    who: 'a learner',
    account: (sample) => sample.learner(1),
    own: learnerPages,
    others: (sample) => [...visitorPages(), ...facultyPages(), ...adminPages(sample)],
    landing: '/home',
  },
  {
    who: 'a member of the faculty',
    account: (sample) => sample.faculty,
    // They have no enrollment, and not the first learner's notification.
    own: (sample) => [
      ...facultyPages(),
      ...learnerPages(sample)
        .filter(([path = '']) => !/^\/(program-details-active|notification)\//.test(path))
        .map(([path = '', title = '']) => [path, path === '/my-program' ? 'Minor Programs' : title]),
    ],
    others: (sample) => [...visitorPages(), ...adminPages(sample)],
    landing: '/faculty/dashboard',
  },
  {
    who: 'an admin',
    account: (sample) => sample.admin,
    own: adminPages,
    // A push leads to the page of its recipient, and a test to the settings.
    others: (sample) => [
      ...visitorPages(),
      ...learnerPages(sample).filter(([path = '']) => !/^\/(notification|profile)\//.test(path)),
      ...facultyPages(),
    ],
    landing: '/admin/dashboard',
  },
]

describe('every page', () => {
  test.each(roles)(
    '[G-3 G-4 G-60] stays open for $who after a reload, with a title of its own',
    async ({ account, own }) => {
      const page = await openFor(account(portal()))
      for (const [path = '', title = ''] of [...own(portal()), ...everyonesPages()]) {
        await page.goto(path)
        await expectTitle(page, title)
        await page.reload()
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await expectTitle(page, title)
        await expect(page).toHaveURL(path)
      }
    },
  )

  test.each(roles)(
    '[G-3 G-4 G-18 G-21 G-48] of others, and any unknown one, leads $who to $landing',
    async ({ account, others, landing }) => {
      const page = await openFor(account(portal()))
      for (const [path = ''] of [...others(portal()), ...unknownPages()]) {
        await page.goto(path, { waitUntil: 'domcontentloaded' })
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await expect(page, path).toHaveURL(landing)
      }
    },
  )
})

describe('a network failure', () => {
  test('while modules of the page are loading removes no data, and they load when the network is back', async () => {
    expectConsoleErrors(/net::ERR_|WebSocket|Failed to fetch dynamically imported module/)
    const page = await openFor(portal().learner(1))
    const release = await delayRequests(page, /\/assets\/(inbox-connection|connect-socket|start-push)/)
    await page.goto('/notification')
    const rows = page.locator('a[href^="/notification/"]')
    await rows.first().waitFor()
    const shown = await rows.count()
    await page.context().setOffline(true)
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('inbox-connection'))
    release()
    await failed
    await page.getByText(networkErrorMessage).waitFor()
    await expect(rows).toHaveCount(shown)
    const connected = page.waitForEvent('websocket')
    await page.context().setOffline(false)
    await connected
    await expect(rows).toHaveCount(shown)
  })
})

const missingFile =
  /net::ERR_|WebSocket|dynamically imported module|A page failed|A file of the page could not be loaded/
/** Marks the document. Returns a function that checks for the mark, which a reload removes. */
const markDocument = async (page: Page): Promise<() => Promise<boolean>> => {
  await page.evaluate('globalThis.isMarked = true')
  return (): Promise<boolean> => page.evaluate<boolean>('globalThis.isMarked === true')
}
/** Answers 404 for these files, as after a release that has replaced them. */
const removeFiles = (page: Page, path: RegExp) =>
  page.route(
    (url) => path.test(url.pathname),
    (route) => route.fulfill({ status: 404, body: 'Not found' }),
  )

describe('a missing file', () => {
  test.each([
    ['/notification', 'Profile', '/profile', (sample: SamplePortal) => sample.learner(1)],
    ['/notification', 'My Program', '/my-program', (sample: SamplePortal) => sample.learner(1)],
    ['/admin/dashboard', 'Universities', '/admin/universities', (sample: SamplePortal) => sample.admin],
    ['/home', 'Login', '/login', () => null],
  ])(
    '[G-55] during a network failure keeps %s on the screen, and %s opens when the network is back',
    async (from, name, to, accountOf) => {
      expectConsoleErrors(missingFile)
      const account = accountOf(portal())
      const page = await openFor(account)
      await page.goto(from)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // Wait for all other requests, so that only this file is missing. A slow page is idle for the network before it starts.
      await (account ? waitForIdle(page) : page.waitForLoadState('networkidle'))
      const isSameDocument = await markDocument(page)
      await page.context().setOffline(true)
      await page.getByRole('link', { name, exact: true }).first().click()
      const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong on this page.' })
      await failure.getByText(networkErrorMessage).waitFor()
      await failure.getByRole('button', { name: 'Try again' }).click()
      await failure.getByText(networkErrorMessage).waitFor()
      await page.context().setOffline(false)
      await failure.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await expect(page).toHaveURL(to)
      expect(await isSameDocument()).toBe(true)
    },
  )

  test.each(['start-push', 'connect-socket', 'inbox-connection'])(
    'in the background module %s keeps the typed text',
    async (part) => {
      expectConsoleErrors(missingFile)
      expectConsoleErrors(/status of 404/)
      const page = await openFor(portal().learner(1))
      const missed = page.waitForResponse((response) => response.url().includes(part))
      await removeFiles(page, new RegExp(`/assets/${part}`))
      await page.goto('/edit-profile')
      const isSameDocument = await markDocument(page)
      const name = page.getByRole('textbox', { name: 'Name' }).first()
      await name.fill('Ananya Typing')
      await missed
      // The second failure shows that the page has handled the first.
      await page.waitForResponse((response) => response.url().includes(part))
      await expect(name).toHaveValue('Ananya Typing')
      expect(await isSameDocument()).toBe(true)
    },
  )

  test('after a release causes one reload, which opens the requested page', async () => {
    expectConsoleErrors(missingFile)
    expectConsoleErrors(/status of 404/)
    const page = await openFor(portal().learner(1))
    await page.goto('/notification')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const isSameDocument = await markDocument(page)
    await removeFiles(page, /\/assets\/profile-page/)
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await reloaded
    // The file is still missing, so there is no second reload.
    await page.getByRole('alert').getByText('Something went wrong on this page.').waitFor()
    expect(await isSameDocument()).toBe(false)
    await expect(page).toHaveURL('/profile')
    const again = await markDocument(page)
    await page
      .getByRole('link', { name: /Notification/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await page.getByRole('button', { name: 'Logout' }).waitFor()
    expect(await again()).toBe(true)
  })
})

const expectScheme = (page: Page, scheme: 'light' | 'dark') =>
  expect(page.locator('html')).toHaveAttribute('data-scheme', scheme)

/** Records the color scheme of each document from its first paint on. Page code is a string, because these files have no DOM types. */
const watchScheme = `
  globalThis.schemes = []
  new MutationObserver(() => {
    const at = document.documentElement.getAttribute('data-scheme')
    if (document.body && globalThis.schemes.at(-1) !== at) globalThis.schemes.push(at)
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-scheme'] })
`

describe('user preferences', () => {
  test('a dark page stays dark after a reload from the first paint on, and in other tabs', async () => {
    const context = await signedInContext(portal().learner(1))
    await context.addInitScript(watchScheme)
    const page = await open(context, '/profile')
    const choose = (name: string) =>
      page.getByRole('radiogroup', { name: 'Appearance' }).getByRole('radio', { name }).check()
    await choose('Dark')
    await expectScheme(page, 'dark')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
    expect(await page.evaluate('globalThis.schemes')).toEqual(['dark'])

    const other = await open(context, '/notification')
    await other.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    expect(await other.evaluate('globalThis.schemes')).toEqual(['dark'])
    await choose('Light')
    await expectScheme(other, 'light')

    // 'Automatic' follows the device.
    await choose('Automatic')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectScheme(page, 'dark')
    await page.reload()
    await page.getByRole('radio', { name: 'Automatic', checked: true }).waitFor()
    expect(await page.evaluate('globalThis.schemes')).toEqual(['dark'])
  })

  test('nothing moves with reduced motion', async () => {
    const page = await openFor(portal().learner(1))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = () =>
      page.evaluate<string[]>(
        `document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration > 1)
          .map((one) => one.animationName ?? one.transitionProperty)`,
      )
    for (const path of ['/home', '/my-program', '/notification', '/profile']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect([path, await moving()]).toEqual([path, []])
    }
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await moving()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await moving()).toEqual([])
  })
})
