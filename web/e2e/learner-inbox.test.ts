import { countUnread } from '@portal/contracts/notifications/http'
import { test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'

const { portal, newPage, openAs, send } = setUpJourneys(() => startLearnersPortal(1))

const unreadOnServer = async (): Promise<number> => {
  const { address, learner } = portal()
  const { token } = await logIn(address, learner(1).email, learner(1).password)
  return (await callRoute(address, countUnread, { token })).unread
}

test(
  '[N-22 N-31] the first notification arrives in two tabs, and is marked as unread until it is read again',
  { tags: ['essential'] },
  async () => {
    const page = await openAs(portal().learner(1), '/notification')
    const otherTab = await newPage(page.context())
    await otherTab.goto('/notification')
    for (const tab of [page, otherTab]) await tab.getByText('No notifications yet.').waitFor()
    await send([portal().learner(1)], { title: 'Exam on Monday' })
    const waitForUnread = async () => {
      for (const tab of [page, otherTab]) {
        await tab.getByRole('link', { name: '1 unread Notification' }).waitFor()
        await tab.getByRole('link', { name: /Unread: Exam on Monday/ }).waitFor()
      }
    }
    const waitForRead = async () => {
      for (const tab of [page, otherTab]) await tab.getByRole('link', { name: 'Notification', exact: true }).waitFor()
    }
    await waitForUnread()
    await expect(page.getByText('No notifications yet.')).toHaveCount(0)

    await page.getByRole('link', { name: /Exam on Monday/ }).click()
    await page.getByRole('heading', { name: 'Exam on Monday' }).waitFor()
    await waitForRead()
    await page.getByRole('button', { name: 'Mark as unread' }).click()
    await page.waitForURL('**/notification')
    await waitForUnread()
    expect(await unreadOnServer()).toBe(1)
    await page.reload()
    await page.getByRole('link', { name: /Unread: Exam on Monday/ }).click()
    await waitForRead()
    expect(await unreadOnServer()).toBe(0)
  },
)
