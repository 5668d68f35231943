import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { describe, expect, test } from 'vitest'
import { startEmptyPortal } from './portals.ts'
import { cutOff, hasFocus, holdBack, journeysOn, refuse } from './journeys.ts'
import {
  calls,
  chooseUniversity,
  enterAccount,
  field,
  fillContact,
  newcomer,
  password,
  press,
  says,
  saysNoMore,
  university,
} from './registration-form.ts'

/** The first two steps to an account: who one is, and how one is reached. */
const { newContext, open, expectProblem } = journeysOn(startEmptyPortal)

const toContact = async () => {
  const page = await open(await newContext(), '/register')
  await enterAccount(page)
  return page
}

describe('step 1, Create Account', () => {
  test('[R-2] asks for everything, then for a strong password, then for the same again', async () => {
    const page = await open(await newContext(), '/register')
    await page.getByRole('heading', { level: 1, name: 'Create Account' }).waitFor()
    await press(page, 'Save')
    for (const label of ['Name', 'University Name', 'Password', 'Confirm Password'])
      await says(page, `${label} is required`)
    await hasFocus(field(page, 'Name'))
    await page.keyboard.type('   ')
    await saysNoMore(page, 'Name is required')
    await press(page, 'Save')
    await says(page, 'Name is required')
    await field(page, 'Name').fill('Asha Verma')
    await press(page, 'Save')
    await hasFocus(university(page))
    await chooseUniversity(page)
    await saysNoMore(page, 'University Name is required')

    for (const [typed, message] of [
      ['short', 'Password must be at least 8 characters long'],
      ['lowercase', 'Password must contain at least one uppercase letter'],
      ['UPPERCASE', 'Password must contain at least one lowercase letter'],
      ['NoDigitHere', 'Password must contain at least one digit'],
      ['Nothing5pecial', 'Password must contain at least one special character'],
    ] as const) {
      await field(page, 'Password').fill(typed)
      await press(page, 'Save')
      await says(page, message)
    }
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm Password').fill('Correct-horse2')
    await press(page, 'Save')
    await says(page, 'Passwords do not match')
    await hasFocus(field(page, 'Confirm Password'))
    await page.getByRole('button', { name: 'Show password' }).first().click()
    expect(await field(page, 'Password').getAttribute('type')).toBe('text')
    expect(await field(page, 'Confirm Password').getAttribute('type')).toBe('password')
    await field(page, 'Confirm Password').fill(password)
    await saysNoMore(page, 'Passwords do not match')
    await press(page, 'Save')
    await says(page, 'Step 2 of 3')
  })

  test('offers the universities of the server, and another try when they do not come', async () => {
    expectProblem(/net::ERR_|status of 503/)
    const page = await open(await newContext(), '/login')
    await cutOff(page, calls.universities)
    await page.getByRole('link', { name: 'Sign Up' }).click()
    const failure = page.getByText('Failed to load universities. Please try again.')
    await failure.waitFor()
    expect(await university(page).isDisabled()).toBe(true)
    await page.unrouteAll()
    await refuse(page, calls.universities, 503, { success: false, code: 'unavailable', message: '' })
    await press(page, 'Try again')
    await failure.waitFor()

    await page.unrouteAll()
    const letThrough = await holdBack(page, calls.universities)
    await press(page, 'Try again')
    await says(page, 'Loading universities...')
    letThrough()
    await says(page, 'Choose your university')
    const response = await page.request.get('/api/universities', { headers: { accept: 'application/json' } })
    const names: string[] = (await response.json()).map(({ name }: { name: string }) => name)
    expect(names.length).toBeGreaterThan(0)
    await university(page).click()
    expect(await page.getByRole('option').allTextContents()).toEqual(names)
  })
})

describe('step 2, email and phone', () => {
  test('asks for both, in the right form, and takes only digits for the number', async () => {
    const page = await toContact()
    await hasFocus(field(page, 'Email'))
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Email is required')
    await says(page, 'Mobile number is required')
    await field(page, 'Email').fill('asha@example')
    await field(page, 'Mobile number').pressSequentially('98-765 x')
    expect(await field(page, 'Mobile number').inputValue()).toBe('98765')
    await saysNoMore(page, 'Mobile number is required')
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Please enter a valid email address')
    await says(page, 'Mobile number must be exactly 10 digits')
    await field(page, 'Mobile number').fill('987654321012345')
    expect(await field(page, 'Mobile number').inputValue()).toBe('9876543210')
  })

  test('[R-5] goes back to step 1 and forth again with all that was typed', async () => {
    const page = await toContact()
    const who = newcomer()
    await fillContact(page, who)
    await press(page, 'Back')
    await says(page, 'Step 1 of 3')
    expect(await field(page, 'Name').inputValue()).toBe('Asha Verma')
    expect(await university(page).textContent()).not.toBe('Choose your university')
    expect(await field(page, 'Password').inputValue()).toBe(password)
    expect(await field(page, 'Confirm Password').inputValue()).toBe(password)
    await press(page, 'Save')
    expect(await field(page, 'Email').inputValue()).toBe(who.email)
    expect(await field(page, 'Mobile number').inputValue()).toBe(who.phone)
  })

  test('leads back to a password that is too easy to guess, with the words for it, and on once it is another one', async () => {
    expectProblem(/status of 400/)
    const page = await open(await newContext(), '/register')
    await field(page, 'Name').fill('Asha Verma')
    await chooseUniversity(page)
    await field(page, 'Password').fill('Password1!')
    await field(page, 'Confirm Password').fill('Password1!')
    await press(page, 'Save')
    await fillContact(page, newcomer())
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Step 1 of 3')
    await hasFocus(field(page, 'Password'))
    await page.locator('form').getByText('This password is too common.', { exact: false }).waitFor()
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm Password').fill(password)
    await press(page, 'Save')
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Step 3 of 3')
  })

  test('[R-23] stays, and says why, until the codes are sent', async () => {
    expectProblem(/net::ERR_|status of (500|409)/)
    const page = await toContact()
    await fillContact(page, { ...newcomer(), email: 'admin@example.com' })
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'An account with this email already exists. Please log in.')

    await fillContact(page, newcomer())
    await refuse(page, calls.send, 500, { success: false, code: 'internal', message: '' })
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, 'Failed to send OTPs. Please try again.')
    await page.unrouteAll()
    await cutOff(page, calls.send)
    await press(page, 'Send OTPs to Email & Phone')
    await says(page, networkErrorMessage)
    expect(await page.getByText('Step 2 of 3').isVisible()).toBe(true)

    await page.unrouteAll()
    const letThrough = await holdBack(page, calls.send)
    await press(page, 'Send OTPs to Email & Phone')
    await page.getByRole('button', { name: 'Sending OTPs...' }).waitFor()
    expect(await page.getByRole('button', { name: 'Back' }).isDisabled()).toBe(true)
    letThrough()
    await says(page, 'OTPs sent successfully to your email and phone!')
    await says(page, 'Step 3 of 3')
  })
})
