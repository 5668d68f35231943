import { createProgram } from '@portal/contracts/catalog/http'
import { callRoute } from '@portal/system-tests/testing/api-client'
import type { Locator, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, waitForFocus, waitForIdle } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** Layout that only a real browser can show. */
const { portal, newContext, open, openAs, openAsAdmin, adminToken, send, expectConsoleErrors } = setUpJourneys(() =>
  startSamplePortal(2),
)

const small = { width: 320, height: 640 }

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Whether text is hidden, because it is clamped or cut at the edge. */
const isCut = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)

const addProgram = async (programName: string): Promise<string> => {
  const token = await adminToken()
  return (await callRoute(portal().address, createProgram, { token, body: { programName, fee: '' } })).data._id
}

describe('the inbox', () => {
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

  test('[N-6] an unread notification has an accent at its left and a dot until it is read', async () => {
    const page = await openAs(portal().learner(1), '/notification')
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

  test.each([small, phone, { width: 768, height: 1024 }, desktop])(
    'the active filters are in sight without their list, and all of it is in reach, at $width px',
    async (viewport) => {
      const page = await openAs(portal().learner(1), '/notification?filter=unread&type=Exam,General', viewport)
      const filter = page.getByRole('group', { name: 'Filter' })
      const chips = filter.getByRole('group', { name: 'Types' }).getByRole('button')
      await expect(chips).toHaveText(['Exam', 'General'])
      await filter.getByRole('button', { name: 'Types' }).click()
      await expect(chips).toHaveCount(6)
      for (const button of await filter.getByRole('button').all()) {
        const { x, right } = await boxOf(button)
        expect(x).toBeGreaterThanOrEqual(0)
        expect(right).toBeLessThanOrEqual(viewport.width)
        expect(await isCut(button)).toBe(false)
      }
      expect(await fitsViewportWidth(page)).toBe(true)
    },
  )

  test('on a desktop, the list and a notification are side by side', async () => {
    const page = await openAs(portal().learner(1), '/notification', desktop)
    const row = page.getByRole('main').getByRole('listitem').getByRole('link').first()
    await row.click()
    const detail = await boxOf(page.getByRole('region', { name: 'Notification Details' }))
    expect((await boxOf(row)).right).toBeLessThanOrEqual(detail.x)
    expect(await fitsViewportWidth(page)).toBe(true)
  })

  /** The whole link is in the window, and nothing else is on top of its middle or of its lower edge. */
  const isUncovered = async (page: Page, link: Locator): Promise<boolean> => {
    const { x, y, width, height } = await boxOf(link)
    const points = [y + height / 2, y + height - 4].map((at) => [x + width / 2, at])
    const hits = await page.evaluate<(string | null)[]>(
      `${JSON.stringify(points)}.map(([x, y]) => document.elementFromPoint(x, y)?.closest('a')?.getAttribute('href') ?? null)`,
    )
    const href = await link.getAttribute('href')
    return hits.every((hit) => hit === href)
  }

  test('[N-34] the button of a notification is at the thumb, in windows of all sizes', async () => {
    const button = { label: 'परीक्षाकेंद्रचुनेंपरीक्षाकेंद्रचुनेंअभी', url: 'https://exam.example/centers?city=Pune' }
    const [id] = await send([portal().learner(2)], {
      title: 'Choose a center',
      message: 'Please choose by Friday. '.repeat(60),
      button,
    })
    const page = await openAs(portal().learner(2), `/notification/${id}`)
    const link = page.getByRole('link', { name: button.label })
    await link.waitFor()
    for (const viewport of [phone, { width: 320, height: 568 }]) {
      await page.setViewportSize(viewport)
      await expect.poll(() => isUncovered(page, link)).toBe(true)
      expect(await fitsViewportWidth(page)).toBe(true)
    }
    // A short window has no room for it at the thumb. Beside the list, it is below the message.
    for (const viewport of [{ width: 640, height: 400 }, desktop]) {
      await page.setViewportSize(viewport)
      await link.focus()
      await expect.poll(() => isUncovered(page, link)).toBe(true)
    }
    await page.getByRole('region', { name: 'Notification Details' }).waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
  })
})

describe('a message', () => {
  const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

  test('[G-6] is below the greeting on a phone', async () => {
    const page = await openAs(portal().learner(1), '/home')
    const greeting = page.getByRole('heading', { level: 1, name: /^Good / })
    await greeting.waitFor()
    await waitForIdle(page)
    await send([portal().learner(1)], { title: 'Room 12' })
    const message = messages(page).getByRole('status').filter({ hasText: 'Room 12' })
    await message.waitFor()
    // It comes down while it appears.
    const { bottom } = await boxOf(greeting)
    await expect.poll(async () => (await boxOf(message)).y).toBeGreaterThanOrEqual(bottom)
  })

  test('is below the title in a low window, and never covers the bottom bar', async () => {
    const low = { width: 390, height: 500 }
    const page = await openAs(portal().learner(2), '/notification', low)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    const toast = await boxOf(
      messages(page).getByRole('status').filter({ hasText: 'All notifications marked as read' }),
    )
    const title = await boxOf(page.getByRole('heading', { level: 1 }))
    expect(toast.bottom).toBeLessThan((await boxOf(page.getByRole('navigation', { name: 'Main' }))).y)
    expect(toast.y).toBeGreaterThanOrEqual(title.bottom)
    expect(toast.y).toBeLessThan(title.bottom + 40)
    expect(toast.right).toBeGreaterThan(low.width - 40)
  })

  test('[G-6] is at the top right of a desktop', async () => {
    expectConsoleErrors(/401/)
    const page = await open(await newContext(desktop), '/login')
    await page.getByRole('textbox', { name: 'Email' }).fill(portal().learner(1).email)
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('Not-the-one-1')
    await page.getByRole('button', { name: 'Login' }).click()
    const toast = messages(page).getByRole('alert')
    await expect(toast).toHaveText('Invalid credentials')
    const { y, right } = await boxOf(toast)
    expect([y < 60, desktop.width - right < 60]).toEqual([true, true])
    await waitForFocus(password)
  })
})

describe('the admin panel', () => {
  test('[C-2] the history is to the right of the form, and below it on a phone', async () => {
    const page = await openAsAdmin('/admin/notifications')
    const [form, history] = [page.getByLabel('Title'), page.getByRole('group', { name: 'Sent' })]
    // The history changes its layout when its first page is loaded.
    await page.getByText(/^Showing 1 to/).waitFor()
    const [written, sent] = [await boxOf(form), await boxOf(history)]
    expect(written.right).toBeLessThan(sent.x)
    expect(sent.y).toBeLessThan(desktop.height)

    await page.setViewportSize(phone)
    await expect.poll(async () => (await boxOf(history)).y > (await boxOf(form)).y).toBe(true)
    expect((await boxOf(history)).x).toBeLessThan((await boxOf(form)).x + written.width)
  })

  test.each([small, phone])(
    'a recipient of a campaign takes two lines at $width px, below the history',
    async (viewport) => {
      const page = await openAsAdmin(`/admin/notifications/${portal().notification}`, viewport)
      const recipients = page.getByRole('table', { name: 'Recipients' })
      const rows = recipients.getByRole('row')
      await rows.first().waitFor()
      for (const row of await rows.all()) expect((await boxOf(row)).height).toBeLessThan(76)
      const history = await boxOf(page.getByRole('heading', { name: 'History' }))
      expect(history.bottom).toBeLessThan((await boxOf(recipients)).y)
      expect(await fitsViewportWidth(page)).toBe(true)
    },
  )

  test('pages that fit on a desktop cannot be scrolled', async () => {
    for (const path of ['/admin/universities', '/admin/programs']) {
      const page = await openAsAdmin(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(desktop.height)
    }
  })

  /** The number of lines that the text of an element takes. */
  const linesOf = (element: Locator): Promise<number> =>
    element.evaluate((node) => {
      const range = node.ownerDocument.createRange()
      range.selectNodeContents(node)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })

  test.each([phone, small])('the table of a chart keeps its words whole at $width', async (viewport) => {
    const page = await openAsAdmin('/admin/dashboard', viewport)
    await page.getByText('Show as a table').click()
    const heads = page.getByRole('columnheader')
    await heads.first().waitFor()
    for (const head of await heads.all()) expect(await linesOf(head)).toBe(1)
    expect(await fitsViewportWidth(page)).toBe(true)
  })

  test('programs are cards on a phone, with all sort buttons in view and saved names whole', async () => {
    const programName = 'Minor in Business Analytics'
    const page = await openAsAdmin(`/admin/programs/edit/${await addProgram(programName)}`, small)
    await page.getByRole('button', { name: 'Update Program' }).click()
    const message = page.getByText(`${programName} updated`, { exact: true })
    await message.waitFor()
    expect(await isCut(message)).toBe(false)
    expect(await fitsViewportWidth(page)).toBe(true)
    await page.setViewportSize(phone)
    const table = page.getByRole('table', { name: 'Programs' })
    await table.waitFor()
    expect(await isCut(table.locator('thead tr'))).toBe(false)
    const [name, semesters] = [0, 1].map((n) => table.getByRole('row').nth(1).getByRole('cell').nth(n))
    if (!name || !semesters) throw new Error('The first row has no cells')
    expect((await boxOf(semesters)).y).toBeGreaterThanOrEqual((await boxOf(name)).bottom)
  })

  test('table columns keep their place during a search, and a whole card of the dashboard is a link', async () => {
    // So many that the list offers a search.
    for (let n = 1; n <= 10; n++) await addProgram(`Minor ${n}`)
    const page = await openAsAdmin('/admin/programs')
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
})

test('[G-1 G-9] on a desktop, learners’ pages are as wide as a phone but the inbox, and the admin panel uses the full width', async () => {
  const page = await openAs(portal().learner(1), '/profile', desktop)
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  expect((await boxOf(page.getByRole('main'))).width).toBe(480)
  await page.goto('/notification')
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  expect((await boxOf(page.getByRole('main'))).width).toBe(960)

  const panel = await openAsAdmin('/admin/programs')
  await panel.getByRole('heading', { level: 1, name: 'Programs' }).waitFor()
  expect((await boxOf(panel.getByRole('main'))).width).toBeGreaterThan(900)
})
