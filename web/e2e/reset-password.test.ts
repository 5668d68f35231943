import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { admin, eventually, readDevMailbox } from '@portal/system-tests/testing/portal-process'
import { desktop, launchBrowser, openPage, phone, type ConsoleError } from './browser.ts'
import { expect } from './expect.ts'
import { startEmptyPortal } from './portals.ts'
import { type RunningPortal, waitForIdle } from './journeys.ts'

/** A password reset by mail, while another browser is signed in to the account. */
let browser: Browser
let portal: RunningPortal

beforeAll(async () => {
  portal = await startEmptyPortal()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
})

const newPassword = 'Haystack-2026'

/** Path and query of the mailed link. */
const mailedLink = () =>
  eventually('the mail with the link', async () => {
    const [latest] = await readDevMailbox(portal.dataDir)
    if (latest?.to !== admin.email || latest.link === undefined) return undefined
    const { origin, pathname, search } = new URL(latest.link)
    expect(new URL(portal.address).port).toBe(new URL(origin).port)
    return pathname + search
  })

test(
  '[W-2] a password reset by mail ends the sessions of other browsers at once',
  { tags: ['essential'] },
  async () => {
    const consoleErrors: ConsoleError[] = []
    const open = async (viewport: typeof phone) =>
      openPage(await browser.newContext({ viewport, baseURL: portal.address, reducedMotion: 'reduce' }), consoleErrors)
    const logIn = async (page: Awaited<ReturnType<typeof open>>, password: string) => {
      await page.getByLabel('Email').fill(admin.email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Login' }).click()
      await page.waitForURL('**/admin/dashboard')
    }

    const elsewhere = await open(desktop)
    await elsewhere.goto('/login')
    await logIn(elsewhere, admin.password)
    await elsewhere.getByRole('heading', { level: 1 }).waitFor()

    const page = await open(phone)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot Password?' }).click()
    await page.getByLabel('Personal email').fill(admin.email)
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await page.getByText('Password reset link sent to your email!').waitFor()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()

    await page.goto(await mailedLink())
    await page.getByRole('heading', { name: 'Set New Password' }).waitFor()
    await expect(page).toHaveURL('/reset-password')
    // The token is removed from the address and survives a reload.
    await page.reload()
    await page.getByLabel('New Password').fill(newPassword)
    await page.getByLabel('Confirm Password').fill(newPassword)
    await waitForIdle(elsewhere)
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await page.getByText('Password reset successfully! Redirecting to login...').waitFor()

    await elsewhere.waitForURL('**/login')
    await elsewhere.getByText('Your session has ended. Please log in again.').waitFor()
    await page.waitForURL('**/login')
    await logIn(page, newPassword)
    expect(consoleErrors).toEqual([])
  },
)
