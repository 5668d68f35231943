import { addUniversity, createProgram } from '@portal/contracts/catalog/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys } from './admin-journeys.ts'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { waitForFocus } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** What the list of shortcuts promises, with the keyboard alone. */
const { portal, openAs, openAsAdmin, adminToken } = setUpAdminJourneys(() => startSamplePortal(14))

/** A list has a search from 12 entries on. */
const added = 10

beforeAll(async () => {
  const { address } = portal()
  const token = await adminToken()
  for (let n = 1; n <= added; n++) {
    await callRoute(address, createProgram, { token, body: { programName: `Minor in subject ${n}` } })
    await callRoute(address, addUniversity, { token, body: { name: `College ${n}` } })
  }
  for (const title of ['Third', 'Second', 'First'])
    await callRoute(address, sendNotification, {
      token,
      body: { userIds: [portal().userId], title, message: `Text of ${title}` },
    })
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const listed = (page: Page) => dialog(page).getByRole('definition')
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const focused = (page: Page) => page.locator(':focus')

describe('the list of shortcuts', () => {
  test('opens on ?, keeps other shortcuts off, and returns the focus', async () => {
    const page = await openAsAdmin('/admin/universities')
    await waitForHeading(page, 'Universities')
    const link = page.getByRole('link', { name: 'Programs', exact: true })
    await link.focus()
    await page.keyboard.press('?')
    await dialog(page).waitFor()
    await expect(listed(page)).toHaveText([
      'Search the list',
      'Send the notification, after a confirmation',
      'Undo the last change',
      'Move within a list of people',
      'Show this list',
    ])
    await page.keyboard.press('/')
    await waitForFocus(dialog(page).getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    await waitForFocus(link)
  })

  test('names for learners what they can use, on every page of theirs', async () => {
    const page = await openAs(portal().learner(1), '/notification', desktop)
    for (const path of ['/notification', '/home', '/my-program', '/profile', '/payment']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.keyboard.press('?')
      await dialog(page).waitFor()
      await expect(listed(page)).toHaveText([
        'Search the list',
        'Older or newer notification',
        'Mark the notification as unread',
        'Undo the last change',
        'Show this list',
      ])
      await page.keyboard.press('Enter')
      await dialog(page).waitFor({ state: 'hidden' })
    }
  })
})

describe('the search', () => {
  test.each([
    ['/admin/programs', 'Search programs', 'subject 7', 'subject 8'],
    ['/admin/universities', 'Search universities', 'College 7', 'College 8'],
    ['/admin/notifications', 'Search sent notifications', 'Third', 'Second'],
  ])('of %s is focused on /, and finds what is typed next', async (path, label, text, other) => {
    const page = await openAsAdmin(path)
    const search = page.getByRole('searchbox', { name: label })
    const list = page.locator('#content')
    await search.waitFor()
    await list.getByText(other).first().waitFor()
    await page.keyboard.press('/')
    await waitForFocus(search)
    await page.keyboard.type(text)
    await expect(search).toHaveValue(text)
    await expect(list.getByText(other)).toHaveCount(0)
    await list.getByText(text).first().waitFor()
    // In a field, the same key is a text.
    await page.keyboard.press('/')
    await expect(search).toHaveValue(`${text}/`)
  })
})

describe('a list of people', () => {
  test('is walked with the arrows, ticked with Space, and the notification is sent with Ctrl and Enter', async () => {
    const page = await openAsAdmin('/admin/notifications')
    const people = page.getByRole('checkbox', { name: /@example\.com/ })
    await people.first().waitFor()
    const search = page.getByRole('searchbox', { name: 'Search users' })
    while (!(await search.evaluate((field) => field.matches(':focus')))) await page.keyboard.press('Tab')
    await page.keyboard.type('learner-000')
    await expect(people).toHaveCount(9)
    while (!(await people.nth(0).evaluate((box) => box.matches(':focus')))) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await waitForFocus(people.nth(1))
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Send to 2 users' }).waitFor()
    await page.keyboard.press('Control+Enter')
    // Without a title, the first invalid field gets the focus.
    await waitForFocus(page.getByRole('textbox', { name: 'Title' }))
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Tab')
    await page.keyboard.type('For two')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Send this notification to 2 people?' }).waitFor()
  })
})

/** The text of the notification that is open beside the list, which shows the text, too. */
const opened = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Notification Details' }).getByText(`Text of ${title}`)

describe('the inbox', () => {
  test('is walked with j and k, opened with Enter, read on with j and k, and left unread with u', async () => {
    const page = await openAs(portal().learner(1), '/notification')
    await page
      .getByRole('link', { name: /^First|First/ })
      .first()
      .waitFor()
    await page.keyboard.press('j')
    await expect(focused(page)).toContainText('First')
    await page.keyboard.press('j')
    await expect(focused(page)).toContainText('Second')
    await page.keyboard.press('k')
    await expect(focused(page)).toContainText('First')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/notification\/.+/)
    await opened(page, 'First').waitFor()
    await page.keyboard.press('j')
    await opened(page, 'Second').waitFor()
    await page.keyboard.press('k')
    await opened(page, 'First').waitFor()
    await page.keyboard.press('u')
    await page.waitForURL('**/notification')
    await page.getByRole('link', { name: /Unread: First/ }).waitFor()
  })
})
