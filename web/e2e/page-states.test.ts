import type { Page } from 'playwright-core'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { polyfilled } from '../browsers/supported.ts'
import { desktop, phone, type PageState } from './browser.ts'
import { expect } from './expect.ts'
import { pauseClock, setUpJourneys } from './journeys.ts'
import { startEmptyPortal, startLearnersPortal } from './portals.ts'

const built = new URL('../dist/', import.meta.url)
const scripts = [
  'sw.js',
  'firebase-messaging-sw.js',
  ...readdirSync(new URL('assets/', built)).map((file) => `assets/${file}`),
]
const filesWith = (pattern: RegExp, among: readonly string[]) =>
  among.filter((file) => pattern.test(readFileSync(new URL(file, built), 'utf8')))

test(
  '[E3] no script has a look-behind, which Safari 15.4 cannot read, and no worker calls what only pages get',
  { tags: ['essential'] },
  () => {
    const names = polyfilled.map((name) => name.split('.')[1])
    // Finds what is there.
    expect(filesWith(new RegExp(`\\.(?:${names.join('|')})\\(`), scripts).length).toBeGreaterThan(1)
    expect(filesWith(new RegExp(`\\.(?:${names.join('|')})\\(`), ['sw.js', 'firebase-messaging-sw.js'])).toEqual([])
    expect(
      filesWith(
        /\(\?<[=!]/,
        scripts.filter((file) => file.endsWith('.js')),
      ),
    ).toEqual([])
  },
)

/** What the portal adds to an old browser, and one of the many things that it does not. */
const functionsOf = (names: readonly string[]) =>
  `${JSON.stringify(names)}.filter((name) => {
    const [owner, member] = name.split('.')
    return member in globalThis[owner] || member in globalThis[owner].prototype
  })`

const checks: Readonly<Record<Exclude<PageState, 'as-built' | 'kept'>, (page: Page) => Promise<void>>> = {
  translated: (page) => page.locator('h1 font font').first().waitFor(),
  old: async (page) => {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await page.evaluate(functionsOf([...polyfilled, 'Object.groupBy']))).toEqual(polyfilled)
  },
}

describe('[E3] a browser that cannot run the portal', () => {
  const { newContext, newContextWith, newPage, open } = setUpJourneys(startEmptyPortal, 'shell', 'as-built')

  test('reads what to do if it is too old, and runs nothing', { tags: ['essential'] }, async () => {
    const context = await newContext(phone)
    await context.addInitScript('delete AbortSignal.prototype.throwIfAborted')
    const page = await open(context, '/login')
    await expect(page.locator('body')).toHaveText(
      /^Your browser is too old for this portal\. Please update it, or open this page in another one\./,
    )
    await expect(page.getByText('Welcome back')).toBeHidden()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('globalThis.applicationFiles === undefined')).toBe(true)
  })

  test('reads what to do if scripts are off', { tags: ['essential'] }, async () => {
    const page = await newPage(await newContextWith({ viewport: phone, javaScriptEnabled: false }))
    await page.goto('/login')
    const line = page.locator('noscript')
    await expect(line).toBeVisible()
    // Assertions about text skip this element.
    await expect
      .poll(() => line.innerText())
      .toMatch(/^This portal needs JavaScript\. Please turn it on in the settings of your browser/)
  })
})

describe('a page that Back brings back from the cache', () => {
  const { portal, openAs, newPage, send } = setUpJourneys(() => startLearnersPortal(1), 'shell', 'kept')
  const goBack = async (page: Page) => {
    await page.goBack({ waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('globalThis.wasKept')).toBe(true)
  }

  test(
    'shows what arrived meanwhile, and nothing after a log-out in another tab',
    { tags: ['essential'] },
    async () => {
      const learner = portal().learner(1)
      await send([learner], { title: 'Notice 1' })
      const page = await openAs(learner, '/notification', desktop)
      await page.getByRole('link', { name: /Unread: Notice 1/ }).waitFor()
      // The browser keeps no page that the service worker takes over while it is open.
      await page.evaluate('navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)')
      await page.reload()
      await page.getByRole('link', { name: '1 unread Notification' }).waitFor()

      await page.goto('/docs')
      await send([learner], { title: 'Notice 2' })
      await goBack(page)
      await page.getByRole('link', { name: /Unread: Notice 2/ }).waitFor()
      await page.getByRole('link', { name: '2 unread Notification' }).waitFor()
      await send([learner], { title: 'Notice 3' })
      await page.getByRole('link', { name: /Unread: Notice 3/ }).waitFor()

      await page.goto('/docs')
      const other = await newPage(page.context())
      await other.goto('/profile')
      await other.getByRole('button', { name: 'Logout' }).click()
      await other.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
      await other.getByRole('heading', { name: 'Welcome back' }).waitFor()
      await goBack(page)
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
      await expect(page.getByText('Notice 3')).toHaveCount(0)
    },
  )
})

/** The main journeys of all three roles where learners and admins really are. PAGES=translated and PAGES=old do the same to all journeys. */
describe.each([
  ['E2', 'translated'],
  ['E3', 'old'],
] as const)('[%s] on %s pages', (_, state) => {
  const { portal, newContext, open, signIn, openAsAdmin, send } = setUpJourneys(
    () => startLearnersPortal(2),
    'shell',
    state,
  )
  const isInState = checks[state]

  test('a visitor searches the questions', { tags: ['essential'] }, async () => {
    const page = await open(await newContext(phone), '/home')
    await isInState(page)
    const search = page.getByRole('searchbox', { name: 'Search the questions' })
    const questions = page.getByRole('heading', { level: 4 })
    for (const word of ['fee', 'hostel', 'fees']) {
      await search.fill(word)
      await expect(page.locator('mark').first()).toBeVisible()
    }
    await search.fill('no such word')
    await expect(questions).toHaveCount(0)
    await page.getByText('No questions match “no such word”.').waitFor()
    await page.getByRole('button', { name: 'Show all questions' }).click()
    await expect(page.getByRole('heading', { level: 3, name: 'The program' })).toBeVisible()
    await page.getByRole('link', { name: 'Login' }).first().click()
    await page.getByRole('button', { name: 'Login' }).waitFor()
  })

  test('a learner logs in, and the counts keep up', { tags: ['essential'] }, async () => {
    const learner = portal().learner(1)
    const page = await signIn(await newContext(phone), learner)
    await page.getByRole('link', { name: 'Notification', exact: true }).click()
    await isInState(page)
    const unread = (count: number) => page.getByRole('link', { name: `${count} unread Notification` }).waitFor()
    for (const n of [1, 2, 3]) {
      await send([learner], { title: `Notice ${n}` })
      await unread(n)
    }
    // Undo is offered for eight seconds, which a busy machine needs for two clicks.
    await pauseClock(page)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'Notification', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.clock.resume()
    await unread(3)
    await page.getByRole('link', { name: /Unread: Notice 3/ }).click()
    await page.getByRole('heading', { name: 'Notice 3' }).waitFor()
    await page.goBack()
    await unread(2)
    for (const [name, title] of [
      ['Profile', /Profile/],
      ['My Program', /My Programs/],
      ['Home', /^Good /],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    }
  })

  test('an admin sends', { tags: ['essential'] }, async () => {
    const page = await openAsAdmin('/admin/notifications')
    await isInState(page)
    await page.getByRole('textbox', { name: 'Title' }).fill('Lights out')
    await page.getByRole('textbox', { name: 'Message' }).fill('At ten')
    for (const [n, people] of [
      [1, '1 user'],
      [2, '2 users'],
    ] as const) {
      const { email } = portal().learner(n)
      await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
      await page.getByRole('checkbox', { name: new RegExp(email) }).check()
      await page.getByRole('button', { name: `Send to ${people}` }).waitFor()
    }
    const confirm = async () => {
      await page.getByRole('button', { name: /^Send to \d/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    }
    await confirm()
    // The countdown counts.
    for (const seconds of [6, 5]) await page.getByText(`Sending to 2 people in ${seconds} s`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await confirm()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Lights out' }).waitFor()

    await page.getByRole('link', { name: 'Universities' }).click()
    await page.getByRole('textbox', { name: 'University name' }).fill('Hill University')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /Hill University/ }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('row', { name: /Hill University/ })).toHaveCount(0)
  })
})
