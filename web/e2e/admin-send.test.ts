import { listRecentNotifications } from '@portal/contracts/notifications/http'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys, fitsViewportWidth } from './admin-journeys.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { delayRequests, waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

const { portal, openAs, openAsAdmin, adminToken, expectConsoleErrors } = setUpAdminJourneys(() =>
  // A busy machine reports late that a tab showed a notification.
  startSamplePortal(6, { SEND_WAIT_MS: '10000' }),
)

const sendPath = '/admin/notifications'
const sendRoute = /^\/notifications\/send$/
const peopleRoute = /^\/notifications\/audience\/people$/

const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const type = (page: Page) => page.getByRole('combobox', { name: /^Type/ })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search users' })
const person = (page: Page, email: string) => page.getByRole('checkbox', { name: new RegExp(email) })
const people = (page: Page) => page.getByRole('checkbox', { name: /@example\.com/ })
const sendButton = (page: Page) => page.getByRole('button', { name: /^Send( to|ing\.| notification)/ })
const askToSend = async (page: Page) => {
  await sendButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
const hold = (page: Page) => page.getByRole('group', { name: 'Sending' })
const sendNow = (page: Page) => hold(page).getByRole('button', { name: 'Send now' }).click()
const send = async (page: Page) => {
  await askToSend(page)
  await sendNow(page)
}
const entry = (page: Page, heading: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const waitForTextHidden = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).waitFor({ state: 'hidden' })

const write = async (page: Page, heading: string, ...learners: readonly number[]) => {
  await title(page).fill(heading)
  await message(page).fill(`About: ${heading}`)
  for (const n of learners) {
    await search(page).fill(portal().learner(n).email)
    await person(page, portal().learner(n).email).check()
  }
}
const total = async () => {
  const { pagination } = await callRoute(portal().address, listRecentNotifications, { token: await adminToken() })
  return pagination.total
}

test('[C-17] sends a test to the admin alone, who sees it arrive and finds it in the history', async () => {
  for (const [viewport, shown] of [
    [desktop, 'Your open tab showed it.'],
    [phone, '2 open tabs of yours showed it.'],
  ] as const) {
    const page = await openAsAdmin(sendPath, viewport)
    const heading = `Trial on ${viewport.width} px`
    await waitForIdle(page)
    await page.getByRole('button', { name: 'Send me a test' }).click()
    await waitForText(page, 'Please enter a notification title')
    await title(page).fill(heading)
    await message(page).fill('As recipients see it')
    await page.getByRole('button', { name: 'Send me a test' }).click()
    // Each toast stays: that of the arrival has the focus, that of the test the pointer.
    const view = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'View' })
    await view.focus()
    await page.getByText(/^Test sent to you/).hover()
    await waitForText(page, shown)
    await expect(title(page)).toHaveValue(heading)
    const row = entry(page, `Test: ${heading}`)
    await row.getByText('1 live').waitFor()
    await row.getByText('0 of 1 read').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
    await view.click()
    await page.waitForURL(/\/admin\/notifications\/[\da-f-]{36}$/)
    // The history has a heading of the same name, at another level.
    await page.getByRole('heading', { level: 1, name: `Test: ${heading}` }).waitFor()
    await page.goBack()
    await title(page).waitFor()
    await expect(title(page)).toHaveValue(heading)
  }
})

test('a group is sent to without closing the list of its programs first', async () => {
  const page = await openAsAdmin(sendPath)
  await title(page).fill('Group of a program')
  await message(page).fill('As one group')
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

test('[C-6 C-7 C-8] the form lists all missing fields in order, each until it is filled in', async () => {
  const page = await openAsAdmin(sendPath)
  await people(page).first().waitFor()
  await sendButton(page).click()
  const missing = [
    'Please enter a notification title',
    'Please enter a notification message',
    'Please select at least one user',
  ]
  await waitForText(page, missing[0] ?? '')
  await expect(page.getByText(/^Please (enter|select)/)).toHaveText(missing)
  await expect(page.locator(':focus')).toHaveAttribute('name', 'title')
  await title(page).fill('   ')
  await message(page).fill('Room 12.')
  await sendButton(page).click()
  await waitForText(page, 'Please enter a notification title')
  await waitForTextHidden(page, 'Please enter a notification message')
  await title(page).fill('The hall is closed')
  await person(page, portal().learner(1).email).check()
  await expect(page.getByText(/^Please (enter|select)/)).toHaveCount(0)
})

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
  await type(page).click()
  await expect(page.getByRole('option')).toHaveText([
    'System Maintenance',
    'Fee Payment Reminder',
    'New Course Announcement',
    'Assignment',
    'Exam',
    'General',
  ])
  await page.getByRole('option', { name: 'Exam' }).click()
  const release = await delayRequests(page, sendRoute)
  await page.getByRole('button', { name: 'Send to 2 users' }).waitFor()
  await send(page)
  await page.getByRole('button', { name: 'Sending...' }).waitFor()
  release()
  await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
  await waitForText(page, '2 people have it in their inbox.')
  await expect(title(page)).toHaveValue('')
  await expect(message(page)).toHaveValue('')
  await expect(type(page)).toHaveText('System Maintenance')
  await expect(search(page)).toHaveValue('')
  await page.getByText(/^No one is selected yet/).waitFor()
  await waitForText(page, `Showing 1 to 10 of ${before + 1} notifications`)
  await expect(entry(page, 'New timetable')).toHaveText(/About: New timetable[^]*Exam[^]*of 2 read/)
})

test('with the keyboard alone, a send is confirmed, undone and repeated, and leaving the page sends it at once', async () => {
  const page = await openAsAdmin(sendPath)
  const focused = page.locator(':focus')
  const before = await total()
  await write(page, 'By keyboard', 1)
  await message(page).focus()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Send this notification to 1 person?' }).waitFor()
  await page.getByRole('figure', { name: 'Preview' }).getByText('By keyboard', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Send')
  await page.keyboard.press('Enter')
  await page.getByText(/^Sending to 1 person in \d s$/).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect(focused).toHaveText('Undo')
  await page.keyboard.press('Enter')
  await hold(page).waitFor({ state: 'detached' })
  await expect(focused).toHaveText('Send to 1 user')
  await expect(title(page)).toHaveValue('By keyboard')
  expect(await total()).toBe(before)

  await askToSend(page)
  await page.keyboard.press('Alt+z')
  await hold(page).waitFor({ state: 'detached' })
  await askToSend(page)
  await page.getByRole('link', { name: 'Programs' }).click()
  await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
  expect(await total()).toBe(before + 1)
  await page.getByRole('link', { name: 'Notifications' }).click()
  await entry(page, 'By keyboard').waitFor()
  await expect(title(page)).toHaveValue('')
})

test('a confirmed send is not lost by a log-out on the same page', async () => {
  // The new form lists people while the session ends.
  expectConsoleErrors(/401/)
  const page = await openAsAdmin(sendPath)
  const before = await total()
  await write(page, 'Logged out', 1)
  await askToSend(page)
  await page.getByRole('button', { name: 'Admin', exact: true }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page
    .getByRole('dialog', { name: 'Are you sure you want to logout?' })
    .getByRole('button', { name: 'Logout' })
    .click()
  await page.waitForURL('**/login')
  // The log-out waits for the send for two seconds only.
  await expect.poll(total).toBe(before + 1)
})

test('a confirmed send is not lost when the tab is closed', { tags: ['essential'] }, async () => {
  const page = await openAsAdmin(sendPath)
  const before = await total()
  await write(page, 'Closed tab', 1)
  await askToSend(page)
  await page.goto('about:blank')
  await expect.poll(total).toBe(before + 1)
})

test('recipients can be chosen by group, by search and by hand, and the sentence follows', async () => {
  const page = await openAsAdmin(sendPath)
  await people(page).first().waitFor()
  await page.getByRole('button', { name: 'Everyone', exact: true }).click()
  await page.getByText(/^Everyone: \d+ people$/).waitFor()
  await page.getByRole('button', { name: 'Role', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Role' })
    .getByRole('checkbox', { name: /Faculty/ })
    .check()
  await page.keyboard.press('Escape')
  await page.getByText('Faculty: 1 person', { exact: true }).waitFor()
  await search(page).fill('learner-000')
  await page.getByRole('checkbox', { name: 'Select all 6 shown' }).check()
  await page.getByRole('button', { name: 'Send to 7 users' }).waitFor()
  await person(page, portal().learner(3).email).uncheck()
  await page.getByRole('button', { name: 'Send to 6 users' }).waitFor()
  await page.getByRole('button', { name: 'Remove Faculty' }).click()
  await page.getByRole('button', { name: 'Send to 5 users' }).waitFor()
  await search(page).fill('nobody here')
  await page.getByText('No user matches “nobody here”.').waitFor()
  await expect(people(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Send notification' }).waitFor()
})

test('recipients can be pasted, and unknown entries are listed', async () => {
  const page = await openAsAdmin(sendPath)
  await page.getByRole('button', { name: 'Paste or CSV' }).click()
  const known = portal().learner(1).email
  await page
    .getByRole('textbox', { name: 'Email addresses or student codes' })
    .fill(`Name;Email\n"Rao; Asha";${known}\nAgain;${known.toUpperCase()}\nOther;nobody@example.com`)
  await page.getByText(/^1 found, 1 unknown/).waitFor()
  await page.getByRole('button', { name: 'Show the unknown entries' }).click()
  await expect(page.getByRole('list', { name: 'Unknown entries' })).toHaveText('nobody@example.com')
  await page.getByRole('button', { name: 'Send to 1 user' }).waitFor()
})

/** The whole link is in the window, and nothing else is on top of its middle or of its lower edge. */
const isUncovered = async (page: Page, link: Locator): Promise<boolean> => {
  const box = await link.boundingBox()
  if (!box) return false
  const points = [box.y + box.height / 2, box.y + box.height - 4].map((y) => [box.x + box.width / 2, y])
  const hits = await page.evaluate<(string | null)[]>(
    `${JSON.stringify(points)}.map(([x, y]) => document.elementFromPoint(x, y)?.closest('a')?.getAttribute('href') ?? null)`,
  )
  const href = await link.getAttribute('href')
  return hits.every((hit) => hit === href)
}

test('[C-18 N-34] a button is sent with a notification, and the learner finds it at the thumb', async () => {
  const label = 'परीक्षाकेंद्रचुनेंपरीक्षाकेंद्रचुनेंअभी'
  const url = 'https://exam.example/centers?city=Pune'
  const page = await openAsAdmin(sendPath)
  await write(page, 'Choose a center', 4)
  await message(page).fill('Please choose by Friday. '.repeat(60))
  await page.getByRole('button', { name: 'Add a button' }).click()
  await page.getByRole('textbox', { name: 'Button label' }).fill(label)
  await page.getByRole('textbox', { name: 'Address' }).fill('http://exam.example')
  await sendButton(page).click()
  await waitForText(page, 'Enter an address that begins with https://')
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await sendButton(page).click()
  await page.getByRole('dialog').getByText(label).waitFor()
  await page.getByRole('dialog').getByText('exam.example', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await sendNow(page)
  await waitForText(page, 'Choose a center')

  const learner = await openAs(portal().learner(4), '/notification', phone)
  await learner.getByRole('link', { name: /Choose a center/ }).click()
  const link = learner.getByRole('link', { name: label })
  await link.waitFor()
  await expect(link).toHaveAttribute('href', url)
  await expect(link).toHaveAttribute('target', '_blank')
  await waitForText(learner, 'Opens exam.example in a new tab')
  for (const viewport of [phone, { width: 320, height: 568 }]) {
    await learner.setViewportSize(viewport)
    await expect.poll(() => isUncovered(learner, link)).toBe(true)
    expect(await fitsViewportWidth(learner)).toBe(true)
  }
  // A short window has no room for it at the thumb. Beside the list, it is below the message.
  await learner.setViewportSize({ width: 640, height: 400 })
  await link.focus()
  await expect.poll(() => isUncovered(learner, link)).toBe(true)
  await learner.setViewportSize(desktop)
  await learner.getByRole('region', { name: 'Notification Details' }).waitFor()
  await link.focus()
  await expect.poll(() => isUncovered(learner, link)).toBe(true)
  expect(await fitsViewportWidth(learner)).toBe(true)
})

test('the delivery counts of a send always add up to its recipients, while they see and read it', async () => {
  const first = await openAs(portal().learner(1), '/notification', phone)
  // Without a socket, nothing is shown live.
  await waitForIdle(first)
  const page = await openAsAdmin(sendPath)
  await write(page, 'Rooms change', 1, 2, 3)
  await send(page)
  const sent = entry(page, 'Rooms change')
  /** The recipients by state, which add up. The bar has them as its text. */
  const states = async (of: Locator): Promise<ReadonlyMap<string, number>> => {
    const text = (await of.getByRole('img').getAttribute('aria-label')) ?? ''
    const parts = [...text.matchAll(/(\d+) ([a-z ]+)/g)].map(([, count, state = '']) => [state, Number(count)] as const)
    const counts = new Map(parts.filter(([state]) => state !== 'recipients' && state !== 'read'))
    expect([text, [...counts.values()].reduce((sum, count) => sum + count, 0)]).toEqual([text, 3])
    return counts
  }
  await sent.waitFor()
  await first.getByRole('link', { name: /Rooms change/ }).waitFor()
  await expect.poll(async () => (await states(sent)).get('live') ?? 0).toBeGreaterThanOrEqual(1)

  const second = await openAs(portal().learner(2), '/notification', phone)
  await second.getByRole('link', { name: /Rooms change/ }).click()
  await first.getByRole('link', { name: /Rooms change/ }).click()
  const textOfSent = async () => {
    await states(sent)
    return sent.innerText()
  }
  await expect.poll(textOfSent).toContain('2 of 3 read')
  await expect.poll(async () => [...(await states(sent)).keys()]).not.toContain('pending')
})

test.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('nothing moves when the users arrive, on %s', async (_, viewport) => {
  const page = await openAsAdmin('/admin/profile', viewport)
  const release = await delayRequests(page, peopleRoute)
  await page.goto(sendPath)
  await page.getByRole('status', { name: 'Loading users' }).waitFor()
  const before = await sendButton(page).boundingBox()
  release()
  await people(page).first().waitFor()
  expect(await sendButton(page).boundingBox()).toEqual(before)
})
