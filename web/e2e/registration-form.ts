import type { Page } from 'playwright-core'

/** What a registration asks of the server. */
export const calls = {
  universities: /^\/api\/universities$/,
  send: /^\/auth\/register\/initiate$/,
  resend: /^\/auth\/register\/resend-otp$/,
  verify: /^\/auth\/register\/verify-otp$/,
  logIn: /^\/auth\/login$/,
}

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
export const university = (page: Page) => page.getByRole('combobox', { name: 'University Name' })
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const says = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()
export const saysNoMore = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).waitFor({ state: 'hidden' })

let newcomers = 0
/** Where somebody is reached who has not registered yet. */
export const newcomer = () => {
  newcomers++
  return { email: `asha-${newcomers}@example.com`, phone: String(9_876_500_000 + newcomers) }
}
export type Newcomer = ReturnType<typeof newcomer>

export const password = 'Correct-horse1'

export const chooseUniversity = async (page: Page): Promise<void> => {
  await university(page).click()
  await page.getByRole('option').first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** From the first step to the second. */
export const enterAccount = async (page: Page): Promise<void> => {
  await field(page, 'Name').fill('Asha Verma')
  await chooseUniversity(page)
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm Password').fill(password)
  await press(page, 'Save')
  await says(page, 'Step 2 of 3')
}

export const fillContact = async (page: Page, { email, phone }: Newcomer): Promise<void> => {
  await field(page, 'Email').fill(email)
  await field(page, 'Mobile number').fill(phone)
}
