import { getProfile } from '@portal/contracts/auth/http'
import { updateProfile } from '@portal/contracts/auth/profile-http'
import { listRecentNotifications, readNotification } from '@portal/contracts/notifications/http'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The form that sends notifications, their history, and the page of each. */
const { portal, openAs, openAsAdmin, adminToken, send, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(6))

const sendPath = '/admin/notifications'
const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
const write = async (page: Page, heading: string, ...learners: readonly number[]) => {
  await title(page).fill(heading)
  await page.getByRole('textbox', { name: 'Message' }).fill(`About: ${heading}`)
  for (const n of learners) {
    const { email } = portal().learner(n)
    await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
    await page.getByRole('checkbox', { name: new RegExp(email) }).check()
  }
}
const askToSend = async (page: Page) => {
  await page.getByRole('button', { name: /^Send to \d/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
const sendNow = (page: Page) => page.getByRole('button', { name: 'Send now' }).click()
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const total = async () => {
  const { pagination } = await callRoute(portal().address, listRecentNotifications, { token: await adminToken() })
  return pagination.total
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const recipients = (page: Page) => page.getByRole('table', { name: 'Recipients' })

test('[C-4 C-5] after a send, the form is empty and the history shows page 1', { tags: ['essential'] }, async () => {
  const page = await openAsAdmin(sendPath)
  const before = await total()
  await waitForText(page, `Showing 1 to 10 of ${before} notifications`)
  const historyHeight = async () => (await page.getByRole('group', { name: 'Sent' }).boundingBox())?.height
  // On a phone, the page scrolls and not an area within it.
  await page.setViewportSize(phone)
  await expect.poll(historyHeight).toBeGreaterThan(500)
  await page.setViewportSize(desktop)
  await expect.poll(historyHeight).toBe(500)
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await waitForText(page, `Showing 11 to ${Math.min(20, before)} of ${before} notifications`)

  await write(page, 'New timetable', 1, 2)
  await askToSend(page)
  await sendNow(page)
  await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
  await waitForText(page, '2 people have it in their inbox.')
  await expect(title(page)).toHaveValue('')
  await page.getByText(/^No one is selected yet/).waitFor()
  await waitForText(page, `Showing 1 to 10 of ${before + 1} notifications`)
  const entry = page.getByRole('listitem').filter({ hasText: 'New timetable' })
  await expect(entry).toHaveText(/About: New timetable[^]*of 2 read/)
})

test('[C-23] an admin schedules a notification, changes it, and sends it before its time', async () => {
  const page = await openAsAdmin(sendPath)
  await write(page, 'Exam tomorrow', 1)
  await page.getByRole('button', { name: 'Send later' }).click()
  await expect(page.getByLabel('Date', { exact: true })).toBeFocused()
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Date', { exact: true }).fill(day)
  await page.getByLabel('Time', { exact: true }).fill('07:30')
  // Enter in a field asks for the confirmation of a send for later.
  await page.getByLabel('Time', { exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
  await page
    .getByText(/^Scheduled for .*7:30 AM IST$/)
    .first()
    .waitFor()
  const entry = page.getByRole('listitem').filter({ hasText: 'Exam tomorrow' })
  await expect(entry).toHaveText(/in (29|30) d.*Chosen by hand: 1 person.*7:30 AM IST/)
  await page.setViewportSize(phone)
  expect(await fitsViewportWidth(page)).toBe(true)
  await page.setViewportSize(desktop)

  await entry.getByRole('link', { name: 'Edit: Exam tomorrow' }).click()
  await expect(title(page)).toHaveValue('Exam tomorrow')
  await title(page).fill('Exam in room 12')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByRole('button', { name: 'Send now: Exam in room 12' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
  await waitForText(page, 'Nothing scheduled')
  await page.getByRole('button', { name: 'Sent', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'Exam in room 12' }).waitFor()
})

test('a draft that is typed on one device opens on another one, and is gone on both after the send', async () => {
  const laptop = await openAsAdmin(sendPath)
  await write(laptop, 'Typed on a laptop', 1)
  await laptop.getByText('Draft saved', { exact: true }).waitFor()
  const mobile = await openAsAdmin(sendPath, phone)
  await expect(title(mobile)).toHaveValue('Typed on a laptop')
  await askToSend(mobile)
  await sendNow(mobile)
  await expect(title(mobile)).toHaveValue('')
  // The other device asks for the draft, which is gone.
  expectConsoleErrors(/status of (404|409)/)
  await laptop.reload()
  await expect(title(laptop)).toHaveValue('')
  await laptop.getByRole('button', { name: 'Drafts' }).click()
  await laptop.getByText(/^No drafts yet/).waitFor()
})

const maxTabs = 60
const tabTo = async (page: Page, element: Locator) => {
  const focused = element.and(page.locator(':focus'))
  for (let n = 0; n < maxTabs && (await focused.count()) === 0; n++) await page.keyboard.press('Tab')
  await expect(element).toBeFocused()
}
const pressByKey = async (page: Page, name: string | RegExp, within: Page | Locator = page) => {
  await tabTo(page, within.getByRole('button', { name, exact: true }))
  await page.keyboard.press('Enter')
}

test.each([
  ['phone', phone, 4],
  ['laptop', desktop, 5],
])('[C-24] a second language is written by keyboard alone on a %s, and read by who chooses it', async (_, size, n) => {
  const { address, learner } = portal()
  const { email, password } = learner(n)
  const inbox = await openAs(learner(n), '/notification', size)
  const page = await openAsAdmin(sendPath, size)
  const type = (text: string) => page.keyboard.insertText(text)
  await tabTo(page, title(page))
  await type(`Room of device ${n}`)
  await tabTo(page, page.getByRole('textbox', { name: 'Message', exact: true }))
  await type('Please come to room 12.')
  await pressByKey(page, 'Add a second language')
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'हिन्दी' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveText('हिन्दी')
  await tabTo(page, page.getByRole('textbox', { name: 'Title in this language' }))
  await type(`कमरा ${n}`)
  await tabTo(page, page.getByRole('textbox', { name: 'Message in this language' }))
  await type('कृपया कमरा 12 में आएँ।')
  await tabTo(page, page.getByRole('searchbox', { name: 'Search users' }))
  await type(email)
  const found = page.getByRole('checkbox', { name: new RegExp(email) })
  // Tab leads to the first row, arrow keys to the others.
  await found.and(page.locator('[tabindex="0"]')).waitFor()
  await tabTo(page, found)
  await page.keyboard.press('Space')
  await pressByKey(page, /^Send to \d/)
  await pressByKey(page, 'Send', page.getByRole('dialog'))
  await pressByKey(page, 'Send now')
  await page.getByText(/^1 person has it in their inbox/).waitFor()
  expect(await fitsViewportWidth(page)).toBe(true)

  await inbox.getByRole('link', { name: `Room of device ${n}` }).waitFor()
  const { token } = await logIn(address, email, password)
  const { user } = await callRoute(address, getProfile, { token })
  const body = { fullName: user.fullName, notificationLanguage: 'hi' } as const
  await callRoute(address, updateProfile, { token, body })
  const hindi = inbox.getByRole('link', { name: `कमरा ${n}` })
  await hindi.getByText(`कमरा ${n}`).and(inbox.locator('[lang=hi] *, [lang=hi]')).first().waitFor()
  await tabTo(inbox, hindi)
  await inbox.keyboard.press('Enter')
  await inbox.getByText('कृपया कमरा 12 में आएँ।').first().waitFor()
})

test('a group is sent to without closing the list of its programs first', async () => {
  const page = await openAsAdmin(sendPath)
  await write(page, 'Group of a program')
  await page.getByRole('button', { name: 'Program', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Program' })
  await list.getByText('Minor in Artificial Intelligence').click()
  await page.mouse.move(20, 400)
  await page.mouse.wheel(0, 2000)
  await list.waitFor({ state: 'detached' })
  // The button of the open list is then out of view.
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.getByRole('button', { name: 'University', exact: true }).click()
  // The page behind the list is hidden from screen readers only.
  await page.getByRole('button', { name: /^Send to/, includeHidden: true }).click()
  await page.getByRole('dialog', { name: /^Send this notification to/ }).waitFor()
})

test(
  'an admin finds out who got a notification, exports them, and follows a recipient to their page',
  { tags: ['essential'] },
  async () => {
    const [id] = await send([1, 2, 3].map(portal().learner), { title: 'Hall changed', message: 'About the hall' })
    const page = await openAsAdmin(sendPath)
    await page.getByRole('searchbox', { name: 'Search sent notifications' }).fill('hall changed')
    await waitForText(page, '1 found')
    await expect(page).toHaveURL('/admin/notifications?search=hall+changed')
    // The link covers the whole entry, so the text below the title is under it.
    await page.getByText('About the hall').click({ force: true })
    await page.waitForURL(`**/admin/notifications/${id}`)
    await heading(page, 'Hall changed').waitFor()
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: /^In inbox 3$/ })
      .waitFor()
    await recipients(page).getByText('No device is registered', { exact: false }).first().waitFor()

    const [listed, left] = [portal().learner(2).email, portal().learner(1).email]
    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(listed)
    await page.getByText('Showing 1 to 1 of 1 recipients').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`recipients-${id}.csv`)
    const csv = await readFile(await download.path(), 'utf8')
    expect([csv.includes(listed), csv.includes(left)]).toEqual([true, false])

    await recipients(page).getByRole('link').click()
    await page.waitForURL('**/admin/people/*')
    await page.getByRole('link', { name: 'Hall changed' }).waitFor()
    await page.reload()
    await page.getByText(listed).waitFor()
    await page.goBack()
    await page.getByText('Showing 1 to 1 of 1 recipients').waitFor()
  },
)

test(
  'an admin recalls a notification, and the open inbox shows it as withdrawn at once',
  { tags: ['essential'] },
  async () => {
    const [id] = await send([1, 2].map(portal().learner), { title: 'Sent by mistake' })
    const learner = await openAs(portal().learner(1), '/notification')
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

test(
  'an admin reminds those who have not read it, and both notifications link to each other',
  { tags: ['essential'] },
  async () => {
    const { address, learner } = portal()
    const [id = ''] = await send([1, 2, 3].map(learner), { title: 'Exam in room 12' })
    const { token } = await logIn(address, learner(1).email, learner(1).password)
    await callRoute(address, readNotification, { token, params: { id } })
    const page = await openAsAdmin(`/admin/notifications/${id}`)
    await page.getByRole('link', { name: 'Remind those who have not read it' }).click()
    await expect(title(page)).toHaveValue('Reminder: Exam in room 12')
    await askToSend(page)
    await sendNow(page)
    await waitForText(page, '2 people have it in their inbox.')
    await page
      .getByRole('link', { name: /Reminder: Exam in room 12/ })
      .first()
      .click()
    await heading(page, 'Reminder: Exam in room 12').waitFor()
    await page.getByRole('link', { name: 'Reminder of an earlier notification' }).click()
    await heading(page, 'Exam in room 12').waitFor()
    await page.getByRole('link', { name: 'Reminder sent' }).waitFor()
    await expect(page).toHaveURL(`/admin/notifications/${id}`)
  },
)
