import { describe, test } from 'vitest'
import { expect } from './expect.ts'
import { startEmptyPortal } from './portals.ts'
import { waitForFocus, setUpJourneys } from './journeys.ts'
import {
  chooseUniversity,
  fillAccountStep,
  field,
  fillContact,
  newContact,
  password,
  clickButton,
  waitForText,
  waitForTextHidden,
  university,
} from './registration-form.ts'

/** The first two steps of the registration: account and contact. */
const { newContext, open, expectConsoleErrors } = setUpJourneys(startEmptyPortal)

const openContactStep = async () => {
  const page = await open(await newContext(), '/register')
  await fillAccountStep(page)
  return page
}

describe('step 1, Create Account', () => {
  test('[R-2] requires all fields, a strong password and its repetition', { tags: ['essential'] }, async () => {
    const page = await open(await newContext(), '/register')
    await page.getByRole('heading', { level: 1, name: 'Create Account' }).waitFor()
    await clickButton(page, 'Save')
    for (const label of ['Name', 'University Name', 'Password', 'Confirm Password'])
      await waitForText(page, `${label} is required`)
    await waitForFocus(field(page, 'Name'))
    await page.keyboard.type('   ')
    await waitForTextHidden(page, 'Name is required')
    await clickButton(page, 'Save')
    await waitForText(page, 'Name is required')
    await field(page, 'Name').fill('Asha Verma')
    // It cannot take the focus before its options are loaded.
    await page.getByPlaceholder('Choose your university').waitFor()
    await clickButton(page, 'Save')
    await waitForFocus(university(page))
    await chooseUniversity(page)
    await waitForTextHidden(page, 'University Name is required')

    for (const [typed, message] of [
      ['short', 'Password must be at least 8 characters long'],
      ['lowercase', 'Password must contain at least one uppercase letter'],
      ['UPPERCASE', 'Password must contain at least one lowercase letter'],
      ['NoDigitHere', 'Password must contain at least one digit'],
      ['Nothing5pecial', 'Password must contain at least one special character'],
    ] as const) {
      await field(page, 'Password').fill(typed)
      await clickButton(page, 'Save')
      await waitForText(page, message)
    }
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm Password').fill('Correct-horse2')
    await clickButton(page, 'Save')
    await waitForText(page, 'Passwords do not match')
    await waitForFocus(field(page, 'Confirm Password'))
    await page.getByRole('button', { name: 'Show password' }).first().click()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    await expect(field(page, 'Confirm Password')).toHaveAttribute('type', 'password')
    await field(page, 'Confirm Password').fill(password)
    await waitForTextHidden(page, 'Passwords do not match')
    await clickButton(page, 'Save')
    await waitForText(page, 'Step 2 of 3')
  })

  test('lists the universities of the server', async () => {
    const page = await open(await newContext(), '/login')
    await page.getByRole('link', { name: 'Sign Up' }).click()
    await page.getByPlaceholder('Choose your university').waitFor()
    const response = await page.request.get('/api/universities', { headers: { accept: 'application/json' } })
    const names: string[] = (await response.json()).map(({ name }: { name: string }) => name)
    expect(names.length).toBeGreaterThan(0)
    await university(page).click()
    await expect(page.getByRole('option')).toHaveText(names)
  })
})

test('step 1 is completed with the keyboard alone, and the choice of university filters by words', async () => {
  const page = await open(await newContext(), '/register')
  await page.getByPlaceholder('Choose your university').waitFor()
  const first = await page.request
    .get('/api/universities')
    .then(async (answer) => String((await answer.json())[0].name))
  await field(page, 'Name').focus()
  await page.keyboard.type('Asha Verma')
  await page.keyboard.press('Tab')
  await waitForFocus(university(page))
  await page.keyboard.type('zzz')
  await waitForText(page, 'No university matches “zzz”.')
  await page.keyboard.press('Tab')
  await waitForFocus(page.getByRole('link', { name: 'Not listed? Write to us' }))
  await page.keyboard.press('Escape')
  await waitForFocus(university(page))
  await page.keyboard.type(first.split(' ').toReversed().join(' '))
  await page.getByRole('option', { name: first, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect(university(page)).toHaveValue(first)
  await page.keyboard.press('Tab')
  await waitForFocus(field(page, 'Password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await waitForText(page, 'Step 2 of 3')
})

describe('step 2, email and phone', () => {
  test('requires both in a valid format, and accepts only digits for the number', async () => {
    const page = await openContactStep()
    await waitForFocus(field(page, 'Email'))
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Email is required')
    await waitForText(page, 'Mobile number is required')
    await field(page, 'Email').fill('asha@example')
    await field(page, 'Mobile number').pressSequentially('98-765 x')
    await expect(field(page, 'Mobile number')).toHaveValue('98765')
    await waitForTextHidden(page, 'Mobile number is required')
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Please enter a valid email address')
    await waitForText(page, 'Mobile number must be exactly 10 digits')
    await field(page, 'Mobile number').fill('987654321012345')
    await expect(field(page, 'Mobile number')).toHaveValue('9876543210')
  })

  test('[R-5] keeps all typed text when going back to step 1 and forward again', async () => {
    const page = await openContactStep()
    const who = newContact()
    await fillContact(page, who)
    await clickButton(page, 'Back')
    await waitForText(page, 'Step 1 of 3')
    await expect(field(page, 'Name')).toHaveValue('Asha Verma')
    await expect(university(page)).not.toHaveValue('')
    await expect(field(page, 'Password')).toHaveValue(password)
    await expect(field(page, 'Confirm Password')).toHaveValue(password)
    await clickButton(page, 'Save')
    await expect(field(page, 'Email')).toHaveValue(who.email)
    await expect(field(page, 'Mobile number')).toHaveValue(who.phone)
  })

  test('returns to step 1 for a too common password, and continues with another one', async () => {
    expectConsoleErrors(/status of 400/)
    const page = await open(await newContext(), '/register')
    await field(page, 'Name').fill('Asha Verma')
    await chooseUniversity(page)
    await field(page, 'Password').fill('Password1!')
    await field(page, 'Confirm Password').fill('Password1!')
    await clickButton(page, 'Save')
    await fillContact(page, newContact())
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Step 1 of 3')
    await waitForFocus(field(page, 'Password'))
    await page.locator('form').getByText('This password is too common.', { exact: false }).waitFor()
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm Password').fill(password)
    await clickButton(page, 'Save')
    await clickButton(page, 'Send OTPs to Email & Phone')
    await waitForText(page, 'Step 3 of 3')
  })

  test('leads a user who has an account to the login, and keeps its address', async () => {
    expectConsoleErrors(/status of 409/)
    const page = await openContactStep()
    await fillContact(page, { ...newContact(), email: 'admin@example.com' })
    await clickButton(page, 'Send OTPs to Email & Phone')
    await page.getByText('An account with this email already exists. Please log in. Log in').waitFor()
    await waitForFocus(field(page, 'Email'))
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await waitForFocus(field(page, 'Password'))
    await expect(field(page, 'Email')).toHaveValue('admin@example.com')
  })
})
