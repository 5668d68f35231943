import { createProgram } from '@portal/contracts/catalog/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { setUpAdminJourneys } from './admin-journeys.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** Layout that only a real browser can show. */
const { portal, openAs, openAsAdmin } = setUpAdminJourneys(() => startSamplePortal(2))

type UnreadMarker = { readonly left: number; readonly width: number; readonly dots: number }

/** The accent in px and the number of dots in a row. Page code is a string, because these files have no DOM types. */
const unreadMarkerOf = (page: Page, row: string) =>
  page.evaluate<UnreadMarker>(`{
    const row = document.querySelector(${JSON.stringify(row)})
    const { left, width, transform } = getComputedStyle(row, '::after')
    const scale = transform === 'none' ? 1 : new DOMMatrix(transform).a
    const dots = [...row.querySelectorAll('.title span')].filter((one) => getComputedStyle(one).borderRadius === '50%')
    ;({ left: parseFloat(left), width: parseFloat(width) * scale, dots: dots.length })
  }`)

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible')
  return box
}

test('[N-6] an unread notification has an accent at its left and a dot until it is read', async () => {
  const page = await openAs(portal().learner(1), '/notification', phone)
  const unread = page.getByRole('main').getByRole('link', { name: /^Unread: / })
  const address = await unread.first().getAttribute('href')
  const row = `main a[href="${address}"]`
  await expect.poll(() => unreadMarkerOf(page, row)).toEqual({ left: 0, width: 3, dots: 1 })

  await unread.first().click()
  await page.getByRole('heading', { name: 'Notification Details' }).waitFor()
  await page.getByRole('link', { name: 'Back to notifications' }).click()
  await page.locator(row).waitFor()
  await expect.poll(() => unreadMarkerOf(page, row)).toEqual({ left: 0, width: 0, dots: 0 })
})

test('[G-6] on a phone, a message stands below the greeting', async () => {
  const { address, admin } = portal()
  const { token } = await logIn(address, admin.email, admin.password)
  const learner = await logIn(address, portal().learner(1).email, portal().learner(1).password)
  const page = await openAs(portal().learner(1), '/home', phone)
  const greeting = page.getByRole('heading', { level: 1, name: /^Good / })
  await greeting.waitFor()
  await waitForIdle(page)
  const body = { userIds: [learner.userId], title: 'Room 12', message: 'On Friday', type: 'Exam' } as const
  await callRoute(address, sendNotification, { token, body })
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('status').filter({ hasText: 'Room 12' })
  await message.waitFor()
  const { y, height } = await boxOf(greeting)
  // It comes down while it appears.
  await expect.poll(async () => (await boxOf(message)).y).toBeGreaterThanOrEqual(y + height)
})

test('[C-2] the history is to the right of the form, and below it on a phone', async () => {
  const page = await openAsAdmin('/admin/notifications', desktop)
  const [form, history] = [page.getByLabel('Title'), page.getByRole('group', { name: 'Sent' })]
  // The history changes its layout when its first page is loaded.
  await page.getByText(/^Showing 1 to/).waitFor()
  const [written, sent] = [await boxOf(form), await boxOf(history)]
  expect(written.x + written.width).toBeLessThan(sent.x)
  expect(sent.y).toBeLessThan(desktop.height)

  await page.setViewportSize(phone)
  await expect.poll(async () => (await boxOf(history)).y > (await boxOf(form)).y).toBe(true)
  expect((await boxOf(history)).x).toBeLessThan((await boxOf(form)).x + written.width)
})

test('[G-1 G-9] on a desktop, learners’ pages are as wide as a phone but the inbox, and the admin panel uses the full width', async () => {
  const page = await openAs(portal().learner(1), '/profile', desktop)
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  expect((await boxOf(page.getByRole('main'))).width).toBe(480)
  await page.goto('/notification')
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  expect((await boxOf(page.getByRole('main'))).width).toBe(960)

  const panel = await openAsAdmin('/admin/programs', desktop)
  await panel.getByRole('heading', { level: 1, name: 'Programs' }).waitFor()
  expect((await boxOf(panel.getByRole('main'))).width).toBeGreaterThan(900)
})

/** Adds so many that the list offers a search. */
const addPrograms = async (count: number) => {
  const { address, admin } = portal()
  const { token } = await logIn(address, admin.email, admin.password)
  for (let n = 1; n <= count; n++)
    await callRoute(address, createProgram, { token, body: { programName: `Minor ${n}` } })
}

test('table columns keep their place during a search, and a whole card of the dashboard is a link', async () => {
  await addPrograms(10)
  const page = await openAsAdmin('/admin/programs', desktop)
  await page.getByRole('row').nth(2).waitFor()
  const heads = async () => {
    const boxes = (await page.getByRole('columnheader').all()).map(boxOf)
    return (await Promise.all(boxes)).map(({ x }) => x)
  }
  const before = await heads()
  await page.getByRole('searchbox', { name: 'Search programs' }).fill('nothing of the kind')
  await page.getByText('No program matches “nothing of the kind”.').waitFor()
  expect(await heads()).toEqual(before)

  await page.getByRole('link', { name: 'Dashboard' }).click()
  const card = page.getByRole('list', { name: 'Counts' }).getByRole('listitem').filter({ hasText: 'Universities' })
  const { x, y, height } = await boxOf(card.locator('.figure'))
  await page.mouse.click(x + 100, y + height / 2)
  await page.waitForURL('**/admin/universities')
})
