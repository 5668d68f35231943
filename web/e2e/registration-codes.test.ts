import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { expect } from './expect.ts'
import { startEmptyPortal } from './portals.ts'
import { waitForFocus, setUpJourneys, pauseClock } from './journeys.ts'
import {
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
    await expect(field(page, 'Phone OTP')).toHaveValue('123')
    await waitForTextHidden(page, 'Please enter at least one OTP (email or phone)')
    await clickButton(page, 'Verify')
    await waitForText(page, 'OTP must be exactly 6 digits')
    await waitForFocus(field(page, 'Phone OTP'))
    await page.keyboard.type('4567')
    await expect(field(page, 'Phone OTP')).toHaveValue('123456')
  })

  test("[R-9] returns to one field by 'edit' and to both by Back, and keeps the typed text", async () => {
    const who = newContact()
    const page = await openCodesStep(who)
    await field(page, 'Email OTP').fill('123')
    await clickButton(page, 'edit phone')
    await waitForFocus(field(page, 'Mobile number'))
    await expect(field(page, 'Email')).toHaveValue(who.email)
    const changed = { ...newContact(), email: who.email }
    await fillContact(page, changed)
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Step 3 of 3')
    // The email's recent code stays valid. The new number gets a code at once.
    await expect(field(page, 'Email OTP')).toHaveValue('123')
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
    await expect(field(page, 'Mobile number')).toHaveValue(other.phone)
  })

  test(
    '[R-14 R-25] accepts a pasted code, rejects a wrong one, and creates the account with the right one',
    { tags: ['essential'] },
    async () => {
      expectConsoleErrors(/status of 400/)
      const who = newContact()
      const page = await openCodesStep(who)
      const code = await codeTo(who.email)
      await field(page, 'Email OTP').fill(wrong(code))
      await clickButton(page, 'Verify')
      const rejection = 'OTP verification failed. Please try again.'
      await page.getByRole('main').getByText(rejection).waitFor()
      await expect(page.getByRole('alert')).toHaveCount(0)

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate(`navigator.clipboard.writeText('Your code is ${code.slice(0, 3)} ${code.slice(3)}.')`)
      await field(page, 'Email OTP').focus()
      await page.keyboard.press('Control+V')
      await expect(field(page, 'Email OTP')).toHaveValue(code)
      await pauseClock(page)
      await page.keyboard.press('Enter')
      await waitForText(page, 'Account created successfully! Redirecting to home page...')
      await expect.poll(() => isLoggedIn(page)).toBe('true')
      await page.clock.runFor(1_999)
      await expect(page).toHaveURL('/register')
      await page.clock.runFor(1)
      await page.waitForURL('**/home')
      expect(await page.evaluate("JSON.parse(localStorage.getItem('user')).fullName")).toBe('Asha Verma')
    },
  )
})
