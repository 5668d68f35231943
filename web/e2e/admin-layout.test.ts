import { createProgram } from '@portal/contracts/catalog/http'
import type { Locator } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { fitsViewportWidth, setUpAdminJourneys } from './admin-journeys.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { startSamplePortal } from './portals.ts'

const { portal, openAsAdmin, adminToken } = setUpAdminJourneys(() => startSamplePortal())

const small = { width: 320, height: 640 }

/** The number of lines that the text of an element takes. */
const linesOf = (element: Locator): Promise<number> =>
  element.evaluate((node) => {
    const range = node.ownerDocument.createRange()
    range.selectNodeContents(node)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })

/** Whether text is hidden, because it is clamped or cut at the edge. */
const isCut = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)

test('a page that fits on a desktop cannot be scrolled', async () => {
  for (const path of ['/admin/universities', '/admin/profile']) {
    const page = await openAsAdmin(path, desktop)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(desktop.height)
  }
})

test.each([phone, small])('the table of a chart keeps its words whole at $width', async (viewport) => {
  const page = await openAsAdmin('/admin/dashboard', viewport)
  await page.getByText('Show as a table').click()
  const heads = page.getByRole('columnheader')
  await heads.first().waitFor()
  for (const head of await heads.all()) expect(await linesOf(head)).toBe(1)
  expect(await fitsViewportWidth(page)).toBe(true)
})

describe('the list of programs on a phone', () => {
  test('has all its sort buttons in view', async () => {
    const page = await openAsAdmin('/admin/programs', phone)
    const head = page.getByRole('table').locator('thead tr')
    await head.waitFor()
    expect(await isCut(head)).toBe(false)
  })

  test('names the saved program in a toast', async () => {
    const programName = 'Minor in Business Analytics'
    const token = await adminToken()
    const { data } = await callRoute(portal().address, createProgram, { token, body: { programName, fee: '' } })
    const page = await openAsAdmin(`/admin/programs/edit/${data._id}`, small)
    await page.getByRole('button', { name: 'Update Program' }).click()
    const message = page.getByText(`${programName} updated`, { exact: true })
    await message.waitFor()
    expect(await isCut(message)).toBe(false)
    expect(await fitsViewportWidth(page)).toBe(true)
  })
})
