import { createProgram, listAdminPrograms } from '@portal/contracts/catalog/http'
import { getProfile, listUsers } from '@portal/contracts/auth/http'
import { getActivity, sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn, send } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { startSamplePortal } from './portals.ts'

const { portal, openAsAdmin, adminToken } = setUpAdminJourneys(() => startSamplePortal(3))

const facts = async (page: Page): Promise<Readonly<Record<string, string>>> => {
  const [names, values] = await Promise.all([
    page.locator('main dt').allInnerTexts(),
    page.locator('main dd').allInnerTexts(),
  ])
  return Object.fromEntries(names.map((name, n) => [name, values[n] ?? '']))
}
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const fetchProfile = async () => {
  const { user } = await callRoute(portal().address, getProfile, { token: await adminToken() })
  return user
}

describe("the admin's profile", () => {
  test('[X-13] shows name, email and role, and lets only the name be changed', { tags: ['essential'] }, async () => {
    const { email } = portal().admin
    const page = await openAsAdmin('/admin/profile')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    const { fullName } = await fetchProfile()
    await expect.poll(() => facts(page)).toMatchObject({ 'Full name': fullName, Email: email, Role: 'Admin' })
    await expect(page.getByRole('textbox')).toHaveCount(0)

    await clickButton(page, 'Edit')
    await expect(page.getByRole('textbox')).toHaveCount(1)
    await page.getByLabel('Full name').fill('Somebody else')
    await clickButton(page, 'Cancel')
    await expect.poll(() => facts(page)).toMatchObject({ 'Full name': fullName })

    await clickButton(page, 'Edit')
    await expect(page.getByLabel('Full name')).toHaveValue(fullName)
    await page.getByLabel('Full name').fill('  ')
    await clickButton(page, 'Save')
    await page.getByText(/is required$/).waitFor()
    await page.getByLabel('Full name').fill(' Meera Nair ')
    await clickButton(page, 'Save')
    await waitForText(page, 'Profile updated successfully!')
    await expect.poll(() => facts(page)).toMatchObject({ 'Full name': 'Meera Nair', Email: email, Role: 'Admin' })
    expect((await fetchProfile()).fullName).toBe('Meera Nair')
    await page.reload()
    await waitForText(page, 'Meera Nair')
  })
})

describe('the admin routes', () => {
  test('reject learners, faculty and visitors', async () => {
    const { address, learner, faculty, enrolledProgram } = portal()
    const accounts = [learner(1), faculty]
    const tokens = await Promise.all(accounts.map(({ email, password }) => logIn(address, email, password)))
    const calls = [listUsers, listAdminPrograms, getActivity, sendNotification, createProgram]
    for (const { method, path } of calls) {
      for (const { token } of tokens)
        expect(await send(address, method, path, { token, body: method === 'GET' ? undefined : {} })).toMatchObject({
          status: 403,
          body: { success: false },
        })
      expect(await send(address, method, path, method === 'GET' ? {} : { body: {} })).toMatchObject({ status: 401 })
    }
    for (const { token } of tokens) {
      const answer = await send(address, 'DELETE', `/admin/programs/${enrolledProgram}`, { token })
      expect(answer.status).toBe(403)
    }
  })
})
