import { countUnread, sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  eventually,
  newDataFolder,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { openSignedIn } from './layout-shift.ts'

const journeys = setUpJourneys(async () => {
  const dataFolder = await newDataFolder()
  const learnerPassword = await seedLearners(dataFolder.path, 6)
  const { address, stop } = await startPortal({ dataDir: dataFolder.path })
  return {
    address,
    dataDir: dataFolder.path,
    learnerPassword,
    stop: async () => {
      await stop()
      await dataFolder.remove()
    },
  }
})
const { portal } = journeys

const phone = { width: 390, height: 760 }
const desk = { width: 1280, height: 800 }

const openAsLearner = (n: number, path = '/notification', viewport = phone): Promise<Page> =>
  openSignedIn(journeys, { email: seededEmail(n), password: portal().learnerPassword }, path, viewport)

type Text = { readonly title: string; readonly type?: NotificationType; readonly message?: string }

const send = async (learner: number, texts: readonly Text[]): Promise<void> => {
  const { address, learnerPassword } = portal()
  const { token } = await logIn(address, admin.email, admin.password)
  const { userId } = await logIn(address, seededEmail(learner), learnerPassword)
  for (const { title, type = 'General', message = `Text of ${title}` } of texts)
    await callRoute(address, sendNotification, { token, body: { userIds: [userId], title, message, type } })
}

const unreadOnServer = async (learner: number): Promise<number> => {
  const { address, learnerPassword } = portal()
  const { token } = await logIn(address, seededEmail(learner), learnerPassword)
  return (await callRoute(address, countUnread, { token })).unread
}

const row = (page: Page, title: string) => page.getByRole('main').getByRole('link', { name: title })
const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
const focused = (page: Page) => page.locator(':focus')

test('filters and a search are kept in the address, also after a reload', async () => {
  await send(1, [
    { title: 'Exam on Monday', type: 'Exam' },
    { title: 'Room change' },
    { title: 'Exam results', type: 'Exam' },
  ])
  const page = await openAsLearner(1)
  await rows(page).nth(2).waitFor()
  await page.getByRole('button', { name: 'Exam', exact: true }).click()
  await row(page, 'Room change').waitFor({ state: 'detached' })
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Search notifications' }).click()
  await page.getByRole('searchbox').fill('monday')
  await row(page, 'Exam results').waitFor({ state: 'detached' })
  await page.waitForURL('**/notification?type=Exam&q=monday')
  await page.reload()
  await row(page, 'Exam on Monday').waitFor()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('searchbox').fill('nowhere')
  await page.getByText('No notification matches “nowhere”.').waitFor()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await rows(page).nth(2).waitFor()
  await expect(page).toHaveURL('/notification')
})

test('a mark-all can be undone, and is sent when the page is left', async () => {
  await send(2, [{ title: 'First' }, { title: 'Second' }])
  const page = await openAsLearner(2)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notification', exact: true }).waitFor()
  await page.keyboard.press('Alt+z')
  await page.getByRole('link', { name: '2 unread Notification' }).waitFor()
  expect(await unreadOnServer(2)).toBe(2)

  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notification', exact: true }).waitFor()
  await page.goto('about:blank')
  await eventually('the server has the mark-all', async () => (await unreadOnServer(2)) === 0)
})

test(
  '[N-31] one is marked as unread, also in another tab and after a reload, until it is read again',
  { tags: ['essential'] },
  async () => {
    await send(6, [{ title: 'Exam on Monday' }])
    const page = await openAsLearner(6)
    const otherTab = await journeys.newPage(page.context())
    await otherTab.goto('/notification')
    // A tab that is still loading has no number, as after a read.
    await otherTab.getByRole('link', { name: '1 unread Notification' }).waitFor()
    await rows(page).first().click()
    await page.getByRole('heading', { name: 'Exam on Monday' }).waitFor()
    await otherTab.getByRole('link', { name: 'Notification', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Mark as unread' }).click()
    await page.waitForURL('**/notification')
    for (const tab of [page, otherTab]) {
      await tab.getByRole('link', { name: '1 unread Notification' }).waitFor()
      await tab.getByRole('link', { name: /Unread: Exam on Monday/ }).waitFor()
    }
    expect(await unreadOnServer(6)).toBe(1)
    await page.reload()
    await page.getByRole('link', { name: /Unread: Exam on Monday/ }).click()
    for (const tab of [page, otherTab]) await tab.getByRole('link', { name: 'Notification', exact: true }).waitFor()
    expect(await unreadOnServer(6)).toBe(0)
  },
)

test('on a desk the list and a notification are side by side, with the keyboard alone', async () => {
  await send(3, [{ title: 'Third' }, { title: 'Second' }, { title: 'First' }])
  const page = await openAsLearner(3, '/notification', desk)
  await page.getByText('Choose a notification to read it here.').waitFor()
  await row(page, 'First').waitFor()
  await page.keyboard.press('j')
  await expect(focused(page)).toContainText('First')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Notification Details' })
  await detail.getByText('Text of First').waitFor()
  await page.keyboard.press('j')
  await detail.getByText('Text of Second').waitFor()
  await expect(rows(page)).toHaveCount(3)
  const [list, pane] = [await row(page, 'Second').boundingBox(), await detail.boundingBox()]
  expect(list && pane && list.x + list.width <= pane.x).toBe(true)
  await page.keyboard.press('/')
  await page.keyboard.type('third')
  await row(page, 'First').waitFor({ state: 'detached' })
  // It searches for the first letters as well.
  await expect(page).toHaveURL(({ search }) => search === '?q=third')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(desk.width)
})

test('a title without a space does not widen the page, and its links can be followed', async () => {
  const title = `https://${'x'.repeat(110)}.example`
  await send(4, [{ title, message: 'Choose here: https://center.example/exam?center=12' }])
  const page = await openAsLearner(4)
  await rows(page).first().click()
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
  const link = page.getByRole('link', { name: 'https://center.example/exam?center=12' })
  await expect(link).toHaveAttribute('rel', 'noopener nofollow noreferrer')
})
