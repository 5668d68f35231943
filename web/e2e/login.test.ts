import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { desktop } from './browser.ts'
import {
  type Account,
  abortRequests,
  waitForFocus,
  delayRequests,
  setUpJourneys,
  mockError,
  pauseClock,
} from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** The login of each role, and its failures. */
const { portal, newContext, open, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(2))

const logInRoute = /^\/auth\/login$/
const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: /^Log(in|ging in\.\.\.)$/ })
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' }).getByRole('alert')
const pathOf = (page: Page) => new URL(page.url()).pathname

const openForm = async (viewport?: typeof desktop) => open(await newContext(viewport), '/login')
const fillIn = async (page: Page, account: Account) => {
  await email(page).fill(account.email)
  await password(page).fill(account.password)
}
const logIn = async (page: Page, account: Account) => {
  await fillIn(page, account)
  await submit(page).click()
}

/** Counts the login requests of a page. */
const countLogIns = (page: Page) => {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && logInRoute.test(new URL(request.url()).pathname)) count++
  })
  return () => count
}

// Page code is a string, because these files have no DOM types.
const storedSession = (page: Page) =>
  page.evaluate<Record<string, string | null>>(
    "Object.fromEntries(['user', 'token', 'isLoggedIn'].map((key) => [key, localStorage.getItem(key)]))",
  )
const noSession = { user: null, token: null, isLoggedIn: null }
describe('the login form', () => {
  test(
    '[L-2 L-3] explains itself, lists the partners, and links to the password reset, the registration and the programs',
    { tags: ['essential'] },
    async () => {
      const page = await openForm()
      await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
      await page.getByText('Log in with your personal email to access your minor programs.').waitFor()
      expect(await email(page).getAttribute('type')).toBe('email')
      expect(await email(page).getAttribute('required')).not.toBeNull()
      expect(await password(page).getAttribute('required')).not.toBeNull()
      const partners = page.getByRole('list', { name: 'Offered by' }).getByRole('listitem')
      expect(await partners.allTextContents()).toEqual([
        'Technical institute',
        'Skills council',
        'Implementation partner',
        'Partner universities',
      ])
      for (const logo of await partners.locator('svg').all()) expect(await logo.isVisible()).toBe(true)

      for (const [name, path, title] of [
        ['Forgot Password?', '/reset-password', 'Reset Password'],
        ['Sign Up', '/register', 'Create Account'],
        ['See the programs', '/home', 'Add a Minor to your degree'],
      ] as const) {
        await page.getByRole('link', { name }).click()
        await page.waitForURL(`**${path}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.goBack()
        await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
      }
    },
  )

  test('requires both fields, shows one message for each until it is edited, and sends nothing', async () => {
    const page = await openForm()
    const logIns = countLogIns(page)
    await submit(page).click()
    await page.getByText('Email is required').waitFor()
    await page.getByText('Password is required').waitFor()
    await waitForFocus(email(page))
    await page.keyboard.type('asha at example')
    await page.getByText('Email is required').waitFor({ state: 'hidden' })
    expect(await page.getByText('Password is required').isVisible()).toBe(true)

    await page.keyboard.press('Enter')
    await page.getByText('Please enter a valid email address').waitFor()
    expect(await email(page).getAttribute('aria-invalid')).toBe('true')
    await email(page).fill('asha@example.com')
    await page.getByText('Please enter a valid email address').waitFor({ state: 'hidden' })
    await submit(page).click()
    await waitForFocus(password(page))
    await page.keyboard.type('x')
    await page.getByText('Password is required').waitFor({ state: 'hidden' })
    expect(logIns()).toBe(0)
  })

  test('[L-5] shows and hides the password, by mouse and by keyboard', async () => {
    const page = await openForm()
    await password(page).fill('Correct-horse1')
    expect(await password(page).getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Show password' }).click()
    expect(await password(page).getAttribute('type')).toBe('text')
    // The field keeps the focus.
    await waitForFocus(password(page))
    await page.getByRole('button', { name: 'Hide password' }).focus()
    await page.keyboard.press('Enter')
    expect(await password(page).getAttribute('type')).toBe('password')
    expect(await password(page).inputValue()).toBe('Correct-horse1')
  })
})

describe('logging in', () => {
  test("[L-11] shows 'Logging in...' on a slow network and sends one request", async () => {
    const page = await openForm()
    const logIns = countLogIns(page)
    const release = await delayRequests(page, logInRoute)
    await logIn(page, portal().learner(1))
    await page.getByRole('button', { name: 'Logging in...' }).waitFor()
    expect(await submit(page).isDisabled()).toBe(true)
    await submit(page).click({ force: true })
    await password(page).press('Enter')
    release()
    await page.getByText('Login successful! Redirecting...').waitFor()
    await page.waitForURL('**/home')
    expect(logIns()).toBe(1)
  })

  test.each([
    ['admin', '/admin/dashboard', 'Dashboard'],
    ['faculty', '/faculty/dashboard', /^Welcome, /],
    ['student', '/home', /./],
  ] as const)(
    '[L-12] redirects the %s to %s one second after the message',
    { tags: ['essential'] },
    async (role, landing, title) => {
      const { admin, faculty, learner } = portal()
      const account = { admin, faculty, student: learner(1) }[role]
      const page = await openForm()
      await pauseClock(page)
      await logIn(page, account)
      await page.getByRole('status').filter({ hasText: 'Login successful! Redirecting...' }).waitFor()
      const { user, token, isLoggedIn } = await storedSession(page)
      expect(JSON.parse(user ?? '')).toMatchObject({ personalEmail: account.email, role })
      expect(token).toMatch(/./)
      expect(isLoggedIn).toBe('true')

      await page.clock.runFor(999)
      expect(pathOf(page)).toBe('/login')
      await page.clock.runFor(1)
      await page.waitForURL(`**${landing}`)
      await page.clock.resume()
      await page.getByRole('heading', { level: 1, name: title }).first().waitFor()
    },
  )
})

describe('a failed login', () => {
  test('[G-6 L-15] shows a toast at the top right for four seconds or until it is closed, and keeps the typed email', async () => {
    const page = await openForm(desktop)
    await pauseClock(page)
    expectConsoleErrors(/401/)
    const { email: address } = portal().learner(1)
    await logIn(page, { email: address, password: 'Not-the-one-1' })
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe('Invalid credentials')
    const box = await toast(page).boundingBox()
    expect(box && box.y < 60 && desktop.width - (box.x + box.width) < 60).toBe(true)
    expect(await storedSession(page)).toEqual(noSession)
    await waitForFocus(password(page))
    expect(await email(page).inputValue()).toBe(address)

    await page.clock.runFor(3_999)
    expect(await toast(page).isVisible()).toBe(true)
    await page.clock.runFor(1)
    await toast(page).waitFor({ state: 'hidden' })

    await submit(page).click()
    await toast(page).waitFor()
    await page.getByRole('button', { name: 'Close message' }).click()
    await toast(page).waitFor({ state: 'hidden' })
    expect(pathOf(page)).toBe('/login')
  })

  test.each([
    [
      'a rejection without a message',
      401,
      { success: false, code: 'unauthenticated', message: '' },
      'Invalid credentials',
    ],
    [
      'a failure with a message',
      503,
      { success: false, code: 'unavailable', message: 'Back at noon.' },
      'Back at noon.',
    ],
    [
      'a failure without a message',
      500,
      { success: false, code: 'internal', message: '' },
      'An error occurred during login',
    ],
    ['a failure of a proxy', 502, { gateway: 'down' }, 'The server answered with status 502'],
  ])('[L-19] shows the reason: %s', async (_what, status, body, message) => {
    const page = await openForm()
    expectConsoleErrors(new RegExp(`status of ${status}`))
    await mockError(page, logInRoute, status, body)
    await logIn(page, portal().learner(1))
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe(message)
    expect(await storedSession(page)).toEqual(noSession)

    await page.unrouteAll()
    await submit(page).click()
    await page.waitForURL('**/home')
  })

  test('[G-55] shows a network error, and works when the network is back', async () => {
    const page = await openForm()
    expectConsoleErrors(/net::ERR_/)
    await abortRequests(page, logInRoute)
    await logIn(page, portal().learner(1))
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe(networkErrorMessage)
    expect(await toast(page).textContent()).toBe(
      'Unable to connect to server. Please check your internet connection or try again later.',
    )
    await page.unrouteAll()
    await submit(page).click()
    await page.waitForURL('**/home')
  })
})
