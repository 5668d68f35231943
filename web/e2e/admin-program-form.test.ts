import {
  addTool,
  createProgram,
  getAdminProgram,
  listAdminPrograms,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { setUpAdminJourneys, fitsViewportWidth, mockMethodError } from './admin-journeys.ts'
import { startEmptyPortal } from './portals.ts'
import { phone } from './browser.ts'
import { abortRequests, delayRequests, mockError } from './journeys.ts'

const { portal, openAsAdmin, openWithoutSocket, adminToken, expectConsoleErrors } = setUpAdminJourneys(startEmptyPortal)

const logoUrl = '/icons/icon-192.png'
const oneProgram = /^\/admin\/programs\/[^/]+$/
const anyPart = /^\/admin\/programs\/[^/]+\/(toolkit|facts)/

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
const waitForName = (page: Page, name: string) =>
  eventually(`the program name is ${name}`, async () => (await page.getByLabel('Program name').inputValue()) === name)
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
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Program Information',
        'Tools Management',
        'Facts Management',
      ])
      expect(await page.getByLabel('Semester count').inputValue()).toBe('3')
      expect(await page.getByLabel('Registration fee').inputValue()).toBe('1000')

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

  test('[P-85] keeps the typed text when saving fails, and is saved on a retry', async () => {
    const { fetch } = await newProgram('Taken')
    const page = await openAsAdmin('/admin/programs/new', phone)
    await page.getByLabel('Program name').fill('Second')
    await page.getByLabel('Program ID').fill((await fetch()).programId)
    expectConsoleErrors(/409|500|ERR_/)
    await clickButton(page, 'Create Program')
    await waitForText(page, 'Failed to save program')
    await waitForText(page, 'A program with this Program ID already exists')
    expect(await fitsViewportWidth(page)).toBe(true)

    await page.getByLabel('Program ID').fill('')
    await mockMethodError(page, 'POST', /^\/admin\/programs$/, 500, 'Broken')
    await clickButton(page, 'Create Program')
    await waitForText(page, 'Failed to save program. Please try again.')
    await page.unrouteAll()
    await abortRequests(page, /^\/admin\/programs$/)
    await clickButton(page, 'Create Program')
    await waitForText(page, 'Failed to save program. Please try again.')
    expect(await page.getByLabel('Program name').inputValue()).toBe('Second')

    await page.unrouteAll()
    await clickButton(page, 'Create Program')
    await page.waitForURL('**/admin/programs')
    await page.getByText('SEC-01').waitFor()
  })

  test('asks before it discards unsaved text', async () => {
    const page = await openAsAdmin('/admin/programs/new')
    await page.getByLabel('Program name').fill('Half a thought')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Program name').inputValue()).toBe('Half a thought')

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
      expect(await page.getByLabel('Tool name').inputValue()).toBe('Half a thought')
    }
    for (const pages of [-1, -2, 1]) {
      await page.evaluate(`history.go(${pages})`)
      await stay()
    }
    // The skip link's hash is on the same page.
    await page.evaluate(`location.hash = '#content'`)
    await page.goBack()
    await page.waitForURL('**/admin/programs/new')
    expect(await dialog.count()).toBe(0)

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

  test('[P-82] shows why a tool or fact was rejected or failed, and changes nothing', async () => {
    const program = await newProgram('Minor in Hydrology')
    const before = await program.fetch()
    const page = await openAsAdmin(program.path)
    expectConsoleErrors(/409|500/)
    const attempts = [
      ['Failed to add tool', 'POST', () => submitTool(page, 'Pump')],
      ['Failed to remove tool', 'DELETE', () => removeButton(page, 'Python').click()],
      ['Failed to add fact', 'POST', () => submitFact(page, 'Rivers')],
      ['Failed to remove fact', 'DELETE', () => removeButton(page, 'Taught at weekends').click()],
    ] as const
    for (const [words, method, attempt] of attempts) {
      await mockMethodError(page, method, anyPart, 409, `There is a reason: ${words}`)
      await attempt()
      await waitForText(page, words)
      await waitForText(page, `There is a reason: ${words}`)
      await page.unrouteAll()
      await mockMethodError(page, method, anyPart, 500, 'Broken')
      await attempt()
      await waitForText(page, `${words}. Please try again.`)
      await page.unrouteAll()
    }
    await waitForText(page, '1 tool')
    await waitForText(page, '1 fact')
    expect(await program.fetch()).toEqual(before)
  })

  test('[P-35] is saved in one request, and the form stays open when that fails', async () => {
    const program = await newProgram('Minor in Seismology')
    const page = await openAsAdmin(program.path)
    await page.getByLabel('Eligibility').fill('Any degree')
    expectConsoleErrors(/500/)
    await mockMethodError(page, 'PUT', oneProgram, 500, 'Broken')
    await clickButton(page, 'Update Program')
    await waitForText(page, 'Failed to save program. Please try again.')
    await page.unrouteAll()
    const release = await delayRequests(page, oneProgram)
    await clickButton(page, 'Update Program')
    await page.getByRole('button', { name: 'Updating...' }).waitFor()
    release()
    await page.waitForURL('**/admin/programs')
    expect(await program.fetch()).toMatchObject({ eligibility: 'Any degree', toolkit: [{ name: 'Python' }] })
  })

  test('[P-81] shows a loading state, an error, or that there is no such program', async () => {
    const program = await newProgram('Minor in Volcanology')
    expectConsoleErrors(/404|500|ERR_/)
    const page = await openWithoutSocket('/admin/programs/edit/none-such')
    await waitForText(page, 'Failed to load program details')
    await waitForText(page, 'Program not found')

    await page.getByRole('link', { name: 'Programs', exact: true }).click()
    await mockError(page, oneProgram, 500, { success: false, code: 'internal', message: 'Broken' })
    await page.getByRole('link', { name: 'Edit Minor in Volcanology' }).click()
    await waitForText(page, 'Error loading program. Please try again.')
    expect(await page.getByText('Broken').count()).toBe(0)
    await page.unrouteAll()
    const release = await delayRequests(page, oneProgram)
    await clickButton(page, 'Try again')
    await page.getByRole('status', { name: /^Loading/ }).waitFor()
    release()
    await waitForName(page, 'Minor in Volcanology')
    expect(program.path).toBe(new URL(page.url()).pathname)
  })

  test('shows changes that another admin saves meanwhile, and keeps them when saving', async () => {
    const program = await newProgram('Minor in Botany')
    const page = await openAsAdmin(program.path)
    await page.getByLabel('Fee', { exact: true }).fill('₹50,000')
    await program.rename('Minor in Plant Science')
    await program.addTool('Microscope')
    await waitForName(page, 'Minor in Plant Science')
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
