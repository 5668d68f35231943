import type { Page } from 'playwright-core'

/** The API route that sends the codes of a registration. */
export const sendCodesRoute = /^\/auth\/register\/initiate$/

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
export const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

let contactCount = 0
/** Returns a new email address and phone number. */
export const newContact = () => {
  contactCount++
  return { email: `asha-${contactCount}@example.com`, phone: String(9_876_500_000 + contactCount) }
}

const password = 'Correct-horse1'

/** Completes step 1 and opens step 2. */
export const fillAccountStep = async (page: Page): Promise<void> => {
  await field(page, 'Name').fill('Asha Verma')
  await page.getByRole('combobox', { name: 'University Name' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm Password').fill(password)
  await clickButton(page, 'Save')
  await waitForText(page, 'Step 2 of 3')
}

export const fillContact = async (page: Page, { email, phone }: ReturnType<typeof newContact>): Promise<void> => {
  await field(page, 'Email').fill(email)
  await field(page, 'Mobile number').fill(phone)
}
