import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { startEmptyPortal } from './portals.ts'
import { cutOff, hasFocus, journeysOn, refuse, stopClock } from './journeys.ts'
import {
  calls,
  enterAccount,
  field,
  fillContact,
  newcomer,
  type Newcomer,
  press,
  says,
  saysNoMore,
} from './registration-form.ts'

/** The last step to an account, with the codes that are really sent. */
const { newContext, open, sentTo, expectProblem } = journeysOn(startEmptyPortal)

const toContact = async () => {
  const page = await open(await newContext(), '/register')
  await enterAccount(page)
  return page
}
const toCodes = async (who: Newcomer) => {
  const page = await toContact()
  await fillContact(page, who)
  await press(page, 'Send OTPs to Email & Phone')
  await says(page, 'Step 3 of 3')
  return page
}

const codeTo = async (to: string) => (await sentTo(to)).code ?? ''
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
// What runs in the page is text here: these files know no page's globals.
const isLoggedIn = (page: Page) => page.evaluate<string | null>("localStorage.getItem('isLoggedIn')")

describe('step 3, the codes', () => {
  test('asks for at least one, with six digits, and keeps digits only', async () => {
    const page = await toCodes(newcomer())
    await hasFocus(field(page, 'Email OTP'))
    await press(page, 'Verify')
    await says(page, 'Please enter at least one OTP (email or phone)')
    await field(page, 'Phone OTP').pressSequentially('1a2 3')
    expect(await field(page, 'Phone OTP').inputValue()).toBe('123')
    await saysNoMore(page, 'Please enter at least one OTP (email or phone)')
    await press(page, 'Verify')
    await says(page, 'OTP must be exactly 6 digits')
    await hasFocus(field(page, 'Phone OTP'))
    await page.keyboard.type('4567')
    expect(await field(page, 'Phone OTP').inputValue()).toBe('123456')
  })

  test("[R-9] leads by 'edit' to the field to be changed, and by Back to both, and keeps what was typed", async () => {
    const who = newcomer()
    const page = await toCodes(who)
    await field(page, 'Email OTP').fill('123')
    await press(page, 'edit phone')
    await hasFocus(field(page, 'Mobile number'))
    expect(await field(page, 'Email').inputValue()).toBe(who.email)
    const changed = { ...newcomer(), email: who.email }
    await fillContact(page, changed)
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Step 3 of 3')
    // The address has had its code a moment ago, which stays good; the number has its own at once.
    expect(await field(page, 'Email OTP').inputValue()).toBe('123')
    expect(await codeTo(changed.phone)).toMatch(/^\d{6}$/)
    await press(page, 'edit email')
    await hasFocus(field(page, 'Email'))
    const other = { ...changed, email: newcomer().email }
    await fillContact(page, other)
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, other.email)
    await says(page, other.phone)
    await press(page, 'Back')
    await says(page, 'Step 2 of 3')
    expect(await field(page, 'Mobile number').inputValue()).toBe(other.phone)
  })

  test('[R-8] sends each code again after 30 seconds, not before, and says how it went', async () => {
    expectProblem(/status of (429|503)/)
    const page = await toContact()
    await stopClock(page)
    await fillContact(page, newcomer())
    await press(page, 'Send OTPs to Email & Phone')
    const wait = (seconds: number) => page.getByText(`in ${seconds} s`, { exact: true })
    await wait(30).first().waitFor()
    expect(await wait(30).count()).toBe(2)
    await page.clock.runFor(29_000)
    await wait(1).first().waitFor()
    for (const name of ['Resend Email OTP', 'Resend Phone OTP'])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    await page.clock.runFor(1_000)
    await wait(0).waitFor({ state: 'hidden' })

    // The server may ask for more, and says for how much.
    await refuse(page, calls.resend, 429, {
      success: false,
      code: 'too-many-requests',
      message: 'Please wait 12 seconds before requesting another OTP.',
      retryAfterSeconds: 12,
    })
    await press(page, 'Resend Email OTP')
    await says(page, 'Please wait 12 seconds before requesting another OTP.')
    await wait(12).waitFor()
    await page.unrouteAll()
    await refuse(page, calls.resend, 503, { success: false, code: 'unavailable', message: '' })
    await press(page, 'Resend Phone OTP')
    await says(page, 'Failed to resend OTP. Please try again.')
    await page.unrouteAll()
    await page.route('**/auth/register/resend-otp', (route) => route.fulfill({ json: { success: true, message: '' } }))
    await press(page, 'Resend Phone OTP')
    await says(page, 'OTP resent successfully to your mobile!')
    await wait(30).waitFor()
    await page.clock.runFor(30_000)
    await press(page, 'Resend Email OTP')
    await says(page, 'OTP resent successfully to your email!')
  })

  test('[R-14 R-25] takes a pasted code, says that a wrong one is wrong, and makes the account with the right one', async () => {
    expectProblem(/net::ERR_|status of (400|500)/)
    const who = newcomer()
    const page = await toCodes(who)
    const code = await codeTo(who.email)
    await field(page, 'Email OTP').fill(wrong(code))
    await press(page, 'Verify')
    const refusal = 'OTP verification failed. Please try again.'
    await page.getByRole('alert').getByText(refusal).waitFor()
    await page.getByRole('main').getByText(refusal).waitFor()
    await refuse(page, calls.verify, 500, { success: false, code: 'internal', message: '' })
    await press(page, 'Verify')
    await says(page, 'Failed to verify OTPs. Please try again.')
    await page.unrouteAll()
    await cutOff(page, calls.verify)
    await press(page, 'Verify')
    await says(page, networkErrorMessage)
    await page.unrouteAll()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(`navigator.clipboard.writeText('Your code is ${code.slice(0, 3)} ${code.slice(3)}.')`)
    await field(page, 'Email OTP').focus()
    await page.keyboard.press('Control+V')
    expect(await field(page, 'Email OTP').inputValue()).toBe(code)
    await stopClock(page)
    await page.keyboard.press('Enter')
    await says(page, 'Account created successfully! Redirecting to home page...')
    await eventually('somebody is logged in', async () => (await isLoggedIn(page)) === 'true')
    await page.clock.runFor(1_999)
    expect(new URL(page.url()).pathname).toBe('/register')
    await page.clock.runFor(1)
    await page.waitForURL('**/home')
    expect(await page.evaluate("JSON.parse(localStorage.getItem('user')).fullName")).toBe('Asha Verma')
  })

  test.each([
    ['is refused', (page: Page) => refuse(page, calls.logIn, 401, { success: false, message: 'Invalid credentials' })],
    ['does not get through', (page: Page) => cutOff(page, calls.logIn)],
  ])('[R-15] leads to the log-in page after 2 seconds when logging in by itself %s', async (_how, fail) => {
    expectProblem(/net::ERR_|status of 401/)
    const who = newcomer()
    const page = await toCodes(who)
    await fail(page)
    await field(page, 'Phone OTP').fill(await codeTo(who.phone))
    await stopClock(page)
    await press(page, 'Verify')
    await says(page, 'Account created successfully! Redirecting to home page...')
    await says(page, 'Please log in with your new account.')
    await page.clock.runFor(1_999)
    expect(new URL(page.url()).pathname).toBe('/register')
    await page.clock.runFor(1)
    await page.waitForURL('**/login')
    expect(await isLoggedIn(page)).toBeNull()
  })
})
