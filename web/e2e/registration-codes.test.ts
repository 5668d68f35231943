import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { startEmptyPortal } from './portals.ts'
import { abortRequests, waitForFocus, setUpJourneys, mockError, pauseClock } from './journeys.ts'
import {
  routes,
  fillAccountStep,
  field,
  fillContact,
  newContact,
  type Contact,
  clickButton,
  waitForText,
  waitForTextHidden,
} from './registration-form.ts'

/** Step 3 of the registration, with real codes from the outbox. */
const { newContext, open, findSentMessage, expectConsoleErrors } = setUpJourneys(startEmptyPortal)

const openContactStep = async () => {
  const page = await open(await newContext(), '/register')
  await fillAccountStep(page)
  return page
}
const openCodesStep = async (who: Contact) => {
  const page = await openContactStep()
  await fillContact(page, who)
  await clickButton(page, 'Send OTPs to Email & Phone')
  await waitForText(page, 'Step 3 of 3')
  return page
}

const codeTo = async (to: string) => (await findSentMessage(to)).code ?? ''
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
// Page code is a string, because these files have no DOM types.
const isLoggedIn = (page: Page) => page.evaluate<string | null>("localStorage.getItem('isLoggedIn')")

describe('step 3, codes', () => {
  test('requires at least one code of six digits, and accepts only digits', async () => {
    const page = await openCodesStep(newContact())
    await waitForFocus(field(page, 'Email OTP'))
    await clickButton(page, 'Verify')
    await waitForText(page, 'Please enter at least one OTP (email or phone)')
    await field(page, 'Phone OTP').pressSequentially('1a2 3')
    expect(await field(page, 'Phone OTP').inputValue()).toBe('123')
    await waitForTextHidden(page, 'Please enter at least one OTP (email or phone)')
    await clickButton(page, 'Verify')
    await waitForText(page, 'OTP must be exactly 6 digits')
    await waitForFocus(field(page, 'Phone OTP'))
    await page.keyboard.type('4567')
    expect(await field(page, 'Phone OTP').inputValue()).toBe('123456')
  })

  test("[R-9] returns to one field by 'edit' and to both by Back, and keeps the typed text", async () => {
    const who = newContact()
    const page = await openCodesStep(who)
    await field(page, 'Email OTP').fill('123')
    await clickButton(page, 'edit phone')
    await waitForFocus(field(page, 'Mobile number'))
    expect(await field(page, 'Email').inputValue()).toBe(who.email)
    const changed = { ...newContact(), email: who.email }
    await fillContact(page, changed)
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Step 3 of 3')
    // The email's recent code stays valid. The new number gets a code at once.
    expect(await field(page, 'Email OTP').inputValue()).toBe('123')
    expect(await codeTo(changed.phone)).toMatch(/^\d{6}$/)
    await clickButton(page, 'edit email')
    await waitForFocus(field(page, 'Email'))
    const other = { ...changed, email: newContact().email }
    await fillContact(page, other)
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, other.email)
    await waitForText(page, other.phone)
    await clickButton(page, 'Back')
    await waitForText(page, 'Step 2 of 3')
    expect(await field(page, 'Mobile number').inputValue()).toBe(other.phone)
  })

  test('[R-8] resends each code after 30 seconds, not before, and shows the result', async () => {
    expectConsoleErrors(/status of (429|503)/)
    const page = await openContactStep()
    await pauseClock(page)
    await fillContact(page, newContact())
    await clickButton(page, 'Send OTPs to Email & Phone')
    const wait = (seconds: number) => page.getByText(`in ${seconds} s`, { exact: true })
    await wait(30).first().waitFor()
    expect(await wait(30).count()).toBe(2)
    await page.clock.runFor(29_000)
    await wait(1).first().waitFor()
    for (const name of ['Resend Email OTP', 'Resend Phone OTP'])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    await page.clock.runFor(1_000)
    await wait(0).waitFor({ state: 'hidden' })

    // The server may require a longer delay, which it returns.
    await mockError(page, routes.resend, 429, {
      success: false,
      code: 'too-many-requests',
      message: 'Please wait 12 seconds before requesting another OTP.',
      retryAfterSeconds: 12,
    })
    await clickButton(page, 'Resend Email OTP')
    await waitForText(page, 'Please wait 12 seconds before requesting another OTP.')
    await wait(12).waitFor()
    await page.unrouteAll()
    await mockError(page, routes.resend, 503, { success: false, code: 'unavailable', message: '' })
    await clickButton(page, 'Resend Phone OTP')
    await waitForText(page, 'Failed to resend OTP. Please try again.')
    await page.unrouteAll()
    await page.route('**/auth/register/resend-otp', (route) => route.fulfill({ json: { success: true, message: '' } }))
    await clickButton(page, 'Resend Phone OTP')
    await waitForText(page, 'OTP resent successfully to your mobile!')
    await wait(30).waitFor()
    await page.clock.runFor(30_000)
    await clickButton(page, 'Resend Email OTP')
    await waitForText(page, 'OTP resent successfully to your email!')
  })

  test(
    '[R-14 R-25] accepts a pasted code, rejects a wrong one, and creates the account with the right one',
    { tags: ['essential'] },
    async () => {
      expectConsoleErrors(/net::ERR_|status of (400|500)/)
      const who = newContact()
      const page = await openCodesStep(who)
      const code = await codeTo(who.email)
      await field(page, 'Email OTP').fill(wrong(code))
      await clickButton(page, 'Verify')
      const rejection = 'OTP verification failed. Please try again.'
      await page.getByRole('main').getByText(rejection).waitFor()
      expect(await page.getByRole('alert').all()).toEqual([])
      await mockError(page, routes.verify, 500, { success: false, code: 'internal', message: '' })
      await clickButton(page, 'Verify')
      await waitForText(page, 'Failed to verify OTPs. Please try again.')
      await page.unrouteAll()
      await abortRequests(page, routes.verify)
      await clickButton(page, 'Verify')
      await waitForText(page, networkErrorMessage)
      await page.unrouteAll()

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate(`navigator.clipboard.writeText('Your code is ${code.slice(0, 3)} ${code.slice(3)}.')`)
      await field(page, 'Email OTP').focus()
      await page.keyboard.press('Control+V')
      expect(await field(page, 'Email OTP').inputValue()).toBe(code)
      await pauseClock(page)
      await page.keyboard.press('Enter')
      await waitForText(page, 'Account created successfully! Redirecting to home page...')
      await eventually('the session is stored', async () => (await isLoggedIn(page)) === 'true')
      await page.clock.runFor(1_999)
      expect(new URL(page.url()).pathname).toBe('/register')
      await page.clock.runFor(1)
      await page.waitForURL('**/home')
      expect(await page.evaluate("JSON.parse(localStorage.getItem('user')).fullName")).toBe('Asha Verma')
    },
  )

  test.each([
    [
      'is rejected',
      (page: Page) => mockError(page, routes.logIn, 401, { success: false, message: 'Invalid credentials' }),
    ],
    ['fails on the network', (page: Page) => abortRequests(page, routes.logIn)],
  ])('[R-15] redirects to the login page after 2 seconds if the automatic login %s', async (_how, fail) => {
    expectConsoleErrors(/net::ERR_|status of 401/)
    const who = newContact()
    const page = await openCodesStep(who)
    await fail(page)
    await field(page, 'Phone OTP').fill(await codeTo(who.phone))
    await pauseClock(page)
    await clickButton(page, 'Verify')
    await waitForText(page, 'Account created successfully! Redirecting to home page...')
    await waitForText(page, 'Please log in with your new account.')
    await page.clock.runFor(1_999)
    expect(new URL(page.url()).pathname).toBe('/register')
    await page.clock.runFor(1)
    await page.waitForURL('**/login')
    expect(await isLoggedIn(page)).toBeNull()
  })
})
