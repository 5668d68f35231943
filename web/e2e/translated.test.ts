import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'

/**
 * Pages that the browser translates, as many learners have them: nothing breaks, and counts keep up. TRANSLATED=1 does the same to
 * all journeys.
 */
const { portal, newContext, open, openAs, openAsAdmin, send } = setUpJourneys(() => startLearnersPortal(2), 'shell', {
  isTranslated: true,
})

const isTranslated = (page: Page) => page.locator('h1 font font').first().waitFor()

test('[E2] a visitor searches the questions of a translated page', { tags: ['essential'] }, async () => {
  const page = await open(await newContext(phone), '/home')
  await isTranslated(page)
  const search = page.getByRole('searchbox', { name: 'Search the questions' })
  const questions = page.getByRole('heading', { level: 4 })
  for (const word of ['fee', 'hostel', 'fees']) {
    await search.fill(word)
    await expect(questions.locator('mark, font').first()).toBeVisible()
  }
  await search.fill('no such word')
  await expect(questions).toHaveCount(0)
  await page.getByText('No questions match “no such word”.').waitFor()
  await page.getByRole('button', { name: 'Show all questions' }).click()
  await expect(page.getByRole('heading', { level: 3, name: 'The program' })).toBeVisible()
  await page.getByRole('link', { name: 'Login' }).first().click()
  await page.getByRole('button', { name: 'Login' }).waitFor()
})

test('[E2] the counts of a learner keep up on a translated page', { tags: ['essential'] }, async () => {
  const learner = portal().learner(1)
  const page = await openAs(learner, '/notification')
  await isTranslated(page)
  const unread = (count: number) => page.getByRole('link', { name: `${count} unread Notification` }).waitFor()
  for (const n of [1, 2, 3]) {
    await send([learner], { title: `Notice ${n}` })
    await unread(n)
  }
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notification', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await unread(3)
  await page.getByRole('link', { name: /Unread: Notice 3/ }).click()
  await page.getByRole('heading', { name: 'Notice 3' }).waitFor()
  await page.goBack()
  await unread(2)
  for (const [name, title] of [
    ['Profile', /Profile/],
    ['My Program', /My Programs/],
    ['Home', /^Good /],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
})

test('[E2] an admin sends from a translated page', { tags: ['essential'] }, async () => {
  const page = await openAsAdmin('/admin/notifications')
  await isTranslated(page)
  await page.getByRole('textbox', { name: 'Title' }).fill('Lights out')
  await page.getByRole('textbox', { name: 'Message' }).fill('At ten')
  for (const [n, people] of [
    [1, '1 user'],
    [2, '2 users'],
  ] as const) {
    const { email } = portal().learner(n)
    await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
    await page.getByRole('checkbox', { name: new RegExp(email) }).check()
    await page.getByRole('button', { name: `Send to ${people}` }).waitFor()
  }
  const confirm = async () => {
    await page.getByRole('button', { name: /^Send to \d/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  }
  await confirm()
  // The countdown counts.
  for (const seconds of [6, 5]) await page.getByText(`Sending to 2 people in ${seconds} s`).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await confirm()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText(/^Notification sent successfully to \d devices/).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Lights out' }).waitFor()

  await page.getByRole('link', { name: 'Universities' }).click()
  await page.getByRole('textbox', { name: 'University name' }).fill('Hill University')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('row', { name: /Hill University/ }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /Hill University/ })).toHaveCount(0)
})
