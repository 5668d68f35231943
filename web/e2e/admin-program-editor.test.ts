import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pictureTooLarge, pictureUnreadable, pictureUnsupported } from '@portal/contracts/catalog/errors'
import { createProgram, getAdminProgram, listAdminPrograms } from '@portal/contracts/catalog/http'
import { maxPictureBytes } from '@portal/contracts/catalog/picture'
import type { Locator, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { repositoryRoot } from '@portal/system-tests/testing/portal-process'
import { fitsViewportWidth, setUpAdminJourneys } from './admin-journeys.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { waitForFocus } from './journeys.ts'
import { startEmptyPortal } from './portals.ts'

const { portal, openAsAdmin, adminToken, expectConsoleErrors } = setUpAdminJourneys(startEmptyPortal)

const logoUrl = '/icons/icon-192.png'
const picture = join(repositoryRoot, 'web/public', logoUrl)
const sizes = [
  ['phone', phone],
  ['desktop', desktop],
] as const

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const rowsOf = (page: Page, section: string): Locator =>
  page.getByRole('region', { name: section }).getByRole('listitem').locator('.words')
const leaveDialog = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

/** An existing program with these tools and facts. */
const newProgram = async (programName: string, tools: readonly string[] = [], facts: readonly string[] = []) => {
  const token = await adminToken()
  const { data } = await callRoute(portal().address, createProgram, {
    token,
    body: {
      programName,
      fee: '₹30,000',
      semesterCount: 2,
      semesters: [{ fee: '₹15,000' }, { fee: '₹15,000' }],
      toolkit: tools.map((name) => ({ name, logoUrl })),
      facts: facts.map((content) => ({ content })),
    },
  })
  const params = { id: data._id }
  return {
    _id: data._id,
    path: `/admin/programs/edit/${data._id}`,
    fetch: async () => (await callRoute(portal().address, getAdminProgram, { token, params })).data,
  }
}

/** Presses Tab until the element has the focus. */
const tabTo = async (page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await element.evaluate((node) => node.matches(':focus'))) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach the element`)
}

describe('tools of a program', () => {
  test.each(sizes)('are chosen from those of all programs, logo included: %s', async (_size, viewport) => {
    const known = `Gazebo ${viewport.width}`
    await newProgram(`Source ${viewport.width}`, [known, 'Rviz'])
    const program = await newProgram(`Target ${viewport.width}`)
    const page = await openAsAdmin(program.path, viewport)
    const tool = page.getByRole('combobox', { name: 'Tool name' })
    await tool.fill(`gaz ${viewport.width}`)
    const options = page.getByRole('listbox', { name: 'Known tools' }).getByRole('option')
    await expect(options).toHaveText([known])
    await expect(options.locator('img')).toHaveAttribute('src', logoUrl)
    expect(await fitsViewportWidth(page)).toBe(true)

    await tool.press('ArrowDown')
    await tool.press('Enter')
    await expect(tool).toHaveValue(known)
    await expect(page.getByLabel('Logo URL')).toHaveValue(logoUrl)
    await button(page, 'Add Tool').click()
    await page.getByText('Tool added successfully', { exact: true }).waitFor()
    await waitForFocus(tool)
    expect((await program.fetch()).toolkit).toMatchObject([{ name: known, logoUrl }])
  })

  test('are moved and edited by the keyboard alone, and saved with the program', async () => {
    const program = await newProgram('Minor in Cartography', ['Compass', 'Map', 'Globe'], ['Maps age', 'Seas rise'])
    const page = await openAsAdmin(program.path)
    const down = button(page, 'Move Compass down')
    await tabTo(page, down)
    await page.keyboard.press('Enter')
    await waitForFocus(down)
    await page.getByText('Compass moved to position 2 of 3', { exact: true }).waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.getByText('Compass moved to position 3 of 3', { exact: true }).waitFor({ state: 'attached' })
    // At the end, another press changes nothing.
    await page.keyboard.press('Enter')
    await waitForFocus(down)
    await expect(rowsOf(page, 'Tools Management')).toHaveText([/^Map/, /^Globe/, /^Compass/])

    const edit = page.getByRole('button', { name: 'Edit Globe' })
    await tabTo(page, edit, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const editor = page.getByRole('form', { name: 'Edit Globe' })
    await waitForFocus(editor.getByLabel('Tool name'))
    await page.keyboard.press('Escape')
    await waitForFocus(edit)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('World map')
    await page.keyboard.press('Enter')
    await waitForFocus(page.getByRole('button', { name: 'Edit World map' }))

    await tabTo(page, button(page, 'Move Seas rise up'))
    await page.keyboard.press('Enter')
    await waitForFocus(button(page, 'Move Seas rise up'))
    await tabTo(page, button(page, 'Update Program'))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/programs')
    const { toolkit, facts } = await program.fetch()
    expect(toolkit.map(({ name }) => name)).toEqual(['Map', 'World map', 'Compass'])
    expect(facts.map(({ content }) => content)).toEqual(['Seas rise', 'Maps age'])
  })

  test('ask before a moved or edited row is discarded', async () => {
    const program = await newProgram('Minor in Etching', ['Needle', 'Acid'])
    const page = await openAsAdmin(program.path, phone)
    await button(page, 'Move Needle down').click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await button(leaveDialog(page), 'Stay').click()
    await button(page, 'Move Needle up').click()
    await page.getByRole('button', { name: 'Edit Acid' }).click()
    await page.getByRole('form', { name: 'Edit Acid' }).getByLabel('Tool name').fill('Weak acid')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await button(leaveDialog(page), 'Stay').click()

    await button(page, 'Update Program').click()
    const saveDialog = page.getByRole('dialog', { name: 'Save without the changed row that you have typed?' })
    await button(saveDialog, 'Go back').click()
    await button(page.getByRole('form', { name: 'Edit Acid' }), 'Cancel').click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/admin/programs')
    expect((await program.fetch()).toolkit.map(({ name }) => name)).toEqual(['Needle', 'Acid'])
  })
})

describe('fees of a program', () => {
  test.each(sizes)('add up, and their sum becomes the fee: %s', async (_size, viewport) => {
    const program = await newProgram(`Minor in Statistics ${viewport.width}`)
    const page = await openAsAdmin(program.path, viewport)
    const fee = page.getByLabel('Fee', { exact: true })
    await page.getByLabel('Semester 2 fee').fill('16500')
    await page.getByLabel('Semester 1 fee').focus()
    await expect(page.getByLabel('Semester 2 fee')).toHaveValue('₹16,500')
    await page.getByText('Semesters add up to ₹31,500').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)
    await button(page, 'Use ₹31,500').click()
    await waitForFocus(fee)
    await expect(fee).toHaveValue('₹31,500')
    await page.getByText('Semesters add up to').waitFor({ state: 'hidden' })

    // A third semester without a fee: there is no sum to compare.
    await page.getByLabel('Semester count').fill('3')
    await page.getByLabel('Semester 3 fee').fill('1000')
    await page.getByText('Semesters add up to ₹32,500').waitFor()
    await page.getByLabel('Semester 3 fee').fill('free')
    await page.getByText('Semesters add up to').waitFor({ state: 'hidden' })
    await page.getByLabel('Semester count').fill('2')
    await button(page, 'Update Program').click()
    await page.waitForURL('**/admin/programs')
    expect(await program.fetch()).toMatchObject({
      fee: '₹31,500',
      semesters: [{ fee: '₹15,000' }, { fee: '16500' }],
    })
  })
})

describe('the preview of a program', () => {
  test('follows the form on a wide screen, before anything is saved', async () => {
    const program = await newProgram('Minor in Optics', ['Lens'])
    const page = await openAsAdmin(program.path, desktop)
    const preview = page.getByLabel('Preview', { exact: true })
    await page.getByLabel('Program name').fill('Minor in Photonics')
    await page.getByLabel('Fee', { exact: true }).fill('₹48,000')
    await expect(preview.getByText('Minor in Photonics', { exact: true })).toHaveCount(2)
    await preview.getByText('₹48,000').first().waitFor()
    await expect(preview.getByText('Lens', { exact: true })).toHaveCount(1)
    expect((await program.fetch()).programName).toBe('Minor in Optics')
  })

  test('opens from the form and from the toast of a save, on a phone', async () => {
    const program = await newProgram('Minor in Acoustics', ['Tuning fork'])
    const page = await openAsAdmin(program.path, phone)
    await page.getByRole('heading', { level: 1, name: 'Edit Program' }).waitFor()
    // The preview would come with the fields, which are loaded after the heading.
    await page.getByLabel('Program name').waitFor()
    await expect(page.getByLabel('Preview', { exact: true })).toHaveCount(0)
    await page.getByRole('link', { name: 'View as a learner' }).click()
    await page.getByRole('heading', { level: 1, name: 'View as a learner' }).waitFor()
    await page.getByText('Tuning fork').waitFor()
    expect(await fitsViewportWidth(page)).toBe(true)

    await page.getByRole('link', { name: 'Edit Program' }).click()
    await page.getByLabel('Program name').fill('Minor in Sound')
    await button(page, 'Update Program').click()
    // The toast stays while the pointer is on it.
    await page.getByText('Minor in Sound updated', { exact: true }).hover()
    await page.waitForURL('**/admin/programs')
    await button(page, 'View as a learner').click()
    await page.waitForURL(`**/admin/programs/${program._id}/preview`)
    await page.getByRole('heading', { name: 'Minor in Sound' }).first().waitFor()
  })
})

describe('a copy of a program', () => {
  test.each(sizes)('is filled with the original and saved as a program of its own: %s', async (size, viewport) => {
    const name = `Minor in Weaving (${size})`
    const original = await newProgram(name, ['Loom', 'Shuttle'], ['Cloth is old'])
    const page = await openAsAdmin('/admin/programs', viewport)
    await page.getByRole('link', { name: `Duplicate ${name}` }).click()
    await page.waitForURL(`**/admin/programs/new?copy=${original._id}`)
    await page.getByRole('heading', { level: 1, name: 'Create New Program' }).waitFor()
    await expect(page.getByLabel('Program name')).toHaveValue(`Copy of ${name}`)
    await expect(page.getByLabel('Program ID')).toHaveValue('')
    await page.getByText('2 tools', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Shuttle' }).click()
    await page.getByText('1 tool', { exact: true }).waitFor()
    await button(page, 'Create Program').click()
    await page.waitForURL('**/admin/programs')
    await page.getByText(`Copy of ${name} created`, { exact: true }).waitFor()

    const { data } = await callRoute(portal().address, listAdminPrograms, { token: await adminToken() })
    const copy = data.find(({ programName }) => programName === `Copy of ${name}`)
    const source = await original.fetch()
    expect(copy).toMatchObject({ fee: source.fee, toolkit: [{ name: 'Loom' }], facts: [{ content: 'Cloth is old' }] })
    expect(copy?.programId).not.toBe(source.programId)
    expect(source.toolkit).toHaveLength(2)
  })

  test('can be left without a question while nothing was changed', async () => {
    const original = await newProgram('Minor in Pottery')
    const page = await openAsAdmin(`/admin/programs/new?copy=${original._id}`)
    await page.getByLabel('Program name').waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL('**/admin/dashboard')
  })

  test('of an unknown program says so', async () => {
    expectConsoleErrors(/404/)
    const page = await openAsAdmin('/admin/programs/new?copy=none-such')
    await page.getByText('Program not found', { exact: true }).waitFor()
  })
})

describe('pictures of a program', () => {
  const choose = async (form: Locator, files: Parameters<Locator['setInputFiles']>[0]) => {
    const chooser = form.page().waitForEvent('filechooser')
    await button(form, 'Upload').click()
    await (await chooser).setFiles(files)
  }

  test.each(sizes)(
    'are uploaded for a tool and a fact, and learners see them: %s',
    { tags: ['essential'] },
    async (size, viewport) => {
      const program = await newProgram(`Minor in Painting (${size})`)
      const page = await openAsAdmin(program.path, viewport)
      const [tool, fact] = [
        page.getByRole('form', { name: 'Add a tool' }),
        page.getByRole('form', { name: 'Add a fact' }),
      ]
      await tool.getByLabel('Tool name').fill('Brush')
      await choose(tool, picture)
      await expect(tool.getByLabel('Logo URL')).toHaveValue(/^\/pictures\/[0-9a-f]{32}$/)
      await button(tool, 'Add Tool').click()
      await page.getByText('Tool added successfully', { exact: true }).waitFor()
      await fact.getByLabel('Fact content').fill('Paint dries')
      await choose(fact, { name: 'photo.png', mimeType: 'image/png', buffer: await readFile(picture) })
      await expect(fact.getByLabel('Image URL')).toHaveValue(/^\/pictures\/[0-9a-f]{32}$/)
      await button(fact, 'Add Fact').click()
      await page.getByText('Fact added successfully', { exact: true }).waitFor()
      expect(await fitsViewportWidth(page)).toBe(true)

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

  test.each([
    ['above 512 kB', pictureTooLarge.message, Buffer.alloc(maxPictureBytes + 1), 'photo.png'],
    ['that is a text', pictureUnsupported.message, Buffer.from('Dear diary'), 'diary.txt'],
    ['that is damaged', pictureUnreadable.message, 'damaged', 'half.png'],
  ] as const)('refuse a file %s at the field, and take the next one', async (_what, message, content, name) => {
    const program = await newProgram(`Minor in ${name}`)
    const page = await openAsAdmin(program.path, phone)
    const tool = page.getByRole('form', { name: 'Add a tool' })
    const buffer = typeof content === 'string' ? (await readFile(picture)).subarray(0, 900) : content
    expectConsoleErrors(/400|415/)
    await choose(tool, { name, mimeType: 'image/png', buffer })
    await tool.getByText(message, { exact: true }).waitFor()
    const field = tool.getByLabel('Logo URL')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveValue('')
    expect(await fitsViewportWidth(page)).toBe(true)

    await choose(tool, picture)
    await expect(field).toHaveValue(/^\/pictures\//)
    // The address is in the field before the next render.
    await tool.getByText(message).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Cancel' }).click()
    await button(leaveDialog(page), 'Leave').click()
    await page.waitForURL('**/admin/programs')
  })
})
