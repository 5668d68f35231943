import { createProgram } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys, fitsViewportWidth } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { startEmptyPortal, startSamplePortal } from './portals.ts'
import { phone } from './browser.ts'
import { delayRequests } from './journeys.ts'

const thePrograms = /^\/admin\/programs$/
const question = 'Are you sure you want to delete this program? This action cannot be undone.'

const table = (page: Page) => page.getByRole('table', { name: 'Programs' })
/** The cells of a column. */
const cells = (page: Page, column: number) => table(page).locator(`tbody tr > :nth-child(${column})`)
const sortBy = (page: Page, column: string) => table(page).getByRole('button', { name: column, exact: true }).click()
const expectCodes = (page: Page, codes: readonly string[]) =>
  expect(cells(page, 1)).toHaveText(codes.map((code) => new RegExp(`${code}$`)))

describe('the list of programs', () => {
  const { portal, openAsAdmin, openAs, adminToken } = setUpAdminJourneys(() => startSamplePortal(6))
  const firstCodes = ['MIN-BA-01', 'MIN-DSML-01', 'MIN-CS-01', 'MIN-AI-01']

  test(
    '[P-26] has a row per program, the newest first, sorts by every column and filters as the user types',
    { tags: ['essential'] },
    async () => {
      const page = await openAsAdmin('/admin/programs')
      await expectCodes(page, firstCodes)
      // The learners are counted by another request.
      await table(page).getByText('enrolled in Minor in Artificial Intelligence').waitFor({ state: 'attached' })
      await expect(table(page).getByRole('columnheader')).toHaveText([
        'Program Name',
        'Semesters',
        'Fee',
        'Tools',
        'Enrolled',
        'Actions',
      ])
      const oldest = table(page).getByRole('row').last()
      await expect(oldest.getByRole('cell')).toHaveText([
        /^Minor in Artificial Intelligence\s*MIN-AI-01$/,
        '3',
        '₹45,000',
        '7 tools',
        /^[1-9]\d*\s*enrolled in Minor in Artificial Intelligence$/,
        /^Edit.*Duplicate.*Delete/,
      ])

      // Another admin adds a program.
      await callRoute(portal().address, createProgram, {
        token: await adminToken(),
        body: { programName: 'Evening seminar', programId: 'EVE-1', semesterCount: 1, fee: '₹9,000' },
      })
      await expectCodes(page, ['EVE-1', ...firstCodes])
      await expect(cells(page, 4).first()).toHaveText('No tools')
      await expect(page.getByRole('searchbox')).toHaveCount(0)

      for (const column of ['Program Name', 'Semesters', 'Fee', 'Tools', 'Enrolled']) {
        await sortBy(page, column)
        await expect(table(page).locator('th[aria-sort="ascending"]')).toHaveText([column])
        await sortBy(page, column)
        await expect(table(page).locator('th[aria-sort="descending"]')).toHaveText([column])
      }
      await sortBy(page, 'Fee')
      await expect(cells(page, 1).first()).toContainText('EVE-1')

      for (let number = 1; number <= 7; number += 1) {
        await callRoute(portal().address, createProgram, {
          token: await adminToken(),
          body: { programName: `Evening course ${number}`, programId: `EVC-${number}` },
        })
      }
      await page.getByText('12 programs', { exact: true }).waitFor()
      await page.getByRole('searchbox', { name: 'Search programs' }).fill('min-ba')
      await expectCodes(page, ['MIN-BA-01'])
      await page.getByText('1 of 12 programs').waitFor()
      await page.getByRole('searchbox', { name: 'Search programs' }).fill('chemistry')
      await page.getByText('No program matches “chemistry”.').waitFor()
    },
  )

  test('is a list of cards on a phone and fits its width', async () => {
    const page = await openAsAdmin('/admin/programs', phone)
    await table(page).waitFor()
    const row = table(page).getByRole('row').nth(1)
    const name = await row.getByRole('cell').nth(0).boundingBox()
    const semesters = await row.getByRole('cell').nth(1).boundingBox()
    expect(name && semesters && semesters.y >= name.y + name.height).toBe(true)
    expect(await fitsViewportWidth(page)).toBe(true)
  })

  test('shows placeholders on a slow network', async () => {
    const page = await openAsAdmin('/admin/profile')
    const release = await delayRequests(page, thePrograms)
    await page.getByRole('link', { name: 'Programs' }).click()
    await page.getByRole('status', { name: 'Loading programs' }).waitFor()
    await expect(table(page)).toHaveCount(0)
    release()
    await table(page).waitFor()
    await expect(page.getByRole('status', { name: 'Loading programs' })).toHaveCount(0)
  })

  test('[P-28] deletes a program after a confirmation; an enrolled learner sees it as withdrawn and keeps a record', async () => {
    const { enrolledProgram, learner } = portal()
    const reader = await openAs(learner(1), `/program-details-active/${enrolledProgram}`, phone)
    const name = await reader.getByRole('heading', { level: 2 }).first().innerText()
    const page = await openAsAdmin('/admin/programs')
    const remove = page.getByRole('button', { name: `Delete ${name}` })
    const dialog = page.getByRole('dialog', { name: question })

    await remove.click()
    await dialog.getByText(/Enrolled learners keep read-only access/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await remove.waitFor()

    await remove.click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    // While it is open, it hides the page from roles.
    await dialog.waitFor({ state: 'detached' })
    await remove.waitFor({ state: 'hidden' })

    await reader
      .getByText(/withdrawn/i)
      .first()
      .waitFor()
    await reader.goto('/my-program')
    await reader.getByText(name).first().waitFor()
    await reader
      .getByText(/withdrawn/i)
      .first()
      .waitFor()
  })
})

describe('the list of programs of a new portal', () => {
  const { openAsAdmin } = setUpAdminJourneys(startEmptyPortal)

  test('[P-30] is empty and links to the form for the first program', async () => {
    const page = await openAsAdmin('/admin/programs')
    await page.getByText('No Programs Found').waitFor()
    await page.getByText('Get started by creating a new program.').waitFor()
    await page.getByRole('link', { name: 'Add New Program' }).click()
    await page.waitForURL('**/admin/programs/new')
    await page.getByRole('heading', { level: 1, name: 'Create New Program' }).waitFor()
  })
})
