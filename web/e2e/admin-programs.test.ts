import { addFact, addTool, createProgram, listAdminPrograms } from '@portal/contracts/catalog/http'
import { pictureUnsupported } from '@portal/contracts/catalog/errors'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { repositoryRoot } from '@portal/system-tests/testing/portal-process'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, waitForFocus } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The list of programs, and the form of a program. */
const { portal, openAsAdmin, adminToken, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(3))

const logoUrl = '/icons/icon-192.png'
const picture = join(repositoryRoot, 'web/public', logoUrl)

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const table = (page: Page) => page.getByRole('table', { name: 'Programs' })
const addProgram = async (body: {
  readonly programName: string
  readonly programId?: string
  readonly fee?: string
}) => {
  const { data } = await callRoute(portal().address, createProgram, { token: await adminToken(), body })
  return data._id
}

test(
  '[P-26] the list has a row per program, the newest first, follows other admins and sorts by a column',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin('/admin/programs')
    const names = table(page).locator('tbody tr .code > :first-child')
    const expectCodes = (codes: readonly string[]) =>
      expect(names).toHaveText(codes.map((code) => new RegExp(`${code}$`)))
    const codes = ['MIN-BA-01', 'MIN-DSML-01', 'MIN-CS-01', 'MIN-AI-01']
    await expectCodes(codes)
    await expect(table(page).getByRole('row').last().getByRole('cell')).toHaveText([
      /^Minor in Artificial Intelligence\s*MIN-AI-01\s*Learners \(\d\)/,
      '3',
      '₹45,000',
      '7 tools',
      /^[1-9]\d*\s*enrolled in Minor in Artificial Intelligence$/,
      /^Edit.*Duplicate.*Delete/,
    ])
    await addProgram({ programName: 'Evening seminar', programId: 'EVE-1', fee: '₹9,000' })
    await expectCodes(['EVE-1', ...codes])
    await button(table(page), 'Fee').click()
    await expect(table(page).locator('th[aria-sort="ascending"]')).toHaveText(['Fee'])
    await expect(names.first()).toContainText('EVE-1')
  },
)

test(
  '[P-34] a new program is sent to the server with its tools and facts in one request',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin('/admin/programs/new')
    const writes: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && pathname.startsWith('/admin/')) writes.push(`${request.method()} ${pathname}`)
    })
    await button(page, 'Create Program').click()
    await page.getByText('Program name is required', { exact: true }).waitFor()
    await page.getByLabel('Program name').fill('Minor in Marine Robotics')
    await page.getByLabel('Semester count').fill('2')
    await page.getByLabel('Fee', { exact: true }).fill('₹30,000')
    await page.getByLabel('Tool name').fill('Gazebo')
    await page.getByLabel('Logo URL').fill(logoUrl)
    await button(page, 'Add Tool').click()
    await page.getByLabel('Fact content').fill('of ports look for divers')
    await button(page, 'Add Fact').click()
    await button(page, 'Create Program').click()
    await page.waitForURL('**/admin/programs')
    await page.getByText('MIN-MR-01').waitFor()
    expect(writes).toEqual(['POST /admin/programs'])
    const { data } = await callRoute(portal().address, listAdminPrograms, { token: await adminToken() })
    expect(data.find(({ programId }) => programId === 'MIN-MR-01')).toMatchObject({
      programName: 'Minor in Marine Robotics',
      fee: '₹30,000',
      semesters: [{ fee: '' }, { fee: '' }],
      toolkit: [{ name: 'Gazebo', logoUrl }],
      facts: [{ content: 'of ports look for divers' }],
    })
  },
)

test(
  '[P-93] a deleted program is restored by another admin, by keyboard, and comes back on both screens',
  { tags: ['essential'] },
  async () => {
    const programName = 'Minor in Restoration of Very Old Astronomical Instruments'
    await addProgram({ programName, programId: 'RES-1' })
    const [here, there] = [await openAsAdmin('/admin/programs', phone), await openAsAdmin('/admin/programs')]
    await button(here, `Delete ${programName}`).click()
    await button(here.getByRole('dialog'), 'Delete').click()
    await here.getByText('It can be restored for 24 hours.', { exact: true }).waitFor()
    await button(here, 'Recently deleted (1)').click()
    await here.getByText(/^RES-1 • 2[34] hours left$/).waitFor()
    expect(await fitsViewportWidth(here)).toBe(true)

    await button(there, 'Recently deleted (1)').focus()
    await there.keyboard.press('Enter')
    const dialog = there.getByRole('dialog', { name: 'Recently deleted' })
    await waitForFocus(button(dialog, 'Close'))
    await there.keyboard.press('Shift+Tab')
    await waitForFocus(button(dialog, `Restore ${programName}`))
    await there.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await there.getByRole('link', { name: `Edit ${programName}` }).waitFor()
    await here.getByText('There is no program to restore.', { exact: true }).waitFor()
    await here.goBack()
    await here.getByRole('link', { name: `Edit ${programName}` }).waitFor()
  },
)

test('the form asks on Back, Forward and a reload, also for a tool that was typed but not added', async () => {
  const page = await openAsAdmin('/admin/universities')
  await page.getByRole('link', { name: 'Programs', exact: true }).click()
  await page.getByRole('link', { name: 'Add New Program' }).click()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.goBack()
  await page.getByLabel('Tool name').fill('Half a thought')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  for (const pages of [-1, -2, 1]) {
    await page.evaluate(`history.go(${pages})`)
    await button(dialog, 'Stay').click()
    await dialog.waitFor({ state: 'hidden' })
    await page.waitForURL('**/admin/programs/new')
    await expect(page.getByLabel('Tool name')).toHaveValue('Half a thought')
  }
  const unloadDialog = page.waitForEvent('dialog')
  await page.evaluate('void setTimeout(() => location.reload())')
  const unload = await unloadDialog
  expect(unload.type()).toBe('beforeunload')
  await unload.dismiss()
  // The skip link's hash is on the same page.
  await page.evaluate(`location.hash = '#content'`)
  await page.goBack()
  await page.waitForURL('**/admin/programs/new')
  await expect(dialog).toHaveCount(0)

  await page.evaluate('history.go(-2)')
  await button(dialog, 'Leave').click()
  await page.waitForURL('**/admin/universities')
  await page.getByRole('heading', { level: 1, name: 'Universities' }).waitFor()
  await page.goForward()
  await page.waitForURL('**/admin/programs')
})

test('the form scrolls each focused field with its message above the sticky footer', async () => {
  const page = await openAsAdmin('/admin/programs/new', phone)
  await page.getByLabel('Semester count').fill('0')
  const submit = page.getByRole('button', { name: 'Create Program' })
  await submit.click()
  await page.getByText('Program name is required', { exact: true }).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await submit.focus()
  expect(await page.evaluate('scrollY')).toBe(0)
  await page.getByLabel('Program name').focus()
  const fields = page.locator('.MuiInputBase-root:has(:focus)').locator('..')
  const held = fields.or(page.locator('button:focus')).first()
  for (let field = 0; field < 14; field += 1) {
    await page.keyboard.press('Tab')
    const [shown, foot] = await Promise.all([held.boundingBox(), submit.locator('..').boundingBox()])
    expect((shown?.y ?? Infinity) + (shown?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
  }
})

test(
  'pictures are uploaded for a tool and a fact, after a text was refused, and learners see them',
  { tags: ['essential'] },
  async () => {
    const page = await openAsAdmin(
      `/admin/programs/edit/${await addProgram({ programName: 'Minor in Painting' })}`,
      phone,
    )
    const choose = async (form: Locator, files: Parameters<Locator['setInputFiles']>[0]) => {
      const chooser = page.waitForEvent('filechooser')
      await button(form, 'Upload').click()
      await (await chooser).setFiles(files)
    }
    const [tool, fact] = [
      page.getByRole('form', { name: 'Add a tool' }),
      page.getByRole('form', { name: 'Add a fact' }),
    ]
    await tool.getByLabel('Tool name').fill('Brush')
    expectConsoleErrors(/415/)
    await choose(tool, { name: 'diary.txt', mimeType: 'image/png', buffer: Buffer.from('Dear diary') })
    await tool.getByText(pictureUnsupported.message, { exact: true }).waitFor()
    await expect(tool.getByLabel('Logo URL')).toHaveValue('')
    expect(await fitsViewportWidth(page)).toBe(true)
    await choose(tool, picture)
    await expect(tool.getByLabel('Logo URL')).toHaveValue(/^\/pictures\/[0-9a-f]{32}$/)
    await button(tool, 'Add Tool').click()
    await page.getByText('Tool added successfully', { exact: true }).waitFor()
    await fact.getByLabel('Fact content').fill('Paint dries')
    await choose(fact, picture)
    await expect(fact.getByLabel('Image URL')).toHaveValue(/^\/pictures\/[0-9a-f]{32}$/)
    await button(fact, 'Add Fact').click()
    await page.getByText('Fact added successfully', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'View as a learner' }).click()
    // The form has the same two pictures until the preview replaces it.
    await page.getByRole('heading', { level: 1, name: 'View as a learner' }).waitFor()
    const pictures = page.locator('img[src^="/pictures/"]')
    await expect(pictures).toHaveCount(2)
    for (const shown of await pictures.all()) {
      await shown.scrollIntoViewIfNeeded()
      await expect
        .poll(() => shown.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
        .toBeGreaterThan(0)
    }
  },
)

/** Adds a program with two tools and two facts. */
const addSailing = async (programName: string) => {
  const program = await addProgram({ programName, fee: '₹12,000' })
  const [{ address }, token] = [portal(), await adminToken()]
  const params = { id: program }
  for (const name of ['Compass', 'Sextant'])
    await callRoute(address, addTool, { token, params, body: { name, logoUrl } })
  for (const content of ['Wind is free', 'Harbors are not'])
    await callRoute(address, addFact, { token, params, body: { content } })
  return program
}

const savedProgram = async (name: string) => {
  const { data } = await callRoute(portal().address, listAdminPrograms, { token: await adminToken() })
  const found = data.find(({ programName }) => programName === name)
  return {
    ...found,
    toolkit: found?.toolkit.map((tool) => tool.name),
    facts: found?.facts.map(({ content }) => content),
  }
}

/** The preview beside the form. Nothing in it can be pressed, and screen readers skip it. */
const preview = (page: Page) => page.locator('[aria-label="Preview"]')

const isBefore = (first: Locator, second: Locator) => async () => {
  const [above, below] = await Promise.all([first.boundingBox(), second.boundingBox()])
  return above !== null && below !== null && (above.y < below.y || (above.y === below.y && above.x < below.x))
}

test('tools and facts are moved by keyboard, with the focus and the preview following, and saved in their new order', async () => {
  const name = 'Minor in Sailing'
  const page = await openAsAdmin(`/admin/programs/edit/${await addSailing(name)}`)
  for (const [moved, other] of [
    ['Sextant', 'Compass'],
    ['Harbors are not', 'Wind is free'],
  ] as const) {
    const up = button(page, `Move ${moved} up`)
    await up.focus()
    await page.keyboard.press('Enter')
    await page.getByText(`${moved} moved to position 1 of 2`, { exact: true }).waitFor()
    await waitForFocus(up)
    await expect(up).toHaveAttribute('aria-disabled', 'true')
    // The first row stays where it is.
    await page.keyboard.press('Enter')
    await expect(button(page, `Move ${other} down`)).toHaveAttribute('aria-disabled', 'true')
    const shown = (text: string) => preview(page).getByText(text, { exact: true }).first()
    await expect.poll(isBefore(shown(moved), shown(other))).toBe(true)
  }
  await button(page, 'Update Program').click()
  await page.waitForURL('**/admin/programs')
  expect(await savedProgram(name)).toMatchObject({
    toolkit: ['Sextant', 'Compass'],
    facts: ['Harbors are not', 'Wind is free'],
  })
})

test('a duplicate starts as its original, which keeps its own name, tools and facts', async () => {
  const name = 'Minor in Rowing'
  await addSailing(name)
  const page = await openAsAdmin('/admin/programs')
  await table(page)
    .getByRole('link', { name: `Duplicate ${name}` })
    .press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Create New Program' }).waitFor()
  await expect(page.getByLabel('Program name')).toHaveValue(`Copy of ${name}`)
  await expect(page.getByLabel('Program ID')).toHaveValue('')
  await page.getByLabel('Program name').fill('Minor in Canoeing')
  await button(page, 'Remove Compass').press('Enter')
  await waitForFocus(button(page, 'Remove Sextant'))
  await button(page, 'Create Program').click()
  await page.waitForURL('**/admin/programs')
  await table(page).getByRole('link', { name: 'Duplicate Minor in Canoeing' }).waitFor()
  const [copy, original] = [await savedProgram('Minor in Canoeing'), await savedProgram(name)]
  expect(copy).toMatchObject({ fee: '₹12,000', toolkit: ['Sextant'], facts: ['Wind is free', 'Harbors are not'] })
  expect(original).toMatchObject({ fee: '₹12,000', toolkit: ['Compass', 'Sextant'] })
  expect(copy.programId).not.toBe(original.programId)
})

test('a wide form shows the program as learners will see it, while it is typed', async () => {
  const page = await openAsAdmin('/admin/programs/new')
  const shown = preview(page)
  await page.getByLabel('Program name').fill('Minor in Glaciology')
  await expect(shown.getByText('Minor in Glaciology', { exact: true })).toHaveCount(2)
  await page.getByLabel('Fee', { exact: true }).fill('30000')
  await expect(shown).toContainText('₹30,000')
  await page.getByLabel('Fact content').fill('Ice remembers')
  await button(page, 'Add Fact').click()
  await expect(shown).toContainText('Ice remembers')
  // It scrolls by keyboard, and nothing in it can be reached.
  await shown.focus()
  await page.keyboard.press('Tab')
  await expect(shown.locator(':focus')).toHaveCount(0)
  await page.setViewportSize(phone)
  await expect(shown).toHaveCount(0)
  await expect(page.getByLabel('Program name')).toHaveValue('Minor in Glaciology')
})
