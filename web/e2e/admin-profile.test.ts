import { createProgram, listAdminPrograms } from '@portal/contracts/catalog/http'
import { getProfile, listUsers } from '@portal/contracts/auth/http'
import { getActivity, sendNotification } from '@portal/contracts/notifications/http'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { callRoute, logIn, send } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys, fitsViewportWidth, mockMethodError } from './admin-journeys.ts'
import { phone } from './browser.ts'
import { abortRequests, delayRequests, mockError } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

const { portal, openAsAdmin, adminToken, expectConsoleErrors } = setUpAdminJourneys(() => startSamplePortal(3))

const profile = /^\/user\/profile$/
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
    expect(await facts(page)).toMatchObject({ 'Full name': fullName, Email: email, Role: 'Admin' })
    expect(await page.getByRole('textbox').count()).toBe(0)

    await clickButton(page, 'Edit')
    expect(await page.getByRole('textbox').count()).toBe(1)
    await page.getByLabel('Full name').fill('Somebody else')
    await clickButton(page, 'Cancel')
    expect(await facts(page)).toMatchObject({ 'Full name': fullName })

    await clickButton(page, 'Edit')
    expect(await page.getByLabel('Full name').inputValue()).toBe(fullName)
    await page.getByLabel('Full name').fill('  ')
    await clickButton(page, 'Save')
    await page.getByText(/is required$/).waitFor()
    await page.getByLabel('Full name').fill(' Meera Nair ')
    await clickButton(page, 'Save')
    await waitForText(page, 'Profile updated successfully!')
    expect(await facts(page)).toMatchObject({ 'Full name': 'Meera Nair', Email: email, Role: 'Admin' })
    expect((await fetchProfile()).fullName).toBe('Meera Nair')
    await page.reload()
    await waitForText(page, 'Meera Nair')
  })

  test('[X-27] keeps the typed name when saving fails, and saves it on a retry', async () => {
    const page = await openAsAdmin('/admin/profile', phone)
    expectConsoleErrors(/500|ERR_/)
    await clickButton(page, 'Edit')
    await page.getByLabel('Full name').fill('Second Name')
    await mockMethodError(page, 'PUT', profile, 500, 'Broken')
    await clickButton(page, 'Save')
    // The toast stays while it has the focus.
    const close = page.getByRole('button', { name: /^Close/ })
    await close.focus()
    await waitForText(page, 'Failed to update profile')
    await close.click()
    await page.unrouteAll()
    await abortRequests(page, profile)
    await clickButton(page, 'Save')
    await waitForText(page, networkErrorMessage)
    expect(await page.getByLabel('Full name').inputValue()).toBe('Second Name')
    expect(await fitsViewportWidth(page)).toBe(true)

    await page.unrouteAll()
    const release = await delayRequests(page, profile)
    await clickButton(page, 'Save')
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    release()
    await waitForText(page, 'Profile updated successfully!')
    expect((await fetchProfile()).fullName).toBe('Second Name')
  })

  test('shows an error when it cannot be loaded, and the data of the session', async () => {
    const page = await openAsAdmin('/admin/universities')
    expectConsoleErrors(/500/)
    await mockError(page, profile, 500, { success: false, code: 'internal', message: 'Broken' })
    await page.getByRole('link', { name: 'Profile' }).click()
    await waitForText(page, 'Failed to load profile')
    expect(await facts(page)).toMatchObject({ Email: portal().admin.email, Role: 'Admin' })
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
