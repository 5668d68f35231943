import {
  enrollInProgram,
  listAdminPrograms,
  listMyPrograms,
  listPrograms,
  listUniversities,
} from '@portal/contracts/catalog/http'
import { listUsers } from '@portal/contracts/auth/http'
import { getActivity, sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { until } from '../src/testing/until.ts'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys, fitsViewportWidth } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { startEmptyPortal, startSamplePortal } from './portals.ts'
import { desktop, phone } from './browser.ts'
import { delayRequests, waitForIdle } from './journeys.ts'

const counts = async (page: Page): Promise<Readonly<Record<string, string>>> => {
  const list = page.getByRole('list', { name: 'Counts' })
  await list.locator('.figure').nth(3).waitFor()
  const cards = await list.getByRole('listitem').all()
  const pairs = cards.map(async (card) => {
    const [figure, name] = await Promise.all([card.locator('.figure').innerText(), card.locator('.name').innerText()])
    return [name, figure] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}
const recent = (page: Page) => page.getByRole('region', { name: 'Recent Notifications' })
const chart = (page: Page) => page.getByRole('region', { name: 'Sends and reads' })
const lastDay = (page: Page) => chart(page).getByRole('row').last().getByRole('cell').allInnerTexts()

describe('the dashboard of a portal with data', () => {
  const { portal, openAsAdmin, newContext, signInAsAdmin, adminToken } = setUpAdminJourneys(() => startSamplePortal(6))

  test('[D-1] shows the numbers of universities, users and programs, and no number of enrollments', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    const { address } = portal()
    const token = await adminToken()
    const [universities, { users }, { data: programs }] = await Promise.all([
      callRoute(address, listUniversities),
      callRoute(address, listUsers, { token }),
      callRoute(address, listAdminPrograms, { token }),
    ])
    expect(await counts(page)).toEqual({
      Universities: String(universities.length),
      Users: String(users.length),
      Programs: String(programs.length),
      Enrollments: '--',
    })
  })

  test('[D-3] lists the newest notifications with title, message, type and time', { tags: ['essential'] }, async () => {
    const page = await openAsAdmin('/admin/dashboard')
    const entries = recent(page).getByRole('listitem')
    await entries.first().waitFor()
    await expect(entries).toHaveCount(5)
    const types = /^(System Maintenance|Fee Payment Reminder|New Course Announcement|Assignment|Exam|General)$/m
    for (const entry of await entries.all()) {
      await expect(entry.getByRole('heading')).not.toHaveText('')
      await expect(entry.locator('.message')).not.toHaveText('')
      await expect(entry.locator('.facts')).toHaveText(types, { useInnerText: true })
      await expect(entry.locator('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} • \d{1,2}:\d{2} [AP]M$/)
    }
    const small = await openAsAdmin('/admin/dashboard', phone)
    await recent(small).getByRole('listitem').first().waitFor()
    await chart(small).locator('svg').first().waitFor()
    expect(await fitsViewportWidth(small)).toBe(true)
  })

  test('[D-7 D-8] says whether all is well, and opens a recent notification', async () => {
    for (const viewport of [desktop, phone])
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await openAsAdmin('/admin/dashboard', viewport)
        await page.emulateMedia({ colorScheme })
        const status = page.getByRole('list', { name: 'Is all well?' })
        await status.getByText('All services answer').waitFor()
        await status.getByText('No pushes failed today').waitFor()
        await status.getByText(/^(No sends|\d+ sends?) in flight/).waitFor()
        await chart(page).locator('.MuiBarChart-element:not([height="0"])').first().waitFor()
        expect(await fitsViewportWidth(page)).toBe(true)
        const title = await recent(page).getByRole('heading', { level: 3 }).first().innerText()
        await recent(page).getByRole('link', { name: title }).click()
        await page.waitForURL(/\/admin\/notifications\/[\da-f-]{36}$/)
        // The dashboard has a heading of the same name, at another level.
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      }
  })

  test(
    '[D-11 U-19 P-92] leads to the people, whom admins search, filter and open; a program leads to its learners',
    { tags: ['essential'] },
    async () => {
      for (const viewport of [desktop, phone]) {
        const page = await openAsAdmin('/admin/dashboard', viewport)
        const total = (await counts(page))['Users'] ?? ''
        await page.getByRole('link', { name: 'Users' }).click()
        await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
        await page.getByText(`${total} people`, { exact: true }).waitFor()
        const people = page
          .getByRole('table', { name: 'People' })
          .getByRole('row')
          .filter({ has: page.getByRole('link') })
        await expect(people).toHaveCount(Math.min(50, Number(total)))
        await page.getByRole('button', { name: 'Role' }).click()
        await page.getByRole('checkbox', { name: /^Faculty/ }).check()
        await page.keyboard.press('Escape')
        await page.getByText('1 person', { exact: true }).waitFor()
        await page.getByRole('button', { name: /^Remove.*Faculty/ }).click()
        await page.getByRole('searchbox', { name: 'Search people' }).fill(portal().learner(3).email)
        await page.getByText('1 person', { exact: true }).waitFor()
        expect(await fitsViewportWidth(page)).toBe(true)
        await people.getByRole('link').click()
        await page.getByText(portal().learner(3).email).waitFor()
        await page.getByRole('link', { name: /people/ }).click()
        await page.getByText('1 person', { exact: true }).waitFor()

        await page.goto('/admin/programs')
        const enrolled = page.getByRole('link', { name: /\d enrolled in Minor in Artificial Intelligence/ })
        const count = Number.parseInt(await enrolled.innerText(), 10)
        expect(count).toBeGreaterThan(0)
        await enrolled.click()
        await page.getByText(count === 1 ? '1 person' : `${count} people`, { exact: true }).waitFor()
        await expect(people).toHaveCount(count)
        expect(await fitsViewportWidth(page)).toBe(true)
      }
    },
  )

  test('[D-10 C-16] keeps notices of enrollments apart from what admins sent, and leads to them', async () => {
    const { address, learner } = portal()
    const { email, password } = learner(2)
    const { token } = await logIn(address, email, password)
    const enrolled = new Set((await callRoute(address, listMyPrograms, { token })).programs.map((one) => one.programId))
    const program = (await callRoute(address, listPrograms)).find(({ _id }) => !enrolled.has(_id))
    if (!program) throw new Error('The learner is enrolled in all programs')
    await callRoute(address, enrollInProgram, { token, params: { id: program._id } })
    const notice = `You are enrolled in ${program.programName}`

    for (const viewport of [desktop, phone]) {
      const page = await openAsAdmin('/admin/dashboard', viewport)
      await page.getByRole('link', { name: '1 of these sends is automatic.' }).click()
      await page.waitForURL('**/admin/notifications?source=portal')
      const history = page.getByRole('region', { name: 'Sent' })
      await history.getByText('1 found').waitFor()
      const entry = history.getByRole('listitem').filter({ hasText: notice })
      await entry.getByText('Sent by The portal').waitFor()
      expect(await fitsViewportWidth(page)).toBe(true)
      await history.getByRole('button', { name: 'Clear filter' }).click()
      await entry.waitFor({ state: 'detached' })
      await history.getByText('Sent by Admin').first().waitFor()
      await page.goto('/admin/dashboard')
      await recent(page).getByRole('listitem').first().waitFor()
      await expect(recent(page).getByText(notice)).toHaveCount(0)
    }
  })

  test('stays where it is when the sidebar gets the focus', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    await recent(page).getByRole('listitem').first().waitFor()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const scrolledTo = () => page.evaluate<number>('scrollY')
    for (let n = 0; n < 10 && (await focused()) !== 'AAdmin'; n++) {
      await page.keyboard.press('Tab')
      expect(await scrolledTo()).toBe(0)
    }
    expect(await focused()).toBe('AAdmin')
    await page.evaluate('scrollTo(0, 200)')
    for (const [key, name] of [
      ['Shift+Tab', 'Profile'],
      ['Shift+Tab', 'Notifications'],
      ['Tab', 'Profile'],
      ['Tab', 'AAdmin'],
    ] as const) {
      await page.keyboard.press(key)
      expect([await focused(), await scrolledTo()]).toEqual([name, 200])
    }
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Account' }).waitFor({ state: 'detached' })
    await expect.poll(async () => [await focused(), await scrolledTo()]).toEqual(['AAdmin', 200])
  })

  test('shows the tooltip of a day above the pointer', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    const bar = chart(page).locator('.MuiBarChart-element:not([height="0"])').first()
    const paper = page.locator('.MuiChartsTooltip-paper')
    /** From the lower edge of the tooltip to the pointer. The library places the tooltip only after it has rendered it. */
    const distancePx = async () => {
      await bar.hover()
      const [tooltip, box] = await Promise.all([paper.boundingBox(), bar.boundingBox()])
      if (!tooltip || !box) throw new Error('no tooltip or no bar')
      return Math.round(box.y + box.height / 2 - (tooltip.y + tooltip.height))
    }
    await until(async () => expect(await distancePx()).toBe(14))
  })

  test('shows sends and reads of 14 days as a chart and a table, and updates both after a send', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    // Days without sends have bars of height 0.
    await chart(page).locator('.MuiBarChart-element:not([height="0"])').first().waitFor()
    await chart(page).getByText('Read by now').first().waitFor()
    await chart(page).getByText('Not read yet').first().waitFor()
    await chart(page)
      .getByText(/^Last 14 days: \d+ sends to [\d,]+ inboxes, [\d,]+ read\./)
      .waitFor()
    await chart(page).getByText('Show as a table').click()
    await expect(chart(page).getByRole('row')).toHaveCount(15)
    await expect(chart(page).getByRole('row').first().getByRole('columnheader')).toHaveText([
      'Day',
      'Sends',
      'Recipients',
      'Read',
    ])

    const { address } = portal()
    const token = await adminToken()
    const { users } = await callRoute(address, listUsers, { token })
    await callRoute(address, sendNotification, {
      token,
      body: { userIds: users.map(({ _id }) => _id), title: 'Lights out', message: 'At nine.', type: 'General' },
    })
    await recent(page).getByRole('heading', { name: 'Lights out' }).waitFor()
    await until(async () => {
      const { days } = await callRoute(address, getActivity, { token })
      const day = days.at(-1)
      expect(day?.sends).toBeGreaterThan(0)
      const numbers = [day?.sends, day?.arrivals, day?.arrivalsRead].map((number) => String(number))
      expect(await lastDay(page)).toEqual(numbers)
    })
  })

  test('does not shift its layout on a slow network', async () => {
    const page = await openAsAdmin('/admin/profile')
    const release = await delayRequests(page, /^\/(api|admin|notifications)\//)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('status', { name: 'Loading recent notifications' }).waitFor()
    const places = () =>
      Promise.all([chart(page).boundingBox(), recent(page).boundingBox()].map(async (box) => (await box)?.y))
    const waiting = await places()
    release()
    await recent(page).getByRole('listitem').first().waitFor()
    await chart(page).locator('svg').first().waitFor()
    // They are above the chart, and each comes by a request of its own.
    await counts(page)
    expect(await places()).toEqual(waiting)
  })

  test('[D-2] logs out after a confirmation', async () => {
    const page = await signInAsAdmin(await newContext(desktop))
    await waitForIdle(page)
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
    await page.getByRole('button', { name: 'Logout' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Logout' }).click()
    // Leaving the page cuts off the answer, and the next page would repeat the logout.
    const answer = page.waitForResponse('**/auth/logout')
    await dialog.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await answer
    expect(await page.evaluate("['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))")).toEqual([
      null,
      null,
      null,
    ])
    await page.goto('/admin/dashboard')
    await page.waitForURL('**/login')
  })
})

describe('the dashboard of a new portal', () => {
  const { openAsAdmin } = setUpAdminJourneys(startEmptyPortal)

  test('[D-4] says that no notification has been sent yet', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    await page.getByText('No recent notifications to display.').waitFor()
    await page.getByText('Nothing was sent in the last 14 days.').waitFor()
    await page.getByRole('link', { name: 'Send a notification' }).click()
    await page.waitForURL('**/admin/notifications')
  })
})
