import { AxeBuilder } from '@axe-core/playwright'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { logOut, pauseClock, setUpJourneys, storedSession, waitForFocus, waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'
import { clickButton, field, fillAccountStep, fillContact, newContact, waitForText } from './registration-form.ts'
import { fillLogin } from './screens.ts'

/** The ways in: a login, a registration with codes from the outbox, and a new password by mail. */
const { portal, newContext, newContextWith, open, openAs, signIn, findSentMessage, expectConsoleErrors } =
  setUpJourneys(() => startSamplePortal(4))

describe('the login', () => {
  test('[L-2 L-3] shows its partners and leads to its links', { tags: ['essential'] }, async () => {
    const page = await open(await newContext(), '/login')
    const welcome = page.getByRole('heading', { level: 1, name: 'Welcome back' })
    await welcome.waitFor()
    const partners = page.getByRole('list', { name: 'Offered by' }).getByRole('listitem')
    await expect(partners).toHaveCount(4)
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
      await welcome.waitFor()
    }
  })

  test.each([
    ['admin', '/admin/dashboard', 'Dashboard'],
    ['faculty', '/faculty/dashboard', /^Welcome, /],
    ['student', '/home', /^Good /],
  ] as const)('[L-12] leads the %s to %s', { tags: ['essential'] }, async (role, landing, title) => {
    const { admin, faculty, learner } = portal()
    const account = { admin, faculty, student: learner(1) }[role]
    const page = await open(await newContext(), '/login')
    await fillLogin(page, account)
    await page.waitForURL(`**${landing}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const [user, token, isLoggedIn] = await storedSession(page)
    expect(JSON.parse(user ?? '')).toMatchObject({ personalEmail: account.email, role })
    expect([token, isLoggedIn]).toEqual([expect.stringMatching(/./), 'true'])
  })
})

const codeTo = async (to: string) => (await findSentMessage(to)).code ?? ''

test(
  '[R-2 R-14 R-25] a registration requires its fields, rejects a wrong code, and accepts a pasted one',
  { tags: ['essential'] },
  async () => {
    expectConsoleErrors(/status of 400/)
    const who = newContact()
    const page = await open(await newContext(), '/register')
    await clickButton(page, 'Save')
    for (const label of ['Name', 'University Name', 'Password', 'Confirm Password'])
      await waitForText(page, `${label} is required`)
    await waitForFocus(field(page, 'Name'))
    await fillAccountStep(page)
    await fillContact(page, who)
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Step 3 of 3')
    const code = await codeTo(who.email)
    expect(await codeTo(who.phone)).toMatch(/^\d{6}$/)
    await field(page, 'Email OTP').fill(code === '000000' ? '111111' : '000000')
    await clickButton(page, 'Verify')
    await page.getByRole('main').getByText('OTP verification failed. Please try again.').waitFor()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(`navigator.clipboard.writeText('Your code is ${code.slice(0, 3)} ${code.slice(3)}.')`)
    await field(page, 'Email OTP').focus()
    await page.keyboard.press('Control+V')
    await expect(field(page, 'Email OTP')).toHaveValue(code)
    await pauseClock(page)
    await page.keyboard.press('Enter')
    await waitForText(page, 'Account created successfully! Redirecting to home page...')
    await expect.poll(async () => (await storedSession(page)).at(-1)).toBe('true')
    await page.clock.runFor(1_999)
    await expect(page).toHaveURL('/register')
    await page.clock.runFor(1)
    await page.waitForURL('**/home')
    const [user] = await storedSession(page)
    expect(JSON.parse(user ?? '')).toMatchObject({ fullName: 'Asha Verma' })
  },
)

test('a registration goes back by Back, goes on at its codes after a reload, and names the newest code to a user who types an older one', async () => {
  expectConsoleErrors(/status of 400/)
  const who = newContact()
  const page = await open(await newContext(), '/register')
  await fillAccountStep(page)
  await fillContact(page, who)
  // The browser's own Back is that of the form.
  await page.goBack()
  await waitForText(page, 'Step 1 of 3')
  await expect(field(page, 'Name')).toHaveValue('Asha Verma')
  await clickButton(page, 'Save')
  await waitForText(page, 'Step 2 of 3')
  await expect(field(page, 'Email')).toHaveValue(who.email)
  await clickButton(page, 'Send OTPs to Email & Phone')
  await waitForText(page, 'Step 3 of 3')
  const code = await codeTo(who.email)
  await page.reload()
  await waitForText(page, 'Step 3 of 3')
  await waitForFocus(field(page, 'Email OTP'))
  await field(page, 'Email OTP').fill(code === '000000' ? '111111' : '000000')
  await clickButton(page, 'Verify')
  await page.getByText(/Only the newest code works\. It was sent at \d+:\d\d [AP]M\.$/).waitFor()
  await field(page, 'Email OTP').fill(code)
  await clickButton(page, 'Verify')
  await waitForText(page, 'Account created successfully! Please log in.')
  await page.waitForURL('**/login')
  await expect(field(page, 'Email')).toHaveValue(who.email)
  await waitForFocus(field(page, 'Password'))
  await page.goto('/register')
  await waitForText(page, 'Step 1 of 3')
  await expect(field(page, 'Name')).toHaveValue('')
})

test(
  '[W-2] a password reset by mail ends the sessions of other browsers at once',
  { tags: ['essential'] },
  async () => {
    const { email } = portal().learner(2)
    const elsewhere = await openAs(portal().learner(2), '/profile')
    await elsewhere.getByRole('heading', { level: 1 }).waitFor()

    const page = await open(await newContext(), '/reset-password')
    await page.getByLabel('Personal email').fill(email)
    await clickButton(page, 'Send Reset Link')
    await page.getByText('Password reset link sent to your email!').waitFor()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()

    const { link = '' } = await findSentMessage(email, (message) => message.link !== undefined)
    const { origin, pathname, search } = new URL(link)
    expect(new URL(origin).port).toBe(new URL(portal().ownAddress).port)
    await page.goto(pathname + search)
    await page.getByRole('heading', { name: 'Set New Password' }).waitFor()
    await expect(page).toHaveURL('/reset-password')
    // The token is removed from the address and survives a reload.
    await page.reload()
    const password = 'Haystack-2026'
    await page.getByLabel('New Password').fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await waitForIdle(elsewhere)
    await clickButton(page, 'Reset Password')
    await page.getByText('Password reset successfully! Redirecting to login...').waitFor()
    await elsewhere.waitForURL('**/login')
    await elsewhere.getByText('Your session has ended. Please log in again.').waitFor()
    await page.waitForURL('**/login')
    await fillLogin(page, { email, password })
    await page.waitForURL('**/home')
  },
)

test(
  '[E-2 E-3] the link in an email opens a page, whose button calls the portal',
  { tags: ['essential'] },
  async () => {
    expectConsoleErrors(/400/)
    const page = await open(await newContext(), '/notifications/unsubscribe?token=cut-off')
    await expect(page).toHaveURL('/notifications/unsubscribe?token=cut-off')
    await clickButton(page, 'Stop emails')
    await expect(page.getByRole('alert')).toHaveText(
      'This link is not complete. Please open it again from the email, or choose your emails in your profile',
    )
    await page.getByRole('link', { name: 'Choose your emails instead' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  },
)

const codeIn = (seconds: number, secret: string): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + seconds })

test('[L-23 X-46 X-47] a learner turns on two-step verification, and logs in with a code of the app', async () => {
  expectConsoleErrors(/status of 401/)
  const account = portal().learner(4)
  const page = await openAs(account, '/profile/security')
  await clickButton(page, 'Turn on')
  await page.getByRole('dialog').getByLabel('Your password').fill(account.password)
  await clickButton(page, 'Continue')
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const uri = await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href')
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? ''
  await field(page, 'Code from your authenticator app').fill(codeIn(0, secret))
  await clickButton(page, 'Turn on')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  const download = page.waitForEvent('download')
  await clickButton(page, 'Download')
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt')

  const elsewhere = await open(await newContext(), '/login')
  await field(elsewhere, 'Email').fill(account.email)
  await field(elsewhere, 'Password').fill(account.password)
  await clickButton(elsewhere, 'Login')
  // Each code works once, and that of the next half minute already.
  await field(elsewhere, 'Code from your authenticator app').fill(codeIn(30, secret))
  await clickButton(elsewhere, 'Login')
  await elsewhere.waitForURL('**/home')
})

const axeFindings = async (page: Page): Promise<readonly string[]> => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)
}

/** The screen lock of the device, which always recognizes its owner. */
const addVirtualAuthenticator = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('[L-26 X-49 X-50] a learner adds a passkey, logs in with it, and confirms its removal with it', async () => {
  expectConsoleErrors(/status of 401/)
  const account = portal().learner(3)
  // Browsers make passkeys for names only.
  const baseURL = portal().address.replace('127.0.0.1', 'localhost')
  const page = await signIn(await newContextWith({ viewport: phone, baseURL, reducedMotion: 'reduce' }), account)
  await page.waitForURL('**/home')
  await addVirtualAuthenticator(page)
  await page.goto('/profile/security')
  await clickButton(page, 'Add a passkey')
  await page.getByRole('dialog').getByLabel('Your password').fill(account.password)
  await clickButton(page, 'Continue')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await clickButton(page, 'Done')
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toContainText('Never used')
  expect(await axeFindings(page)).toEqual([])

  await page.goto('/profile')
  await logOut(page)
  await page.waitForURL('**/login')
  await field(page, 'Email').fill(account.email)
  await field(page, 'Password').fill(account.password)
  await clickButton(page, 'Login')
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await clickButton(page, 'Use a passkey')
  await page.waitForURL('**/home')
  await page.goto('/profile/security')
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toContainText('Last used')
  await page.getByRole('button', { name: /^Remove / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(account.password)
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed').waitFor()
})
