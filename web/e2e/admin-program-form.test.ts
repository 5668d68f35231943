import {
  addTool,
  createProgram,
  getAdminProgram,
  listAdminPrograms,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { setUpAdminJourneys } from './admin-journeys.ts'
import { expect } from './expect.ts'
import { startEmptyPortal } from './portals.ts'
import { phone } from './browser.ts'
import { delayRequests } from './journeys.ts'

const { portal, openAsAdmin, adminToken } = setUpAdminJourneys(startEmptyPortal)

const logoUrl = '/icons/icon-192.png'

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()
const waitForTextHidden = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).waitFor({ state: 'hidden' })
const submitTool = async (page: Page, name: string) => {
  await page.getByLabel('Tool name').fill(name)
  await page.getByLabel('Logo URL').fill(logoUrl)
  await clickButton(page, 'Add Tool')
}
const submitFact = async (page: Page, content: string) => {
  await page.getByLabel('Fact content').fill(content)
  await clickButton(page, 'Add Fact')
}
const removeButton = (page: Page, part: string) => page.getByRole('button', { name: `Remove ${part}` })
const collectWrites = (page: Page): readonly string[] => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' && pathname.startsWith('/admin/')) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

/** An existing program with a tool and a fact. */
const newProgram = async (programName: string) => {
  const token = await adminToken()
  const { data } = await callRoute(portal().address, createProgram, {
    token,
    body: { programName, toolkit: [{ name: 'Python', logoUrl }], facts: [{ content: 'Taught at weekends' }] },
  })
  const params = { id: data._id }
  return {
    path: `/admin/programs/edit/${data._id}`,
    fetch: async () => (await callRoute(portal().address, getAdminProgram, { token, params })).data,
    rename: (name: string) =>
      callRoute(portal().address, updateProgram, { token, params, body: { ...data, programName: name } }),
    addTool: (name: string) => callRoute(portal().address, addTool, { token, params, body: { name, logoUrl } }),
  }
}

describe('the form of a new program', () => {
  test(
    '[P-34] is validated, and is sent to the server with its tools and facts in one request',
    { tags: ['essential'] },
    async () => {
      const page = await openAsAdmin('/admin/programs/new')
      const writes = collectWrites(page)
      await page.getByRole('heading', { level: 1, name: 'Create New Program' }).waitFor()
      await expect(page.getByRole('heading', { level: 2 })).toHaveText([
        'Program Information',
        'Tools Management',
        'Facts Management',
      ])
      await expect(page.getByLabel('Semester count')).toHaveValue('3')
      await expect(page.getByLabel('Registration fee')).toHaveValue('1000')

      await page.getByLabel('Semester count').fill('0')
      await clickButton(page, 'Create Program')
      await waitForText(page, 'Program name is required')
      await waitForText(page, 'Semester count must be a whole number from 1 to 20')
      await clickButton(page, 'Add Tool')
      await waitForText(page, 'Tool name and logo URL are required')
      await clickButton(page, 'Add Fact')
      await waitForText(page, 'Fact content is required')
      await page.getByLabel('Program name').fill('Minor in Marine Robotics')
      await waitForTextHidden(page, 'Program name is required')

      await page.getByLabel('Semester count').fill('2')
      await page.getByLabel('Fee', { exact: true }).fill('₹30,000')
      await submitTool(page, 'Python')
      await submitTool(page, 'Gazebo')
      await submitFact(page, 'of ports look for divers')
      await removeButton(page, 'Python').click()
      await removeButton(page, 'Python').waitFor({ state: 'hidden' })
      expect(writes).toEqual([])

      const release = await delayRequests(page, /^\/admin\/programs$/)
      await clickButton(page, 'Create Program')
      await page.getByRole('button', { name: 'Creating...' }).waitFor()
      release()
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

  test('asks before it discards unsaved text', async () => {
    const page = await openAsAdmin('/admin/programs/new')
    await page.getByLabel('Program name').fill('Half a thought')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect(page.getByLabel('Program name')).toHaveValue('Half a thought')

    const unloadDialog = page.waitForEvent('dialog')
    await page.evaluate('void setTimeout(() => location.reload())')
    const unload = await unloadDialog
    expect(unload.type()).toBe('beforeunload')
    await unload.dismiss()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/admin/dashboard')
  })

  test('asks on Back and Forward, also for a tool that was typed but not added', async () => {
    const page = await openAsAdmin('/admin/universities')
    await page.getByRole('link', { name: 'Programs', exact: true }).click()
    await page.getByRole('link', { name: 'Add New Program' }).click()
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await page.goBack()
    await page.getByLabel('Tool name').fill('Half a thought')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    const stay = async () => {
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.waitForURL('**/admin/programs/new')
      await expect(page.getByLabel('Tool name')).toHaveValue('Half a thought')
    }
    for (const pages of [-1, -2, 1]) {
      await page.evaluate(`history.go(${pages})`)
      await stay()
    }
    // The skip link's hash is on the same page.
    await page.evaluate(`location.hash = '#content'`)
    await page.goBack()
    await page.waitForURL('**/admin/programs/new')
    await expect(dialog).toHaveCount(0)

    await page.evaluate('history.go(-2)')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/admin/universities')
    await page.getByRole('heading', { level: 1, name: 'Universities' }).waitFor()
    await page.goForward()
    await page.waitForURL('**/admin/programs')
  })

  test('scrolls each focused field with its message above the sticky footer', async () => {
    const page = await openAsAdmin('/admin/programs/new', phone)
    await page.getByLabel('Semester count').fill('0')
    await clickButton(page, 'Create Program')
    await waitForText(page, 'Program name is required')
    await page.evaluate('scrollTo(0, 0)')
    const submit = page.getByRole('button', { name: 'Create Program' })
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
})

describe('the form of an existing program', () => {
  test('[P-48] saves added and removed tools and facts at once, with a message for three seconds', async () => {
    const program = await newProgram('Minor in Glaciology')
    const page = await openAsAdmin(program.path)
    await page.getByRole('heading', { level: 1, name: 'Edit Program' }).waitFor()
    const writes = collectWrites(page)
    await submitTool(page, 'Ice core')
    await waitForText(page, 'Tool added successfully')
    await waitForText(page, '2 tools')
    await waitForTextHidden(page, 'Tool added successfully')
    await removeButton(page, 'Python').click()
    await waitForText(page, 'Tool removed successfully')
    await submitFact(page, 'of glaciers are mapped')
    await waitForText(page, 'Fact added successfully')
    await removeButton(page, 'Taught at weekends').click()
    await waitForText(page, 'Fact removed successfully')
    await waitForTextHidden(page, 'Fact removed successfully')
    expect(writes.map((call) => call.replaceAll(/[0-9a-f-]{36}/g, ':id'))).toEqual([
      'POST /admin/programs/:id/toolkit',
      'DELETE /admin/programs/:id/toolkit/:id',
      'POST /admin/programs/:id/facts',
      'DELETE /admin/programs/:id/facts/:id',
    ])
    const { toolkit, facts } = await program.fetch()
    expect([toolkit.map(({ name }) => name), facts.map(({ content }) => content)]).toEqual([
      ['Ice core'],
      ['of glaciers are mapped'],
    ])
  })

  test('shows changes that another admin saves meanwhile, and keeps them when saving', async () => {
    const program = await newProgram('Minor in Botany')
    const page = await openAsAdmin(program.path)
    await page.getByLabel('Fee', { exact: true }).fill('₹50,000')
    await program.rename('Minor in Plant Science')
    await program.addTool('Microscope')
    await expect(page.getByLabel('Program name')).toHaveValue('Minor in Plant Science')
    await removeButton(page, 'Microscope').waitFor()
    await clickButton(page, 'Update Program')
    await page.waitForURL('**/admin/programs')
    expect(await program.fetch()).toMatchObject({
      programName: 'Minor in Plant Science',
      fee: '₹50,000',
      toolkit: [{ name: 'Python' }, { name: 'Microscope' }],
    })
  })
})
