import { addUniversity, listUniversities, removeUniversity } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys, fitsViewportWidth } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { startEmptyPortal } from './portals.ts'
import { phone } from './browser.ts'
import { waitForFocus } from './journeys.ts'

const { portal, openAsAdmin, adminToken, expectConsoleErrors } = setUpAdminJourneys(startEmptyPortal)

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
const expectRows = (page: Page, ...names: readonly string[]) =>
  expect(table(page).locator('tbody tr > td:first-child')).toHaveText(names)
const newName = (page: Page) => page.getByLabel('University name').first()
const add = (page: Page) => page.getByRole('button', { name: 'Add', exact: true })
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test(
  '[U-2] a university is added with its name trimmed, but not without a name or twice',
  { tags: ['essential'] },
  async () => {
    await setUniversities()
    const page = await openAsAdmin('/admin/universities')
    await page.getByText('No universities found. Add one above.').waitFor()
    await expect(add(page)).toBeDisabled()
    await newName(page).fill('   ')
    await expect(add(page)).toBeDisabled()

    await newName(page).fill('  Hill University ')
    await add(page).click()
    await expectRows(page, 'Hill University')
    // The field is emptied after the list has been loaded again.
    await expect(newName(page)).toHaveValue('')
    expect(await savedNames()).toEqual(['Hill University'])

    expectConsoleErrors(/409/)
    await newName(page).fill('hill university')
    await newName(page).press('Enter')
    const taken = page.getByText('A university with this name already exists', { exact: true })
    await taken.waitFor()
    await expect(newName(page)).toHaveValue('hill university')
    await expect(newName(page)).toHaveAttribute('aria-invalid', 'true')
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
  await expectRows(page, 'Coast', 'Hill')

  await clickButton(page, 'Edit Hill')
  await name().fill('  ')
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await name().fill(' Hill State  ')
  await clickButton(page, 'Save')
  await expectRows(page, 'Coast', 'Hill State')
  expect(await savedNames()).toEqual(['Coast', 'Hill State'])
})

test('[U-4] a university is deleted after a confirmation', async () => {
  await setUniversities('Coast', 'Hill')
  const page = await openAsAdmin('/admin/universities')
  const dialog = page.getByRole('dialog', { name: question })
  await clickButton(page, 'Delete Coast')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expectRows(page, 'Coast', 'Hill')
  await clickButton(page, 'Delete Coast')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expectRows(page, 'Hill')
  await clickButton(page, 'Delete Hill')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No universities found. Add one above.').waitFor()
})

test('the list can be sorted by its header and searched without accents, and fits on a phone', async () => {
  const others = Array.from({ length: 9 }, (_, n) => `University ${n + 1}`)
  await setUniversities('Coast', 'Álamo', 'Hill', ...others)
  const page = await openAsAdmin('/admin/universities')
  await expectRows(page, 'Álamo', 'Coast', 'Hill', ...others)
  await expect(table(page).getByRole('columnheader')).toHaveText(['Name', 'Actions'])
  await clickButton(page, 'Name')
  await expectRows(page, ...others.toReversed(), 'Hill', 'Coast', 'Álamo')
  await page.getByRole('searchbox', { name: 'Search universities' }).fill('alam')
  await expectRows(page, 'Álamo')
  await page.getByRole('searchbox', { name: 'Search universities' }).fill('river')
  await page.getByText('No university matches “river”.').waitFor()

  const small = await openAsAdmin('/admin/universities', phone)
  await expectRows(small, 'Álamo', 'Coast', 'Hill', ...others)
  await clickButton(small, 'Edit Coast')
  await table(small).getByLabel('University name').waitFor()
  expect(await fitsViewportWidth(small)).toBe(true)
})

test('with the keyboard alone, universities are added, pasted and found, and each change can be undone', async () => {
  const first = Array.from({ length: 11 }, (_, n) => `University ${n + 1}`)
  await setUniversities(...first)
  const page = await openAsAdmin('/admin/universities')
  await expectRows(page, ...first)
  const focused = () => page.locator(':focus')
  await newName(page).focus()
  await page.keyboard.type('Zeta University')
  await page.keyboard.press('Enter')
  await page.getByText('Zeta University added', { exact: true }).waitFor()
  await page.getByText('12 universities', { exact: true }).waitFor()
  await expectRows(page, 'Zeta University', ...first)
  await page.keyboard.press('Alt+z')
  await expectRows(page, ...first)
  expect(await savedNames()).not.toContain('Zeta University')

  await newName(page).focus()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('Valley\\nuniversity 3\\nHill\\n')`)
  await page.keyboard.press('Control+V')
  const dialog = page.getByRole('dialog', { name: 'Add 2 universities?' })
  await dialog.getByText('1 exists already.').waitFor()
  await expect(focused()).toHaveText('Cancel')
  await page.keyboard.press('Tab')
  await expect(focused()).toHaveText('Add')
  await page.keyboard.press('Enter')
  await page.getByText('2 universities added', { exact: true }).waitFor()
  await expectRows(page, 'Hill', 'Valley', ...first)
  await dialog.waitFor({ state: 'detached' })
  await waitForFocus(newName(page))

  await page.getByRole('button', { name: 'Name', exact: true }).focus()
  await page.keyboard.press('/')
  await page.keyboard.type('valley')
  await expectRows(page, 'Valley')
  await page.getByText('1 of 13 universities').waitFor()
  await page.waitForURL('**/admin/universities?q=valley')
  await page.reload()
  await expectRows(page, 'Valley')
  await page.getByRole('button', { name: 'Delete Valley' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Valley will no longer be offered at registration. No learner belongs to it.').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Valley deleted', { exact: true }).waitFor()
  // Until it is gone, its button may have the focus.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect(focused()).toHaveCount(1)
  await page.keyboard.press('Alt+z')
  await expectRows(page, 'Valley')
})
