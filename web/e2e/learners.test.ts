import { createProgram } from '@portal/contracts/catalog/http'
import { confirmPayments, enrollLearners } from '@portal/contracts/catalog/learners'
import { callRoute } from '@portal/system-tests/testing/api-client'
import type { Locator, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { axeFindings } from './accessibility.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, waitForFocus } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The learners of a program: each action of admins with its refusals, on a phone and on a desk. */
const { portal, openAs, openAsAdmin, adminToken } = setUpJourneys(() => startSamplePortal(9))

type ProgramRecordId = Awaited<ReturnType<typeof newProgram>>
const emailOf = (n: number) => portal().learner(n).email

/** A program whose learners are the first ones of the sample, with an installment of ₹15,000 for each semester. */
const newProgram = async (programName: string, learners = 3) => {
  const token = await adminToken()
  const body = { programName, semesterCount: 3, fee: '45000' }
  const { data } = await callRoute(portal().address, createProgram, { token, body })
  const contacts = Array.from({ length: learners }, (_, n) => emailOf(n + 1))
  if (learners > 0)
    await callRoute(portal().address, enrollLearners, { token, params: { id: data._id }, body: { contacts } })
  return data._id
}

/** Another admin confirms a payment. */
const payFor = async (id: ProgramRecordId, n: number, amount: number) =>
  callRoute(portal().address, confirmPayments, {
    token: await adminToken(),
    params: { id },
    body: { contacts: [emailOf(n)], amount, paidOn: '2026-09-28' },
  })

const pathOf = (id: ProgramRecordId) => `/admin/programs/${id}/learners`
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, n: number) => page.getByRole('row').filter({ hasText: emailOf(n) })
const mark = async (page: Page, ...ns: readonly number[]) => {
  for (const n of ns) await rowOf(page, n).getByRole('checkbox').check()
}
const confirm = async (page: Page, name: string | RegExp) => {
  await button(dialog(page), name).click()
}
const openLearners = async (id: ProgramRecordId, viewport: typeof phone) => {
  const page = await openAsAdmin(pathOf(id), viewport)
  await page.getByRole('table', { name: 'Learners' }).waitFor()
  return page
}
const undo = async (page: Page) => {
  await button(page, 'Undo').click()
  await page.getByText('Undone', { exact: true }).waitFor()
}

test(
  '[P-98 P-106] a payment that an admin confirms turns the open card of the learner green',
  { tags: ['essential'] },
  async () => {
    const id = await newProgram('Minor in Open Cards', 1)
    const learner = await openAs(portal().learner(1), '/home')
    const card = learner
      .getByRole('region', { name: 'Your programs' })
      .getByRole('link', { name: /Minor in Open Cards/ })
    await card.getByText('Fees: Pending').waitFor()
    await learner.evaluate('globalThis.isTheSameDocument = true')
    const page = await openLearners(id, desktop)
    await mark(page, 1)
    await button(page, 'Confirm payment…').click()
    await page.getByLabel('Amount in rupees').fill('45,000')
    await confirm(page, 'Preview')
    await confirm(page, 'Confirm 1 payment')
    await rowOf(page, 1).getByText('Completed', { exact: true }).waitFor()
    await card.getByText('Fees: Completed').waitFor()
    expect(await learner.evaluate('globalThis.isTheSameDocument')).toBe(true)
  },
)

describe.each([
  ['a phone', phone],
  ['a desk', desktop],
] as const)('on %s', (size, viewport) => {
  test('[P-98] payments are confirmed, refused and undone', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Payments on ${size}`)
    const page = await openLearners(id, viewport)
    expect(await fitsViewportWidth(page)).toBe(true)
    await mark(page, 1, 2, 3)
    await button(page, 'Confirm payment…').click()
    const amount = page.getByLabel('Amount in rupees')
    await expect(amount).toHaveValue('15,000')
    await amount.fill('fifteen')
    await confirm(page, 'Preview')
    await page.getByText('Please enter an amount in rupees, such as 15,000 or 15,000.50').waitFor()
    await waitForFocus(amount)
    await amount.fill('15,000.50')
    await page.getByLabel('Date').fill('2099-01-01')
    await confirm(page, 'Preview')
    await page.getByText('The payment date is in the future').waitFor()
    await page.getByLabel('Date').fill('2026-09-28')
    await confirm(page, 'Preview')
    await expect(dialog(page).getByText('Owes ₹15,000', { exact: true })).toHaveCount(3)
    await confirm(page, 'Back')
    await amount.fill('15000')
    // Another admin is faster.
    await payFor(id, 2, 4_500_000)
    await confirm(page, 'Preview')
    await page.getByText('2 will be confirmed, 1 already paid').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
    await confirm(page, 'Confirm 2 payments')
    await page.getByText('2 payments confirmed').waitFor()
    await rowOf(page, 1).getByText('Installment 2 of 3 open: ₹15,000').waitFor()
    await undo(page)
    await rowOf(page, 1).getByText('Installment 1 of 3 open: ₹15,000').waitFor()
    await rowOf(page, 2).getByText('Completed', { exact: true }).waitFor()
  })

  test('[P-99] payments of a list are confirmed, and refusals are at their rows', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Lists on ${size}`)
    const page = await openLearners(id, viewport)
    await button(page, 'Confirm payments from a list').click()
    const list = page.getByLabel('List of payments')
    await list.fill('Rent, 15,000')
    await confirm(page, 'Preview')
    await page.getByText('No row has an email address or a student code.').waitFor()
    await list.fill(
      [
        'Date;Payer;Amount;UTR',
        `28-Sept-2026;${emailOf(1)};₹15,000;UTR-1`,
        `28/09/2026;${emailOf(2)};1,000.00;UTR-2`,
        '28.09.2026;nobody@example.com;15000/-;UTR-3',
        '28.09.2026;Rent;9812345678;',
      ].join('\n'),
    )
    await confirm(page, 'Preview')
    await page.getByText('1 will be confirmed, 1 with another amount, 1 unknown, 1 left out').waitFor()
    await dialog(page).getByText('No account has this address').waitFor()
    await confirm(page, 'Confirm 1 payment')
    await page.getByText('1 payment confirmed').waitFor()
    // The reference is known.
    await button(page, 'Confirm payments from a list').click()
    await list.fill(`${emailOf(1)};15,000;28.09.2026;UTR-1`)
    await page.getByLabel('Reference of rows without one').fill('UTR-1')
    await confirm(page, 'Preview')
    await expect(dialog(page).getByRole('paragraph').first()).toHaveText('1 already paid')
  })

  test(
    '[P-100 P-102] learners go to the next semester, are withdrawn, and come back',
    { tags: ['verify'] },
    async () => {
      const id = await newProgram(`Minor in Semesters on ${size}`)
      const page = await openLearners(id, viewport)
      await mark(page, 1, 2)
      await button(page, 'Next semester').click()
      await page.getByText('2 learners from Semester 1 to Semester 2.').waitFor()
      await confirm(page, 'Next semester')
      await rowOf(page, 1).getByText('Semester 2', { exact: true }).waitFor()
      await undo(page)
      await rowOf(page, 1).getByText('Semester 1', { exact: true }).waitFor()

      const learner = await openAs(portal().learner(3), '/my-program')
      const own = learner.getByRole('link', { name: new RegExp(`Minor in Semesters on ${size}`) }).first()
      await own.waitFor()
      await mark(page, 3)
      await button(page, 'Withdraw…').click()
      await confirm(page, 'Withdraw')
      await page.getByText('Reason is required').waitFor()
      await page.getByLabel('Reason').fill('Moved away')
      await confirm(page, 'Withdraw')
      await expect(rowOf(page, 3)).toHaveCount(0)
      await learner
        .getByRole('region', { name: 'Enrolled programs' })
        .getByRole('link', { name: new RegExp(`Minor in Semesters on ${size}`) })
        .waitFor({ state: 'detached' })
      await undo(page)
      await rowOf(page, 3).waitFor()
    },
  )

  test('[P-101] all payments are set back with a reason', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Reversals on ${size}`, 2)
    await payFor(id, 1, 4_500_000)
    const page = await openLearners(id, viewport)
    await mark(page, 1, 2)
    await button(page, 'Set back to pending…').click()
    await confirm(page, 'Set back to pending')
    await page.getByText('Reason is required').waitFor()
    await page.getByLabel('Reason').fill('The transfer bounced')
    await confirm(page, 'Set back to pending')
    await page.getByText('1 learner set back to pending').waitFor()
    await page.getByText('1 without a payment').waitFor()
    await rowOf(page, 1).getByText('Pending', { exact: true }).waitFor()
    await expect(button(page, 'Undo')).toHaveCount(0)
  })

  test('[P-103 P-104] people are enrolled and moved, and it is taken back', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Origins on ${size}`, 1)
    const target = `Minor in Targets on ${size}`
    await newProgram(target, 0)
    const page = await openLearners(id, viewport)
    await button(page, 'Enroll').click()
    await page.getByLabel('Email addresses or student codes').fill(`${emailOf(2)}\n${emailOf(1)}\nnobody@example.com`)
    await confirm(page, 'Preview')
    await page.getByText('1 will be enrolled, 1 will be invited, 1 already enrolled').waitFor()
    await confirm(page, 'Enroll 1, invite 1')
    await rowOf(page, 2).getByText(/^by /).waitFor()
    await undo(page)
    await expect(rowOf(page, 2)).toHaveCount(0)

    await mark(page, 1)
    await button(page, 'Move…').click()
    await confirm(page, 'Preview')
    await page.getByText('Please choose a program').waitFor()
    await page.getByRole('combobox', { name: 'Program' }).fill(target)
    await page.getByRole('option').click()
    await confirm(page, 'Preview')
    await confirm(page, 'Move 1 learner')
    await page.getByText('No one is enrolled yet').waitFor()
    await undo(page)
    await rowOf(page, 1).waitFor()
  })

  test('[P-107] an address without an account is invited, again, and no more', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Guests on ${size}`, 1)
    const page = await openLearners(id, viewport)
    await button(page, 'Enroll').click()
    await page.getByLabel('Email addresses or student codes').fill('guest@example.com')
    await confirm(page, 'Preview')
    await page.getByText('1 will be invited').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
    await confirm(page, 'Invite 1 person')
    await page.getByText('1 person invited').waitFor()
    await page.getByRole('link', { name: 'Invited (1)' }).click()
    await page.getByRole('list', { name: 'Invited' }).getByText('guest@example.com').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
    expect(await axeFindings(page, 'invited')).toEqual([])
    await button(page, 'Resend the invitation of guest@example.com').click()
    await page.getByText('Invitation of guest@example.com sent again').waitFor()
    await button(page, 'Withdraw the invitation of guest@example.com').click()
    await confirm(page, 'Withdraw')
    await page.getByText('No one is invited').waitFor()
    await page.getByRole('link', { name: 'All learners' }).click()
    await rowOf(page, 1).waitFor()
  })

  test('[P-96] the page follows another admin, and keeps scroll and marks', { tags: ['verify'] }, async () => {
    const id = await newProgram(`Minor in Refreshes on ${size}`, 9)
    const page = await openLearners(id, viewport)
    await mark(page, 1, 2)
    // Not the end, from which a shorter page would move.
    await page.evaluate('scrollTo(0, 200)')
    const scrolledTo = () => page.evaluate<number>('scrollY')
    await payFor(id, 9, 4_500_000)
    await rowOf(page, 9).getByText('Completed', { exact: true }).waitFor()
    expect(await scrolledTo()).toBe(200)
    await page.getByText('2 marked').waitFor()
  })
})

test('[P-97 P-98] a payment is confirmed and undone by the keyboard alone', { tags: ['verify'] }, async () => {
  const id = await newProgram('Minor in Keyboards', 1)
  const page = await openLearners(id, desktop)
  const tabTo = async (target: Locator) => {
    for (let n = 0; n < 60; n++) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return
      await page.keyboard.press('Tab')
    }
    throw new Error('Tab does not reach the element')
  }
  await tabTo(rowOf(page, 1).getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(button(page, 'Confirm payment…'))
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByLabel('Amount in rupees'))
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByText('1 will be confirmed'))
  await page.keyboard.press('Escape')
  await page.getByLabel('Amount in rupees').waitFor()
  await tabTo(button(dialog(page), 'Preview'))
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByText('1 will be confirmed'))
  await tabTo(button(dialog(page), 'Confirm 1 payment'))
  await page.keyboard.press('Enter')
  await page.getByText('1 payment confirmed').waitFor()
  await dialog(page).waitFor({ state: 'detached' })
  // The button that opened the dialog is gone.
  expect(await page.evaluate('document.activeElement.contains(document.querySelector("table"))')).toBe(true)
  await page.keyboard.press('Alt+z')
  await page.getByText('Undone', { exact: true }).waitFor()
})

test('axe finds no violations in either color scheme', { tags: ['verify'] }, async () => {
  const id = await newProgram('Minor in Colors')
  await payFor(id, 1, 4_500_000)
  for (const viewport of [phone, desktop]) {
    const page = await openLearners(id, viewport)
    expect(await axeFindings(page, 'learners')).toEqual([])
    await mark(page, 1, 2)
    expect(await axeFindings(page, 'marked learners')).toEqual([])
    await button(page, 'Confirm payment…').click()
    await confirm(page, 'Preview')
    await page.getByRole('list', { name: 'What will become of each row' }).waitFor()
    expect(await axeFindings(page, 'a preview')).toEqual([])
  }
})
