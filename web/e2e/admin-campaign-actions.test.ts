import { readFile } from 'node:fs/promises'
import { readNotification, savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { type NotificationId, userIdSchema } from '@portal/contracts/shared/ids'
import { callRoute, logIn, seededEmail, wholeInbox } from '@portal/system-tests/testing/api-client'
import {
  admin,
  newDataFolder,
  readDevMailbox,
  seedSample,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { recordOutcomesInFolder } from '@portal/system-tests/testing/recorded-outcomes'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { setUpAdminJourneys } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { waitForIdle } from './journeys.ts'

/** Long enough to stop a delivery on the screen before it goes out. */
const graceMs = 12_000
/** The first three have a device. The push to the second and the third has failed. */
const learnerCount = 4

const outcomes: readonly Omit<DeliveryOutcome, 'userId'>[] = [
  { state: 'pushed' },
  { state: 'failed', reason: 'message-rate-exceeded' },
  { state: 'failed', reason: 'network-timeout' },
  { state: 'skipped', reason: 'no device' },
]

/** A portal with a notification whose push failed for some recipients. */
const startPortalWithFailures = async () => {
  const dataFolder = await newDataFolder()
  const dataDir = dataFolder.path
  const password = await seedSample(dataDir, 6)
  const silent = await startPortal({ dataDir, settings: { SEEN_GRACE_MS: '600000' } })
  const learners = []
  for (let n = 1; n <= learnerCount; n++) learners.push(await logIn(silent.address, seededEmail(n), password))
  for (const { token, userId } of learners.slice(0, 3))
    await callRoute(silent.address, savePushToken, { token, body: { token: `device-of-${userId}` } })
  const { token } = await logIn(silent.address, admin.email, admin.password)
  const userIds = learners.map(({ userId }) => userIdSchema.parse(userId))
  const body = { userIds, title: 'Exam in room 12', message: 'Please bring a pen.', type: 'Exam' }
  const { notificationId } = await callRoute(silent.address, sendNotification, { token, body })
  await silent.stop()

  const settled = userIds.flatMap((userId, n) => {
    const outcome = outcomes[n]
    return outcome ? [{ userId, ...outcome }] : []
  })
  await recordOutcomesInFolder(dataDir, notificationId, settled)

  const portal = await startPortal({ dataDir, settings: { SEEN_GRACE_MS: String(graceMs) } })
  return {
    address: portal.address,
    dataDir,
    notificationId,
    userIds,
    learner: (n: number) => ({ email: seededEmail(n), password }),
    stop: async () => {
      await portal.stop()
      await dataFolder.remove()
    },
  }
}

const { portal, openAsAdmin, adminToken } = setUpAdminJourneys(startPortalWithFailures)

const openFailed = (): Promise<Page> => openAsAdmin(`/admin/notifications/${portal().notificationId}`)
const recipients = (page: Page) => page.getByRole('table', { name: 'Recipients' })
const chip = (page: Page, group: 'Status' | 'Reason', name: RegExp) =>
  page.getByRole('group', { name: group }).getByRole('button', { name })
const action = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Actions' }).getByRole('button', { name })
const confirm = (page: Page, question: string, button: string) =>
  page.getByRole('dialog', { name: question }).getByRole('button', { name: button, exact: true }).click()

/** Pushes of the notification by device. */
const pushesOf = async (id: NotificationId): Promise<Readonly<Record<string, number>>> => {
  const lines = (await readDevMailbox(portal().dataDir)).filter(({ link }) => link?.endsWith(id))
  return Object.fromEntries([...Map.groupBy(lines, ({ to }) => to)].map(([to, pushes]) => [to, pushes.length]))
}

test('an admin sees who did not get a push, and why', async () => {
  const page = await openFailed()
  await chip(page, 'Status', /^Failed 2$/).click()
  await page.getByText('Showing 1 to 2 of 2 recipients').waitFor()
  await recipients(page).getByText('Resend it in an hour.', { exact: false }).waitFor()
  await chip(page, 'Reason', /^Network-timeout 1$/).click()
  await page.getByText('Showing 1 to 1 of 1 recipients').waitFor()
  await recipients(page).getByText('The push service did not answer.', { exact: false }).waitFor()
  await expect(page).toHaveURL(/[?&]status=failed(&|$)/)
})

test('an admin extracts exactly those whose push failed', async () => {
  const page = await openAsAdmin(`/admin/notifications/${portal().notificationId}?status=failed`)
  await recipients(page).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  const listed = [1, 2, 3, 4].filter((n) => csv.includes(portal().learner(n).email))
  expect(listed).toEqual([2, 3])
})

test('an admin sends again to the failed only, who get no second inbox entry', async () => {
  const { notificationId, userIds, address } = portal()
  const page = await openFailed()
  await action(page, 'Resend to 2 failed').click()
  await confirm(page, 'Push it again to 2 people?', 'Send again')
  await page.getByText('Sending again to 2 people.').waitFor()
  await chip(page, 'Status', /^Pushed 3$/).waitFor({ timeout: graceMs + 30_000 })
  // The actions come with another request than the recipients.
  await expect(action(page, /^Resend/)).toHaveCount(0)
  expect(await pushesOf(notificationId)).toEqual({
    [`device-of-${userIds[1]}`]: 1,
    [`device-of-${userIds[2]}`]: 1,
  })
  const learner = portal().learner(2)
  const { token } = await logIn(address, learner.email, learner.password)
  const { items } = await wholeInbox(address, token)
  expect(items.filter(({ _id }) => _id === notificationId)).toHaveLength(1)
})

test('an admin stops a notification before it goes out, and reads what was stopped', async () => {
  const { address, userIds } = portal()
  const token = await adminToken()
  // Loaded before the send, which is pending for some seconds only.
  const page = await openAsAdmin('/admin/notifications')
  await waitForIdle(page)
  const body = { userIds, title: 'Wrong date', message: 'The exam is on Monday.', type: 'Exam' }
  const { notificationId } = await callRoute(address, sendNotification, { token, body })
  await page.getByRole('link', { name: 'Wrong date' }).click()
  await action(page, 'Cancel pending').click()
  await confirm(page, 'Cancel the pending deliveries?', 'Cancel deliveries')
  await page.getByText('4 canceled. None had been delivered.').waitFor()
  await chip(page, 'Status', /^Canceled 4$/).waitFor()
  await page.getByText('stopped the pending deliveries').waitFor()
  // An earlier reload may have brought the history, but not yet that nothing is pending.
  await expect(action(page, 'Cancel pending')).toHaveCount(0)
  expect(await pushesOf(notificationId)).toEqual({})
})

test(
  'an admin reminds those who have not read it, and both notifications link to each other',
  { tags: ['essential'] },
  async () => {
    const { address, notificationId } = portal()
    const reader = portal().learner(1)
    const { token } = await logIn(address, reader.email, reader.password)
    await callRoute(address, readNotification, { token, params: { id: notificationId } })
    const page = await openFailed()
    await page.getByRole('link', { name: 'Remind those who have not read it' }).click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Reminder: Exam in room 12')
    await page.getByRole('button', { name: 'Send to 3 users' }).click()
    await confirm(page, 'Send this notification to 3 people?', 'Send')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('3 people have it in their inbox.').waitFor()
    await page
      .getByRole('link', { name: /Reminder: Exam in room 12/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Reminder: Exam in room 12' }).waitFor()
    await page.getByRole('link', { name: 'Reminder of an earlier notification' }).click()
    await page.getByRole('heading', { level: 1, name: 'Exam in room 12', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Reminder sent' }).waitFor()
    await expect(page).toHaveURL(`/admin/notifications/${notificationId}`)
  },
)

test('an admin sees on the page of a person what became of their notifications', async () => {
  const page = await openAsAdmin(`/admin/people/${portal().userIds[3]}`)
  await page.getByText(portal().learner(4).email).waitFor()
  await page.getByRole('link', { name: 'Exam in room 12', exact: true }).waitFor()
  await page.getByText('No device is registered for push', { exact: false }).first().waitFor()
  await expect(page.getByRole('link', { name: 'Send a notification' })).toHaveAttribute('href', /\?to=/)
})
