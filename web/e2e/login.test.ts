import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, waitForFocus, delayRequests, setUpJourneys, pauseClock } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** The login of each role, and its failures. */
const { portal, newContext, open, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(2))

const logInRoute = /^\/auth\/login$/
const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: /^Log(in|ging in\.\.\.)$/ })
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' }).getByRole('alert')

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
      await expect(email(page)).toHaveAttribute('type', 'email')
      await expect(email(page)).toHaveAttribute('required')
      await expect(password(page)).toHaveAttribute('required')
      const partners = page.getByRole('list', { name: 'Offered by' }).getByRole('listitem')
      await expect(partners).toHaveText([
        'Technical institute',
        'Skills council',
        'Implementation partner',
        'Partner universities',
      ])
      for (const logo of await partners.locator('svg').all()) await expect(logo).toBeVisible()

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
    await expect(page.getByText('Password is required')).toBeVisible()

    await page.keyboard.press('Enter')
    await page.getByText('Please enter a valid email address').waitFor()
    await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
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
    await expect(password(page)).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password(page)).toHaveAttribute('type', 'text')
    // The field keeps the focus.
    await waitForFocus(password(page))
    await page.getByRole('button', { name: 'Hide password' }).focus()
    await page.keyboard.press('Enter')
    await expect(password(page)).toHaveAttribute('type', 'password')
    await expect(password(page)).toHaveValue('Correct-horse1')
  })
})

describe('logging in', () => {
  test("[L-11] shows 'Logging in...' on a slow network and sends one request", async () => {
    const page = await openForm()
    const logIns = countLogIns(page)
    const release = await delayRequests(page, logInRoute)
    await logIn(page, portal().learner(1))
    await page.getByRole('button', { name: 'Logging in...' }).waitFor()
    await expect(submit(page)).toBeDisabled()
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
      await expect(page).toHaveURL('/login')
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
    await expect(toast(page)).toHaveText('Invalid credentials')
    const box = await toast(page).boundingBox()
    expect(box && box.y < 60 && desktop.width - (box.x + box.width) < 60).toBe(true)
    expect(await storedSession(page)).toEqual(noSession)
    await waitForFocus(password(page))
    await expect(email(page)).toHaveValue(address)

    await page.clock.runFor(3_999)
    await expect(toast(page)).toBeVisible()
    await page.clock.runFor(1)
    await toast(page).waitFor({ state: 'hidden' })

    await submit(page).click()
    await toast(page).waitFor()
    await page.getByRole('button', { name: 'Close message' }).click()
    await toast(page).waitFor({ state: 'hidden' })
    await expect(page).toHaveURL('/login')
  })
})
