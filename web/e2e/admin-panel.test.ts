import { getProfile } from '@portal/contracts/auth/http'
import { listUniversities } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { until } from '../src/testing/until.ts'
import { dateTimeInIndia } from '@portal/contracts/shared/india-time'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, waitForIdle } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The dashboard, the people, the universities and the profile of an admin. */
const { portal, openAs, openAsAdmin, adminToken, newContext, newContextWith, open, signIn, send, expectConsoleErrors } =
  setUpJourneys(() => startSamplePortal(6))

const recent = (page: Page) => page.getByRole('region', { name: 'Recent Notifications' })
const chart = (page: Page) => page.getByRole('region', { name: 'Sends and reads' })
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test(
  '[D-3 D-8 D-12] the dashboard lists the newest notifications, follows two sends of another admin, and opens one',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin('/admin/dashboard')
    await expect(recent(page).getByRole('listitem')).toHaveCount(5)
    await page.getByRole('list', { name: 'Is all well?' }).getByText('All services answer').waitFor()
    await send([portal().learner(1)], { title: 'Lights out', type: 'Exam' })
    const entry = recent(page).getByRole('listitem').filter({ hasText: 'Lights out' })
    await expect(entry.locator('.facts')).toHaveText(/Exam/)
    await send([portal().learner(2)], { title: 'Lights on' })
    await expect(recent(page).getByRole('listitem').first()).toHaveText(/^Lights on/)
    await expect(entry.locator('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} • \d{1,2}:\d{2} [AP]M$/)
    await entry.getByRole('link', { name: 'Lights out' }).click()
    // The dashboard has a heading of the same name, at another level.
    await page.getByRole('heading', { level: 1, name: 'Lights out' }).waitFor()

    const small = await openAsAdmin('/admin/dashboard', phone)
    await chart(small).locator('.MuiBarChart-element:not([height="0"])').first().waitFor()
    expect(await fitsViewportWidth(small)).toBe(true)
  },
)

test('the dashboard stays where it is when the sidebar gets the focus', async () => {
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

test('the dashboard shows the tooltip of a day above the pointer', async () => {
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

test(
  '[D-11 U-19 P-92] the people are searched, filtered and opened from the dashboard; a program leads to its learners',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin('/admin/dashboard')
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    const people = page
      .getByRole('table', { name: 'Users' })
      .getByRole('row')
      .filter({ has: page.getByRole('link') })
    // The learners, the faculty member and the admin.
    await page.getByText('8 users', { exact: true }).waitFor()
    await expect(people).toHaveCount(8)
    await page.getByRole('group', { name: 'Filter' }).getByRole('button', { name: 'Role' }).click()
    await page.getByRole('checkbox', { name: /^Faculty/ }).check()
    await page.keyboard.press('Escape')
    await page.getByText('1 user', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Remove.*Faculty/ }).click()
    await page.getByRole('searchbox', { name: 'Search users' }).fill(portal().learner(3).email)
    await page.getByText('1 user', { exact: true }).waitFor()
    await people.getByRole('link').click()
    await page.getByText(portal().learner(3).email).waitFor()
    await page.getByRole('link', { name: 'Back to users' }).click()
    await page.getByText('1 user', { exact: true }).waitFor()

    await page.goto('/admin/programs')
    const enrolled = page.getByRole('link', { name: /\d enrolled in Minor in Artificial Intelligence/ })
    const count = Number.parseInt(await enrolled.innerText(), 10)
    expect(count).toBeGreaterThan(0)
    await enrolled.click()
    await expect(people).toHaveCount(count)
  },
)

test(
  '[U-24 U-26 U-27] an invited member of the faculty sets a password by the link that the admin copies, and logs in',
  { tags: ['verify'] },
  async () => {
    const page = await openAsAdmin('/admin/dashboard/users')
    await clickButton(page, 'Invite')
    await page.getByLabel('Name').fill('Omar Farooqi')
    await page.getByLabel('Email').fill('omar.farooqi@example.com')
    await page.getByLabel('Role').click()
    await page.getByRole('option', { name: 'Faculty' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await page.getByRole('group', { name: 'Link for Omar Farooqi' }).innerText()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    const pending = page.getByRole('region', { name: 'Pending invitations' })
    await expect(pending.getByRole('listitem')).toHaveText([/omar\.farooqi@example\.com · Faculty/])

    const { pathname, search, hash } = new URL(link)
    const theirs = await open(await newContext(), pathname + search + hash)
    await theirs.getByText('Choose the password of your new account.').waitFor()
    const password = 'Haystack-2026'
    await theirs.getByLabel('New Password').fill(password)
    await theirs.getByLabel('Confirm Password').fill(password)
    await clickButton(theirs, 'Reset Password')
    await theirs.waitForURL('/login')
    const loggedIn = await signIn(await newContext(), { email: 'omar.farooqi@example.com', password })
    await loggedIn.getByRole('heading', { level: 1, name: 'Welcome, Omar' }).waitFor()

    await page.reload()
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await expect(pending).toHaveCount(0)
  },
)

test(
  '[U-2] a university is added with its name trimmed, but not twice, and is taken back by the keyboard',
  { tags: ['essential'] },
  async () => {
    const savedNames = async () => (await callRoute(portal().address, listUniversities)).map(({ name }) => name)
    const before = await savedNames()
    const page = await openAsAdmin('/admin/universities')
    const newName = page.getByLabel('University name').first()
    const rows = page.getByRole('table', { name: 'Universities' }).locator('tbody tr > td:first-child')
    await expect(rows).toHaveText(before)
    await newName.fill('  Hill University ')
    await clickButton(page, 'Add')
    await expect(rows).toHaveCount(before.length + 1)
    await expect(newName).toHaveValue('')
    expect(await savedNames()).toContain('Hill University')

    expectConsoleErrors(/409/)
    await newName.fill('hill university')
    await newName.press('Enter')
    await page.getByText('A university with this name already exists', { exact: true }).waitFor()
    await expect(newName).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Alt+z')
    await expect(rows).toHaveText(before)
    expect(await savedNames()).toEqual(before)
  },
)

test('[X-13] the profile of an admin shows a new name, also after a reload', { tags: ['essential'] }, async () => {
  const page = await openAsAdmin('/admin/profile')
  await clickButton(page, 'Edit')
  const form = page.locator('form').filter({ has: page.getByLabel('Full name') })
  await expect(form.getByRole('textbox')).toHaveCount(1)
  await page.getByLabel('Full name').fill(' Meera Nair ')
  await clickButton(page, 'Save')
  await page.getByText('Profile updated successfully!', { exact: true }).waitFor()
  const { user } = await callRoute(portal().address, getProfile, { token: await adminToken() })
  expect(user.fullName).toBe('Meera Nair')
  await page.reload()
  await expect(page.locator('main dd')).toHaveText(['Meera Nair', portal().admin.email, 'Admin'])
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Notification settings' }).waitFor()
})

test('[D-13] an admin who travels reads the times of India, by which the days of a chart are counted', async () => {
  const learner = await openAs(portal().learner(1), '/notification')
  await waitForIdle(learner)
  const [id] = await send([portal().learner(1)], { title: 'Seen from afar' })
  await learner.getByRole('link', { name: /Seen from afar/ }).waitFor()
  const context = await newContextWith({ viewport: desktop, timezoneId: 'America/New_York' })
  const page = await signIn(context, portal().admin)
  await page.getByText('Times are in India Standard Time (IST)').waitFor()
  await page.goto(`/admin/notifications/${id}`)
  const time = page.locator('main time').first()
  const sentAt = await time.getAttribute('datetime')
  const [date = '', clock = ''] = dateTimeInIndia(Date.parse(sentAt ?? '')).split(' ')
  const [hour = 0, minute] = clock.split(':').map(Number)
  const day = Number(date.slice(-2))
  const minutes = String(minute).padStart(2, '0')
  const ofIndia = new RegExp(
    `^[A-Z][a-z]{2} ${day}, \\d{4} • ${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}$`,
  )
  await expect(time).toHaveText(ofIndia)
  await page.getByText('Show as a table').last().click()
  await expect(page.getByRole('row', { name: new RegExp(`^[A-Z][a-z]{2} ${day} 1 0$`) })).toHaveCount(1)
})
