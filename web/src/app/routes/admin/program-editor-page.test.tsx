import { screen, waitFor, within } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { desktopPx, setWindowWidth } from '../../../testing/window-width.ts'
import { aProgram, aTool } from '../../../features/programs/admin/testing/programs.ts'

let app: OpenApp

const open = async (path: string, answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path,
    user: aUser({ role: 'admin' }),
    answers: {
      'GET /admin/programs': () => ok({ data: [] }),
      'POST /admin/programs': ({ body }) => ok({ data: aProgram(9, { programName: Object(body).programName }) }),
      ...answers,
    },
  })
}
const openNew = async (answers?: Record<string, FakeHandler>) => {
  await open('/admin/programs/new', answers)
  await screen.findByRole('heading', { level: 1, name: 'Create New Program' })
}
const openEdit = async (program: Program) => {
  await open(`/admin/programs/edit/${program._id}`, {
    'GET /admin/programs/:id': () => ok({ data: program }),
    'PUT /admin/programs/:id': ({ body }) => ok({ data: { ...program, ...Object(body) } }),
    'DELETE /admin/programs/:id/toolkit/:toolId': ({ path }) =>
      ok({ data: { toolkit: program.toolkit.filter(({ _id }) => !path.endsWith(_id)) } }),
  })
  await screen.findByRole('heading', { level: 2, name: 'Program Information' })
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => app.user.click(button(name))
const fill = (label: string, text: string) => app.fill(field(label), text)
const bodies = (method: string): readonly unknown[] =>
  app.requests.filter((request) => request.method === method).map(({ body }) => body)
const toolNames = () =>
  within(screen.getByRole('region', { name: 'Tools Management' }))
    .getAllByRole('button', { name: /^Remove/ })
    .map(({ textContent }) => textContent.replace('Remove ', ''))

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  setWindowWidth(desktopPx)
  await app.close()
  vi.restoreAllMocks()
})

describe('the tools of the program form', () => {
  it('are suggested from all programs, with their logo, by the keyboard alone', async () => {
    const known = [
      { ...aTool(1), name: 'Python', logoUrl: '/logos/python.svg' },
      { ...aTool(2), name: 'PyTorch', logoUrl: '/logos/pytorch.svg' },
      { ...aTool(3), name: 'Excel', logoUrl: '/logos/excel.svg' },
    ]
    await openNew({ 'GET /admin/programs': () => ok({ data: [{ ...aProgram(1), toolkit: known }] }) })
    await app.user.click(field('Tool name'))
    await app.user.keyboard('py')
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Python', 'PyTorch'])
    await app.user.keyboard('{ArrowDown}{Enter}')
    expect([field('Tool name').value, field('Logo URL').value]).toEqual(['Python', '/logos/python.svg'])
    expect(screen.queryByRole('option')).toBeNull()
    await app.user.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: 'Remove Python' })).toBeDefined()
    expect([document.activeElement, field('Tool name').value]).toEqual([field('Tool name'), ''])
  })

  it('leave the focus in the first field after they are added, as facts do, also typed in full without suggestions', async () => {
    await openNew({ 'GET /admin/programs': () => problem(500, 'internal', 'Broken') })
    for (const [part, first, rest] of [
      ['Tool', 'Tool name', ['Logo URL']],
      ['Fact', 'Fact content', []],
    ] as const) {
      await fill(first, 'Git')
      for (const label of rest) await fill(label, '/git.svg')
      await press(`Add ${part}`)
      expect(await screen.findAllByRole('button', { name: 'Remove Git' })).toHaveLength(part === 'Tool' ? 1 : 2)
      await waitFor(() => expect([document.activeElement, field(first).value]).toEqual([field(first), '']))
    }
  })

  it('are edited in place, moved with buttons that keep the focus, and saved so with the program', async () => {
    await openEdit(aProgram(1, { tools: 3 }))
    await press('Edit Tool 2')
    const form = () => within(screen.getByRole('form', { name: 'Edit Tool 2' }))
    const name = () => form().getByLabelText<HTMLInputElement>('Tool name')
    expect(document.activeElement).toBe(name())
    await app.user.clear(name())
    await app.user.click(form().getByRole('button', { name: 'Apply' }))
    expect(await form().findByText('Tool name and logo URL are required')).toBeDefined()
    await app.user.type(name(), 'Git{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(button('Edit Git')))
    expect(toolNames()).toEqual(['Tool 1', 'Git', 'Tool 3'])

    await press('Move Tool 3 up')
    expect(toolNames()).toEqual(['Tool 1', 'Tool 3', 'Git'])
    expect(document.activeElement).toBe(button('Move Tool 3 up'))
    expect(screen.getByText('Tool 3 moved to position 2 of 3')).toBeDefined()
    await app.user.keyboard('{Enter}{Enter}')
    expect(toolNames()).toEqual(['Tool 3', 'Tool 1', 'Git'])
    expect(button('Move Tool 3 up').getAttribute('aria-disabled')).toBe('true')
    await press('Remove Tool 1')
    await waitFor(() => expect(toolNames()).toEqual(['Tool 3', 'Git']))
    expect(bodies('PUT')).toEqual([])
    await press('Update Program')
    expect(await screen.findByText('Minor 1 updated')).toBeDefined()
    expect(bodies('PUT')).toMatchObject([{ toolkit: [aTool(3), { ...aTool(2), name: 'Git' }] }])
  })

  it('keep a row as it was on Escape, and ask before a changed row is discarded', async () => {
    await openEdit(aProgram(1, { tools: 1 }))
    await press('Edit Tool 1')
    await app.user.keyboard(' 2')
    await press('Update Program')
    const dialog = await screen.findByRole('dialog', { name: 'Save without the changed row that you have typed?' })
    await app.user.click(within(dialog).getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await app.user.click(within(screen.getByRole('form', { name: 'Edit Tool 1' })).getByLabelText('Tool name'))
    await app.user.keyboard('{Escape}')
    expect(toolNames()).toEqual(['Tool 1'])
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Programs' })).toBeDefined()
  })
})

describe('the facts of the program form', () => {
  it('are edited and moved as tools are', async () => {
    await openEdit(aProgram(1, { facts: 2 }))
    await press('Edit Fact 1')
    const form = within(screen.getByRole('form', { name: 'Edit Fact 1' }))
    await app.user.type(form.getByLabelText('Highlight'), '80%')
    await app.user.click(form.getByRole('button', { name: 'Apply' }))
    expect(await screen.findByText('80%')).toBeDefined()
    await press('Move Fact 1 down')
    await press('Update Program')
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
    expect(bodies('PUT')).toMatchObject([{ facts: [{ content: 'Fact 2' }, { content: 'Fact 1', highlight: '80%' }] }])
  })
})

describe('the pictures of the program form', () => {
  const fileField = (form: string) => {
    const input = screen.getByRole('form', { name: form }).querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error(`${form} has no upload`)
    return input
  }
  const png = new File(['picture'], 'logo.png', { type: 'image/png' })

  it('are uploaded, and their address is filled in', async () => {
    const url = '/pictures/0123456789abcdef0123456789abcdef'
    await openNew({ 'POST /admin/pictures': () => ok({ data: { url } }) })
    for (const [form, label] of [
      ['Add a tool', 'Logo URL'],
      ['Add a fact', 'Image URL'],
    ] as const) {
      await app.user.upload(fileField(form), png)
      await waitFor(() => expect(field(label).value).toBe(url))
      expect(bodies('POST').at(-1)).toEqual({ file: btoa('picture') })
    }
    expect(bodies('POST')).toHaveLength(2)
  })

  it('are refused at the field, by the server or because of their size', async () => {
    const message = 'This file is damaged or is not a picture'
    await openNew({ 'POST /admin/pictures': () => problem(400, 'invalid', message) })
    await app.user.upload(fileField('Add a tool'), png)
    expect(await screen.findByText(message)).toBeDefined()
    await app.user.upload(fileField('Add a tool'), new File(['x'.repeat(513 * 1024)], 'a.png', { type: 'image/png' }))
    expect(await screen.findByText('A picture must be at most 512 kB')).toBeDefined()
    expect(bodies('POST')).toHaveLength(1)
    await fill('Logo URL', '/git.svg')
    expect(screen.queryByText('A picture must be at most 512 kB')).toBeNull()
  })
})

describe('the fees of the program form', () => {
  it('offer the sum of the semesters as the fee, and show amounts with ₹ and commas', async () => {
    await openNew()
    await fill('Program name', 'Minor in AI')
    await fill('Fee', '₹45,000')
    await fill('Semester count', '2')
    await fill('Semester 1 fee', '15000')
    await fill('Semester 2 fee', '15000')
    expect(screen.getByText(/^Semesters add up to ₹30,000/)).toBeDefined()
    expect(field('Semester 1 fee').value).toBe('₹15,000')
    await press('Use ₹30,000')
    expect(document.activeElement).toBe(field('Fee'))
    expect(field('Fee').value).toBe('₹30,000')
    expect(screen.queryByText(/^Semesters add up/)).toBeNull()
    await press('Create Program')
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
    expect(bodies('POST')).toMatchObject([{ fee: '₹30,000', semesters: [{ fee: '15000' }, { fee: '15000' }] }])
  })
})

describe('a copy of a program', () => {
  const original = aProgram(1, { programName: 'Data Science', programId: 'DS-26', fee: '₹45,000', tools: 1, facts: 1 })

  it('starts with everything but the code, and is saved as a program of its own', async () => {
    await open(`/admin/programs/new?copy=${original._id}`, {
      'GET /admin/programs/:id': () => ok({ data: original }),
    })
    expect(await screen.findByDisplayValue('Copy of Data Science')).toBeDefined()
    expect([field('Program ID').value, field('Fee').value]).toEqual(['', '₹45,000'])
    await press('Create Program')
    expect(await screen.findByText('Copy of Data Science created')).toBeDefined()
    expect(bodies('POST')).toMatchObject([
      {
        programName: 'Copy of Data Science',
        programId: '',
        toolkit: [{ _id: expect.stringMatching(/^\d{13}$/), name: 'Tool 1' }],
        facts: [{ content: 'Fact 1' }],
      },
    ])
  })

  it('can be left without a question while nothing was changed, and says that the original does not exist', async () => {
    const path = `/admin/programs/new?copy=${original._id}`
    await open(path, { 'GET /admin/programs/:id': () => ok({ data: original }) })
    await screen.findByDisplayValue('Copy of Data Science')
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Programs' })).toBeDefined()
    await app.close()
    await open(path, { 'GET /admin/programs/:id': () => problem(404, 'not-found', 'Program not found') })
    expect(await screen.findByText('Program not found')).toBeDefined()
  })
})

describe('the preview of a program', () => {
  const program = aProgram(1, { programName: 'Data Science', detail: 'Twelve months', tools: 1, facts: 1 })

  it('follows a save: the toast opens the program as a learner sees it', async () => {
    await openNew({ 'GET /admin/programs/:id': () => ok({ data: aProgram(9, { programName: 'Minor in Robotics' }) }) })
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
    await fill('Program name', 'Minor in Robotics')
    await press('Create Program')
    expect(await screen.findByText('Minor in Robotics created')).toBeDefined()
    await press('View as a learner')
    expect(await screen.findByRole('heading', { level: 1, name: 'View as a learner' })).toBeDefined()
    expect(await screen.findByRole('heading', { level: 2, name: 'Minor in Robotics' })).toBeDefined()
    expect(window.location.pathname).toBe(`/admin/programs/${aProgram(9)._id}/preview`)
  })

  it('is no longer offered once the program is deleted', async () => {
    const robotics = aProgram(9, { programName: 'Minor in Robotics' })
    await openNew({ 'DELETE /admin/programs/:id': () => ok({}) })
    app.answer('GET /admin/programs', () => ok({ data: [robotics] }))
    await fill('Program name', 'Minor in Robotics')
    await press('Create Program')
    expect(await screen.findByText('Minor in Robotics created')).toBeDefined()
    await app.user.click(await screen.findByRole('button', { name: 'Delete Minor in Robotics' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Minor in Robotics deleted')).toBeDefined()
    expect(screen.queryByText('Minor in Robotics created')).toBeNull()
  })

  it('shows the saved page and card, and leads to the form', async () => {
    await open(`/admin/programs/${program._id}/preview`, { 'GET /admin/programs/:id': () => ok({ data: program }) })
    expect(await screen.findByRole('heading', { level: 2, name: 'Data Science' })).toBeDefined()
    expect(screen.getByRole('heading', { level: 3, name: 'Data Science' })).toBeDefined()
    expect(screen.getByText('Twelve months')).toBeDefined()
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull()
    await app.user.click(screen.getByRole('link', { name: 'Edit Program' }))
    expect(await screen.findByDisplayValue('Data Science')).toBeDefined()
  })

  it('is shown beside the form on a wide screen, and follows what is typed', async () => {
    setWindowWidth(1280)
    await openNew()
    const preview = () => within(screen.getByRole('region', { name: 'Preview' }))
    await fill('Program name', 'Minor in Robotics')
    await waitFor(() => expect(preview().getAllByText('Minor in Robotics')).toHaveLength(2))
    await fill('Tool name', 'Git')
    await fill('Logo URL', '/git.svg')
    await press('Add Tool')
    await waitFor(() => expect(preview().getByText('Git')).toBeDefined())
  })
})
