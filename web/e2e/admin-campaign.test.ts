import { listUsers } from '@portal/contracts/auth/http'
import { listRecipients, sendNotification } from '@portal/contracts/notifications/http'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import { fitsViewportWidth, setUpAdminJourneys } from './admin-journeys.ts'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpAdminJourneys(() => startSamplePortal(6))
const { portal, openAs, openAsAdmin, adminToken, expectConsoleErrors } = journeys

/** Sends to the first learners. Returns the id of the notification. */
const send = async (title: string, learners: number): Promise<string> => {
  const token = await adminToken()
  const { users } = await callRoute(portal().address, listUsers, { token })
  const emails = new Set(Array.from({ length: learners }, (_, n) => portal().learner(n + 1).email))
  const userIds = users.filter(({ personalEmail }) => emails.has(personalEmail)).map(({ _id }) => _id)
  const body = { userIds, title, message: `About: ${title}`, type: 'Exam' as const }
  const { notificationId } = await callRoute(portal().address, sendNotification, { token, body })
  return notificationId
}

const waitUntilSettled = async (id: string): Promise<void> => {
  const request = { token: await adminToken(), params: { id }, query: { limit: 1 } }
  const countPending = async () => (await callRoute(portal().address, listRecipients, request)).counts.pending
  await eventually('nothing is pending', async () => (await countPending()) === 0, 30_000)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const recipients = (page: Page) => page.getByRole('table', { name: 'Recipients' })
const chip = (page: Page, name: RegExp) => page.getByRole('group', { name: 'Status' }).getByRole('button', { name })

test(
  'an admin finds out who got a notification, and follows a recipient to their page',
  { tags: ['essential'] },
  async () => {
    const id = await send('Hall changed', 3)
    const page = await openAsAdmin('/admin/notifications')
    await page.getByRole('searchbox', { name: 'Search sent notifications' }).fill('hall changed')
    await page.getByText('1 found', { exact: true }).waitFor()
    await expect(page).toHaveURL('/admin/notifications?search=hall+changed')

    // The link covers the whole entry, so the text below the title is under it.
    await page.getByText('About: Hall changed').click({ force: true })
    await page.waitForURL(`**/admin/notifications/${id}`)
    await heading(page, 'Hall changed').waitFor()
    await chip(page, /^All 3$/).waitFor()
    await chip(page, /^In inbox 3$/).waitFor()
    await recipients(page).getByText('No device is registered', { exact: false }).first().waitFor()

    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(portal().learner(2).email)
    await page.getByText('Showing 1 to 1 of 1 recipients').waitFor()
    await recipients(page).getByRole('link').click()
    await page.waitForURL('**/admin/people/*')
    await page.getByRole('link', { name: 'Hall changed' }).waitFor()
    await page.reload()
    await page.getByText(portal().learner(2).email).waitFor()
    await page.goBack()
    await page.getByText('Showing 1 to 1 of 1 recipients').waitFor()
  },
)

test('an admin exports the recipients that the filter shows', async () => {
  const id = await send('Fees are due', 2)
  const page = await openAsAdmin(`/admin/notifications/${id}?search=${portal().learner(1).email}`)
  await recipients(page).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`recipients-${id}.csv`)
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv).toContain(portal().learner(1).email)
  expect(csv).not.toContain(portal().learner(2).email)
})

test(
  'an admin recalls a notification, and the open inbox shows it as withdrawn at once',
  { tags: ['essential'] },
  async () => {
    const id = await send('Sent by mistake', 2)
    const learner = await openAs(portal().learner(1), '/notification', phone)
    await learner.getByRole('link', { name: /Sent by mistake/ }).waitFor()
    const page = await openAsAdmin(`/admin/notifications/${id}`, phone)
    await page.getByRole('button', { name: 'Recall', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Recall this notification?' })
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Wrong learners')
    await dialog.getByRole('button', { name: 'Recall' }).click()
    await heading(page, 'This notification was withdrawn').waitFor()
    await page.getByText('Reason: Wrong learners').waitFor()
    await expect(page.getByRole('button', { name: 'Recall', exact: true })).toHaveCount(0)
    expect(await fitsViewportWidth(page)).toBe(true)
    await learner.getByText('This notification was withdrawn').first().waitFor()
    await expect(learner.getByText('Sent by mistake')).toHaveCount(0)
  },
)

test('the page of a notification moves nothing while it loads, and an unknown address has a way back', async () => {
  const id = await send('Steady', 2)
  // Its bar and actions change when it is settled, which is not a fault of the page.
  await waitUntilSettled(id)
  const page = await openSignedIn(journeys, admin, `/admin/notifications/${id}`)
  await recipients(page).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await layoutShifts(page)).toEqual([])

  expectConsoleErrors(/404/)
  await page.goto(`/admin/notifications/${id.slice(0, -4)}0000`)
  await heading(page, 'Notification not found').waitFor()
  await page.getByRole('link', { name: 'All notifications' }).click()
  await page.waitForURL('**/admin/notifications')
})
