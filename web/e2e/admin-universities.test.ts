import { addUniversity, listUniversities, removeUniversity } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { setUpAdminJourneys, fitsViewportWidth, mockMethodError } from './admin-journeys.ts'
import { startEmptyPortal } from './portals.ts'
import { phone } from './browser.ts'
import { abortRequests, delayRequests, mockError } from './journeys.ts'

const { portal, openAsAdmin, adminToken, expectConsoleErrors } = setUpAdminJourneys(startEmptyPortal)

const theUniversities = /^\/api\/universities$/
const anyUniversity = /^\/api\/universities/
const question = 'Are you sure you want to delete this university?'

/** Replaces all universities. */
const setUniversities = async (...names: readonly string[]) => {
  const { address } = portal()
  const token = await adminToken()
  for (const { _id } of await callRoute(address, listUniversities))
    await callRoute(address, removeUniversity, { token, params: { id: _id } })
  for (const name of names) await callRoute(address, addUniversity, { token, body: { name } })
}
const savedNames = async () => (await callRoute(portal().address, listUniversities)).map(({ name }) => name)

const table = (page: Page) => page.getByRole('table', { name: 'Universities' })
const waitForRows = (page: Page, ...names: readonly string[]) =>
  eventually(`the rows are ${names.join(', ')}`, async () => {
    const shown = await table(page).locator('tbody tr > td:first-child').allInnerTexts()
    return shown.join() === names.join()
  })
const newName = (page: Page) => page.getByLabel('University name').first()
const add = (page: Page) => page.getByRole('button', { name: 'Add', exact: true })
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const waitForText = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true }).waitFor()

test(
  '[U-2] a university is added with its name trimmed, but not without a name or twice',
  { tags: ['essential'] },
  async () => {
    await setUniversities()
    const page = await openAsAdmin('/admin/universities')
    await page.getByText('No universities found. Add one above.').waitFor()
    expect(await add(page).isDisabled()).toBe(true)
    await newName(page).fill('   ')
    expect(await add(page).isDisabled()).toBe(true)

    await newName(page).fill('  Hill University ')
    await add(page).click()
    await waitForRows(page, 'Hill University')
    // The field is emptied after the list has been loaded again.
    await expect.poll(() => newName(page).inputValue()).toBe('')
    expect(await savedNames()).toEqual(['Hill University'])

    expectConsoleErrors(/409/)
    await newName(page).fill('hill university')
    await newName(page).press('Enter')
    const taken = page.getByText('A university with this name already exists', { exact: true })
    await taken.waitFor()
    expect(await newName(page).inputValue()).toBe('hill university')
    expect(await newName(page).getAttribute('aria-invalid')).toBe('true')
    await newName(page).press('End')
    await newName(page).press('Backspace')
    await taken.waitFor({ state: 'hidden' })
    expect(await savedNames()).toEqual(['Hill University'])
  },
)

test('[U-3] a university is renamed in its row, and Cancel changes nothing', async () => {
  await setUniversities('Coast', 'Hill')
  const page = await openAsAdmin('/admin/universities')
  const name = () => table(page).getByLabel('University name')
  await clickButton(page, 'Edit Hill')
  await name().fill('Valley')
  await clickButton(page, 'Cancel')
  await waitForRows(page, 'Coast', 'Hill')

  await clickButton(page, 'Edit Hill')
  await name().fill('  ')
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await name().fill(' Hill State  ')
  await clickButton(page, 'Save')
  await waitForRows(page, 'Coast', 'Hill State')
  expect(await savedNames()).toEqual(['Coast', 'Hill State'])
})

test('[U-4] a university is deleted after a confirmation', async () => {
  await setUniversities('Coast', 'Hill')
  const page = await openAsAdmin('/admin/universities')
  const dialog = page.getByRole('dialog', { name: question })
  await clickButton(page, 'Delete Coast')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await waitForRows(page, 'Coast', 'Hill')
  await clickButton(page, 'Delete Coast')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await waitForRows(page, 'Hill')
  await clickButton(page, 'Delete Hill')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No universities found. Add one above.').waitFor()
})

test('[U-17] a failed change shows a banner and changes nothing', async () => {
  await setUniversities('Coast')
  const page = await openAsAdmin('/admin/universities')
  await waitForRows(page, 'Coast')
  expectConsoleErrors(/500|ERR_/)

  await mockMethodError(page, 'POST', anyUniversity, 500, 'Broken')
  await newName(page).fill('Hill')
  await add(page).click()
  await waitForText(page, 'Failed to add university. Please try again.')

  await mockMethodError(page, 'PUT', anyUniversity, 500, 'Broken')
  await clickButton(page, 'Edit Coast')
  await table(page).getByLabel('University name').fill('Valley')
  await clickButton(page, 'Save')
  await waitForText(page, 'Failed to update university. Please try again.')
  expect(await table(page).getByLabel('University name').inputValue()).toBe('Valley')
  await clickButton(page, 'Cancel')

  await mockMethodError(page, 'DELETE', anyUniversity, 500, 'Broken')
  await clickButton(page, 'Delete Coast')
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: 'Delete' }).click()
  await waitForText(page, 'Failed to delete university. Please try again.')
  await waitForRows(page, 'Coast')

  await page.unrouteAll()
  await abortRequests(page, anyUniversity)
  await add(page).click()
  await waitForText(page, 'Failed to add university. Please try again.')
  await page.unrouteAll()
  expect(await savedNames()).toEqual(['Coast'])
  await add(page).click()
  await waitForRows(page, 'Hill', 'Coast')
})

test('the list shows an error when it cannot be loaded, and a loading state during a retry', async () => {
  await setUniversities('Coast')
  const page = await openAsAdmin('/admin/profile')
  expectConsoleErrors(/500/)
  await mockError(page, theUniversities, 500, { success: false, code: 'internal', message: 'Broken' })
  await page.getByRole('link', { name: 'Universities' }).click()
  await waitForText(page, 'Failed to load universities. Please try again.')
  await page.unrouteAll()
  const release = await delayRequests(page, theUniversities)
  await clickButton(page, 'Try again')
  await page.getByRole('status', { name: 'Loading universities' }).waitFor()
  release()
  await waitForRows(page, 'Coast')
})

test('the list can be sorted by its header and searched without accents, and fits on a phone', async () => {
  const others = Array.from({ length: 9 }, (_, n) => `University ${n + 1}`)
  await setUniversities('Coast', 'Álamo', 'Hill', ...others)
  const page = await openAsAdmin('/admin/universities')
  await waitForRows(page, 'Álamo', 'Coast', 'Hill', ...others)
  expect(await table(page).getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'Actions'])
  await clickButton(page, 'Name')
  await waitForRows(page, ...others.toReversed(), 'Hill', 'Coast', 'Álamo')
  await page.getByRole('searchbox', { name: 'Search universities' }).fill('alam')
  await waitForRows(page, 'Álamo')
  await page.getByRole('searchbox', { name: 'Search universities' }).fill('river')
  await page.getByText('No university matches “river”.').waitFor()

  const small = await openAsAdmin('/admin/universities', phone)
  await waitForRows(small, 'Álamo', 'Coast', 'Hill', ...others)
  await clickButton(small, 'Edit Coast')
  await table(small).getByLabel('University name').waitFor()
  expect(await fitsViewportWidth(small)).toBe(true)
})

test('with the keyboard alone, universities are added, pasted and found, and each change can be undone', async () => {
  const first = Array.from({ length: 11 }, (_, n) => `University ${n + 1}`)
  await setUniversities(...first)
  const page = await openAsAdmin('/admin/universities')
  await waitForRows(page, ...first)
  const focused = () => page.locator(':focus')
  await newName(page).focus()
  await page.keyboard.type('Zeta University')
  await page.keyboard.press('Enter')
  await page.getByText('Zeta University added', { exact: true }).waitFor()
  await page.getByText('12 universities', { exact: true }).waitFor()
  await waitForRows(page, 'Zeta University', ...first)
  await page.keyboard.press('Alt+z')
  await waitForRows(page, ...first)
  expect(await savedNames()).not.toContain('Zeta University')

  await newName(page).focus()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('Valley\\nuniversity 3\\nHill\\n')`)
  await page.keyboard.press('Control+V')
  const dialog = page.getByRole('dialog', { name: 'Add 2 universities?' })
  await dialog.getByText('1 exists already.').waitFor()
  expect(await focused().innerText()).toBe('Cancel')
  await page.keyboard.press('Tab')
  expect(await focused().innerText()).toBe('Add')
  await page.keyboard.press('Enter')
  await page.getByText('2 universities added', { exact: true }).waitFor()
  await waitForRows(page, 'Hill', 'Valley', ...first)
  await dialog.waitFor({ state: 'detached' })
  expect(await focused().getAttribute('id')).toBe(await newName(page).getAttribute('id'))

  await page.getByRole('button', { name: 'Name', exact: true }).focus()
  await page.keyboard.press('/')
  await page.keyboard.type('valley')
  await waitForRows(page, 'Valley')
  await page.getByText('1 of 13 universities').waitFor()
  await page.waitForURL('**/admin/universities?q=valley')
  await page.reload()
  await waitForRows(page, 'Valley')
  await page.getByRole('button', { name: 'Delete Valley' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Valley will no longer be offered at registration. No learner belongs to it.').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Valley deleted', { exact: true }).waitFor()
  // Until it is gone, its button may have the focus.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await focused().count()).toBe(1)
  await page.keyboard.press('Alt+z')
  await waitForRows(page, 'Valley')
})
