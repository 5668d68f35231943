import { sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  eventually,
  newDataFolder,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { abortRequests, delayRequests, setUpJourneys, mockError } from './journeys.ts'
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
const broken = { success: false, message: 'The server is unavailable', code: 'unavailable' }

const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' })
/** Ends the time in which a mark-all can be undone. */
const closeToast = (page: Page) => toasts(page).getByRole('button', { name: 'Close message' }).click()
const markAll = (page: Page) => page.getByRole('button', { name: 'Mark all as read' })
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const pagerTexts = async (page: Page) =>
  (await pager(page).getByRole('listitem').or(pager(page).locator('li[aria-hidden]')).allTextContents()).filter(Boolean)
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the list', () => {
  test('[N-22] says that it is empty until the first notification arrives', { tags: ['essential'] }, async () => {
    const page = await openAsLearner(1)
    await waitForHeading(page, 'Notifications')
    await page.getByText('No notifications yet.').waitFor()
    expect(await markAll(page).count()).toBe(0)
    await send(1, ['The hall is closed'])
    await rows(page).filter({ hasText: 'Unread: The hall is closed' }).waitFor()
    expect(await page.getByText('No notifications yet.').count()).toBe(0)
    await page.getByRole('link', { name: '1 unread Notification' }).waitFor()
  })

  test('[N-4] has pages of ten, and its badge counts no further than 99', async () => {
    await send(2, titlesOf(110))
    const page = await openAsLearner(2)
    await page.getByText('Showing 1 to 10 of 110 notifications').waitFor()
    expect(await rows(page).count()).toBe(10)
    expect(await pagerTexts(page)).toEqual(['1', '2', '…', '11'])
    await page.getByRole('link', { name: '110 unread Notification' }).getByText('99+').waitFor()
    await eventually('the title of the tab has the count', async () =>
      (await page.title()).startsWith('(99+) Notifications'),
    )

    await pager(page).getByRole('button', { name: 'Page 11' }).click()
    await page.getByText('Showing 101 to 110 of 110 notifications').waitFor()
    expect(await pagerTexts(page)).toEqual(['1', '…', '10', '11'])
    expect(await pager(page).getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.goto('/notification?page=6')
    await page.getByText('Showing 51 to 60 of 110 notifications').waitFor()
    expect(await pagerTexts(page)).toEqual(['1', '…', '5', '6', '7', '…', '11'])
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

  test('[G-56] shows a failed load on the page and as a toast, and loads on a retry', async () => {
    expectConsoleErrors(/503|net::ERR_/)
    const page = await openAsLearner(3, '/payment')
    await mockError(page, listRoute, 503, broken)
    await page.goto('/notification')
    await page.getByRole('main').getByText('Failed to load notifications. Please try again later.').waitFor()
    await toasts(page).getByText('Failed to load notifications', { exact: true }).waitFor()
    await page.unrouteAll()
    await abortRequests(page, listRoute)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('main').getByText('Failed to load notifications. Please try again later.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).nth(2).waitFor()
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
    await eventually('the page is scrolled', async () => (await page.evaluate('scrollY')) === 300)
    const top = await rows(page).first().textContent()
    await send(4, ['The newest of all'])
    const pill = page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    expect(await rows(page).first().textContent()).toBe(top)
    expect(await page.evaluate('scrollY')).toBe(300)
    expect(await layoutShifts(page)).toEqual([])
    await pill.click()
    await rows(page).first().filter({ hasText: 'The newest of all' }).waitFor()
    await pill.waitFor({ state: 'detached' })
    expect(await page.evaluate('scrollY')).toBe(0)
  })
})

describe('marking as read', () => {
  test('[N-24] is reverted with the reason if the server rejects it', async () => {
    expectConsoleErrors(/503/)
    await send(5, titlesOf(2))
    const page = await openAsLearner(5)
    await rows(page).nth(1).waitFor()
    await mockError(page, /^\/notifications\/mark-all-read$/, 503, broken)
    await markAll(page).click()
    await closeToast(page)
    await toasts(page).getByText('Failed to mark all notifications as read').waitFor()
    expect(await rows(page).filter({ hasText: 'Unread: ' }).count()).toBe(2)
    await page.getByRole('link', { name: '2 unread Notification' }).waitFor()

    await mockError(page, /^\/notifications\/[^/]+\/read$/, 503, broken)
    await rows(page).first().click()
    await waitForHeading(page, 'Notification Details')
    await toasts(page).getByText(broken.message).waitFor()
    await page.goBack()
    await rows(page).filter({ hasText: 'Unread: ' }).nth(1).waitFor()

    await page.unrouteAll()
    await markAll(page).click()
    await toasts(page).getByText('All notifications marked as read').waitFor()
    await markAll(page).waitFor({ state: 'detached' })
    expect(await rows(page).filter({ hasText: 'Unread: ' }).count()).toBe(0)
  })
})

describe('one notification', () => {
  test('[N-8] has placeholders for a missing title or text, in the list and on its page', async () => {
    const [id] = await send(6, ['Blank'])
    const page = await openAsLearner(6, '/payment')
    await page.route(
      (url) => listRoute.test(url.pathname) || detailRoute.test(url.pathname),
      async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll('"Blank"', '""').replaceAll('"Text of Blank"', '""')
        await route.fulfill({ response, body })
      },
    )
    await page.goto('/notification')
    await rows(page).filter({ hasText: 'Unread: NotificationGeneral' }).click()
    await page.waitForURL(`**/notification/${id}`)
    await page.getByRole('heading', { level: 2, name: 'Notification', exact: true }).waitFor()
    await page.getByText('No additional details available.').waitFor()
    expect(await page.getByRole('main').getByText('General', { exact: true }).count()).toBe(1)
    await page.getByRole('link', { name: 'Back to notifications' }).click()
    await page.waitForURL('**/notification')
  })

  test('announces loading without a layout shift, and a failed load can be retried', async () => {
    expectConsoleErrors(/503/)
    const [id] = await send(3, ['Exam moved'])
    const page = await openAsLearner(3, '/payment')
    const release = await delayRequests(page, detailRoute)
    await page.goto(`/notification/${id}`)
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    release()
    await page.getByText('Text of Exam moved').waitFor()
    expect(await layoutShifts(page)).toEqual([])

    await mockError(page, detailRoute, 503, broken)
    await page.reload()
    await page.getByRole('main').getByText('Failed to load notification', { exact: true }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Text of Exam moved').waitFor()
  })

  test(
    '[N-25] shows on the page and as a toast that it does not exist, and returns to the list after two seconds',
    { tags: ['essential'] },
    async () => {
      expectConsoleErrors(/400|404/)
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
      expect(new URL(page.url()).pathname).toBe('/notification/not-an-id')
      await page.clock.runFor(1)
      await page.waitForURL('**/notification')
      await page.clock.resume()
      await rows(page).first().waitFor()
    },
  )
})
