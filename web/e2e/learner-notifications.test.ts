import { sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import { admin, newDataFolder, seedLearners, startPortal } from '@portal/system-tests/testing/portal-process'
import { expect } from './expect.ts'
import { delayRequests, setUpJourneys } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'

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
}, 'whole')
const { portal, expectConsoleErrors } = journeys

/** So low that a page of ten rows scrolls. */
const lowPhone = { width: 390, height: 500 }

const openAsLearner = (n: number, path = '/notification', viewport?: typeof lowPhone): Promise<Page> =>
  openSignedIn(journeys, { email: seededEmail(n), password: portal().learnerPassword }, path, viewport)

/** Sends notifications with these titles to a learner, ten at a time. Returns their ids. */
const send = async (learner: number, titles: readonly string[]): Promise<readonly string[]> => {
  const { address, learnerPassword } = portal()
  const { token } = await logIn(address, admin.email, admin.password)
  const { userId } = await logIn(address, seededEmail(learner), learnerPassword)
  const sendOne = async (title: string) => {
    const body = { userIds: [userId], title, message: `Text of ${title}`, type: 'General' }
    return (await callRoute(address, sendNotification, { token, body })).notificationId
  }
  const ids: string[] = []
  for (let from = 0; from < titles.length; from += 10) {
    ids.push(...(await Promise.all(titles.slice(from, from + 10).map(sendOne))))
  }
  return ids
}
const titlesOf = (count: number) => Array.from({ length: count }, (_, index) => `Notice ${index + 1}`)

const listRoute = /^\/notifications$/
const detailRoute = /^\/notifications\/[0-9a-f-]{36}$/

const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' })
const markAll = (page: Page) => page.getByRole('button', { name: 'Mark all as read' })
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
/** The numbers and gaps between the arrows. */
const pagerTexts = (page: Page) => pager(page).locator('li').filter({ hasText: /./ })
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the list', () => {
  test('[N-22] says that it is empty until the first notification arrives', { tags: ['essential'] }, async () => {
    const page = await openAsLearner(1)
    await waitForHeading(page, 'Notifications')
    await page.getByText('No notifications yet.').waitFor()
    await expect(markAll(page)).toHaveCount(0)
    await send(1, ['The hall is closed'])
    await rows(page).filter({ hasText: 'Unread: The hall is closed' }).waitFor()
    await expect(page.getByText('No notifications yet.')).toHaveCount(0)
    await page.getByRole('link', { name: '1 unread Notification' }).waitFor()
  })

  test('[N-4] has pages of ten, and its badge counts no further than 99', async () => {
    await send(2, titlesOf(110))
    const page = await openAsLearner(2)
    await page.getByText('Showing 1 to 10 of 110 notifications').waitFor()
    await expect(rows(page)).toHaveCount(10)
    await expect(pagerTexts(page)).toHaveText(['1', '2', '…', '11'])
    await page.getByRole('link', { name: '110 unread Notification' }).getByText('99+').waitFor()
    await expect(page).toHaveTitle(/^\(99\+\) Notifications/)

    await pager(page).getByRole('button', { name: 'Page 11' }).click()
    await page.getByText('Showing 101 to 110 of 110 notifications').waitFor()
    await expect(pagerTexts(page)).toHaveText(['1', '…', '10', '11'])
    await expect(pager(page).getByRole('button', { name: 'Next page' })).toBeDisabled()
    await page.goto('/notification?page=6')
    await page.getByText('Showing 51 to 60 of 110 notifications').waitFor()
    await expect(pagerTexts(page)).toHaveText(['1', '…', '5', '6', '7', '…', '11'])
    await pager(page).getByRole('button', { name: 'Previous page' }).click()
    await page.waitForURL('**/notification?page=5')
    await page.getByText('Showing 41 to 50 of 110 notifications').waitFor()
    await page.goto('/notification?page=99')
    await page.waitForURL('**/notification?page=11')
    await page.getByText('Showing 101 to 110 of 110 notifications').waitFor()
  })

  test.each([320, 390])('does not shift its layout on a slow network, %i px wide', async (width) => {
    await send(3, titlesOf(3))
    const page = await openAsLearner(3, '/payment')
    await page.setViewportSize({ width, height: 844 })
    const release = await delayRequests(page, listRoute)
    await page.goto('/notification')
    await page.getByRole('status', { name: 'Loading notifications' }).waitFor()
    await waitForHeading(page, 'Notifications')
    release()
    await rows(page).nth(2).waitFor()
    expect(await layoutShifts(page)).toEqual([])
  })

  test('does not shift its layout when its fonts arrive late', async () => {
    const page = await openAsLearner(3, '/payment')
    const deliverFonts = await delayRequests(page, /\.woff2$/)
    await page.goto('/notification', { waitUntil: 'domcontentloaded' })
    await rows(page).nth(2).waitFor()
    const fontsLoaded = page.evaluate('document.fonts.ready.then(() => undefined)')
    deliverFonts()
    await fontsLoaded
    expect(await page.evaluate(`document.fonts.check('700 13px "Figtree Variable"')`)).toBe(true)
    expect(await layoutShifts(page)).toEqual([])
  })

  test('holds back new notifications while it is scrolled, and shows them on a click', async () => {
    await send(4, titlesOf(12))
    const page = await openAsLearner(4, '/notification', lowPhone)
    await rows(page).nth(9).waitFor()
    // The page holds back from the scroll event on, which comes with the next frame.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('scroll', () => resolve(), { once: true })
      scrollTo(0, 300)
    })`)
    await expect.poll(() => page.evaluate('scrollY')).toBe(300)
    const top = (await rows(page).first().textContent()) ?? ''
    await send(4, ['The newest of all'])
    const pill = page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    await expect(rows(page).first()).toHaveText(top)
    expect(await page.evaluate('scrollY')).toBe(300)
    expect(await layoutShifts(page)).toEqual([])
    await pill.click()
    await rows(page).first().filter({ hasText: 'The newest of all' }).waitFor()
    await pill.waitFor({ state: 'detached' })
    expect(await page.evaluate('scrollY')).toBe(0)
  })
})

describe('one notification', () => {
  test('announces loading without a layout shift', async () => {
    const [id] = await send(3, ['Exam moved'])
    const page = await openAsLearner(3, '/payment')
    const release = await delayRequests(page, detailRoute)
    await page.goto(`/notification/${id}`)
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    release()
    await page.getByText('Text of Exam moved').waitFor()
    expect(await layoutShifts(page)).toEqual([])
  })

  test(
    '[N-25] shows on the page and as a toast that it does not exist, and returns to the list after two seconds',
    { tags: ['essential'] },
    async () => {
      expectConsoleErrors(/400|404/)
      await send(3, ['One before'])
      const page = await openAsLearner(3)
      await rows(page).first().waitFor()
      const release = await delayRequests(page, /^\/notifications\/not-an-id$/)
      await page.goto('/notification/not-an-id')
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 10_000)
      release()
      await page.getByRole('main').getByText('Notification not found').waitFor()
      await toasts(page).getByText('Notification not found').waitFor()
      await page.clock.runFor(1_999)
      await expect(page).toHaveURL('/notification/not-an-id')
      await page.clock.runFor(1)
      await page.waitForURL('**/notification')
      await page.clock.resume()
      await rows(page).first().waitFor()
    },
  )
})
