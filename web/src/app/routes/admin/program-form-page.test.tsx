import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../../lib/session.ts'
import { aUser, ok, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { programIdOf } from '../../../testing/fake-catalog.ts'
import { aFact, aProgram, aTool } from '../../../features/programs/admin/testing/programs.ts'

let app: OpenApp

const open = async (path: string, answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path,
    user: aUser({ role: 'admin' }),
    answers: { 'GET /admin/programs': () => ok({ data: [] }), ...answers },
  })
}

/** Opens the form of a program on a fake server that stores tools and facts. */
const edit = async (program: Program, answers: Record<string, FakeHandler> = {}) => {
  let { toolkit, facts } = program
  await open(`/admin/programs/edit/${program._id}`, {
    'GET /admin/programs/:id': () => ok({ data: { ...program, toolkit, facts } }),
    'PUT /admin/programs/:id': () => ok({ data: program }),
    'POST /admin/programs/:id/toolkit': ({ body }) => {
      toolkit = [...toolkit, { ...aTool(toolkit.length + 1), ...(body as object) }]
      return ok({ data: { toolkit } })
    },
    'DELETE /admin/programs/:id/toolkit/:toolId': ({ path }) => {
      toolkit = toolkit.filter(({ _id }) => !path.endsWith(_id))
      return ok({ data: { toolkit } })
    },
    'POST /admin/programs/:id/facts': ({ body }) => {
      facts = [...facts, { ...aFact(facts.length + 1), ...(body as object) }]
      return ok({ data: { facts } })
    },
    'DELETE /admin/programs/:id/facts/:factId': ({ path }) => {
      facts = facts.filter(({ _id }) => !path.endsWith(_id))
      return ok({ data: { facts } })
    },
    ...answers,
  })
  await screen.findByRole('heading', { level: 2, name: 'Program Information' })
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = async (label: string, text: string) => {
  await app.user.clear(field(label))
  await app.user.click(field(label))
  await app.user.paste(text)
}
const press = (name: string) => app.user.click(screen.getByRole('button', { name }))
const sent = (method: string) => app.requests.filter((request) => request.method === method)
/** The idempotency keys of the requests, in order. */
const keysOf = (method: string) => sent(method).map(({ headers }) => headers.get(idempotencyKeyHeader))
const isLost = (): never => {
  throw new TypeError('Failed to fetch')
}
/** The session ends on the server, and the admin logs in again, which leads back. */
const loseSession = async () => {
  app.answer('POST /auth/login', () => ok({ data: { user: aUser({ role: 'admin' }), token: 'another-token' } }))
  act(() => endSession('ended'))
  // A page that is still being replaced takes its fields along.
  await waitFor(() => app.fill(screen.getByLabelText('Email'), 'admin@example.com'))
  await app.fill(screen.getByLabelText('Password'), 'Secret#1x')
  await press('Login')
}
const theList = () => screen.findByRole('heading', { level: 1, name: 'Programs' })
/** The row of a tool or fact. */
const rowOf = async (text: string) => {
  const button = await screen.findByRole('button', { name: `Remove ${text}` })
  return button.closest('li') ?? button
}

const addTool = async (name: string, logoUrl: string) => {
  await fill('Tool name', name)
  await fill('Logo URL', logoUrl)
  await press('Add Tool')
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  vi.restoreAllMocks()
})

describe('the form of a new program', () => {
  const openNew = async (answers?: Record<string, FakeHandler>, path = '/admin/programs/new') => {
    await open(path, answers)
    await screen.findByRole('heading', { level: 1, name: 'Create New Program' })
  }

  it('[P-32 P-33 P-38 P-41 Y-6] has three sections, the default registration fee, and a fee for each semester, kept if the count falls for a while', async () => {
    await openNew()
    const sections = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    expect(sections).toEqual(['Program Information', 'Tools Management', 'Facts Management'])
    expect(field('Semester count').value).toBe('3')
    expect(field('Registration fee').value).toBe('1000')
    expect(screen.getByText('Auto-generated if left empty')).toBeDefined()
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(3)

    await fill('Semester 3 fee', '15000')
    await fill('Semester count', '1')
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(1)
    await app.user.clear(field('Semester count'))
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(1)
    await fill('Semester count', '4')
    expect(field('Semester 3 fee').value).toBe('₹15,000')
  })

  it('has what was typed, added and half typed back after the end of the session, until it is discarded', async () => {
    await openNew()
    await fill('Program name', 'Minor in Robotics')
    await fill('Semester 2 fee', '20000')
    await addTool('Python', '/python.svg')
    await rowOf('Python')
    await fill('Tool name', 'Git')
    await loseSession()
    await screen.findByRole('heading', { level: 1, name: 'Create New Program' })
    expect(field('Program name').value).toBe('Minor in Robotics')
    expect(field('Semester 2 fee').value).toBe('₹20,000')
    await rowOf('Python')
    expect(field('Tool name').value).toBe('Git')
    await screen.findByText('Your unsaved changes are back.')
    await press('Discard')
    await waitFor(() => expect(field('Program name').value).toBe(''))
    expect(screen.queryByRole('button', { name: 'Remove Python' })).toBeNull()
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it('is created once if the answer was lost and the page was reloaded', async () => {
    await openNew({ 'POST /admin/programs': isLost })
    await fill('Program name', 'Minor in Robotics')
    await press('Create Program')
    await waitFor(() => expect(keysOf('POST')).toHaveLength(1))
    const [lost] = keysOf('POST')
    await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('Minor in Robotics'))
    const kept = { ...localStorage }
    await app.close()
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value))
    await openNew({ 'POST /admin/programs': () => ok({ data: aProgram(1) }) })
    expect(field('Program name').value).toBe('Minor in Robotics')
    await press('Create Program')
    await theList()
    expect(keysOf('POST')).toEqual([lost])
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it("[P-31] also opens for the id 'new', and can be left at once if nothing was changed", async () => {
    await openNew({}, '/admin/programs/edit/new')
    expect(screen.getByRole('button', { name: 'Create Program' })).toBeDefined()
    expect(app.requests.filter(({ path }) => path.startsWith('/admin/programs'))).toEqual([])
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await theList()).toBeDefined()
  })

  it('[G-39 P-52 P-53] requires a name and at least one semester', async () => {
    await openNew()
    await fill('Program name', '\u200B')
    await fill('Semester count', '0')
    await press('Create Program')
    expect(await screen.findByText('Program name is required')).toBeDefined()
    expect(screen.getByText('Semester count must be a whole number from 1 to 20')).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(field('Program name')))
    await fill('Program name', 'Minor in AI')
    expect(screen.queryByText('Program name is required')).toBeNull()
    await fill('Semester count', '21')
    await press('Create Program')
    expect(await screen.findByText('Semester count must be a whole number from 1 to 20')).toBeDefined()
    expect(sent('POST')).toEqual([])
  })

  it('[P-2 P-34 P-36 P-40 P-41 P-50 P-64] sends the whole program with its tools and facts, and returns to the list', async () => {
    let answer: (value: ReturnType<typeof ok>) => void = () => {}
    const held = new Promise<ReturnType<typeof ok>>((resolve) => {
      answer = resolve
    })
    await openNew({ 'POST /admin/programs': () => held })
    await fill('Program name', '  Minor in AI ')
    await fill('Program ID', 'AI-26')
    await fill('Detail', 'Twelve months.')
    await fill('College name', 'Hill University')
    await fill('Eligibility', 'Any degree')
    await fill('Fee', '₹30,000')
    await fill('Registration fee', '500')
    await fill('Semester count', '2')
    await fill('Semester 1 fee', '14000')
    await fill('Semester 2 fee', '16000')
    await addTool('Python', 'https://logos.example/python.svg')
    await addTool('Pandas', '/logos/pandas.svg')
    await fill('Fact content', 'of roles will ask for it')
    await fill('Highlight', '80%')
    await fill('Image URL', 'https://logos.example/roles.png')
    await press('Add Fact')
    await rowOf('of roles will ask for it')
    await press('Remove Pandas')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Pandas' })).toBeNull())
    expect(sent('POST')).toEqual([])

    await press('Create Program')
    await press('Creating...')
    answer(ok({ data: aProgram(1) }))
    await theList()
    expect(window.location.pathname + window.location.search).toBe('/admin/programs')
    expect(sent('POST').map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: '/admin/programs',
        body: {
          programId: 'AI-26',
          programName: 'Minor in AI',
          detail: 'Twelve months.',
          semesterCount: 2,
          fee: '₹30,000',
          collegeName: 'Hill University',
          eligibility: 'Any degree',
          semesters: [{ fee: '14000' }, { fee: '16000' }],
          enrollmentDetails: { fee: '500' },
          toolkit: [
            { _id: expect.stringMatching(/^\d{13}$/), name: 'Python', logoUrl: 'https://logos.example/python.svg' },
          ],
          facts: [
            {
              _id: expect.stringMatching(/^\d{13}$/),
              content: 'of roles will ask for it',
              highlight: '80%',
              imageUrl: 'https://logos.example/roles.png',
            },
          ],
        },
      },
    ])
  })

  it('[P-43 P-54] requires name and logo of a tool, in one message, previews the logo, and shows a letter for a broken one', async () => {
    await openNew()
    for (const [name, logoUrl] of [
      ['', ''],
      ['Python', ''],
      ['', '/python.svg'],
    ] as const) {
      for (const label of ['Tool name', 'Logo URL']) await app.user.clear(field(label))
      if (name) await fill('Tool name', name)
      if (logoUrl) await fill('Logo URL', logoUrl)
      await press('Add Tool')
      expect(await screen.findAllByText('Tool name and logo URL are required')).toHaveLength(1)
      await fill(name ? 'Logo URL' : 'Tool name', 'x')
      expect(screen.queryByText('Tool name and logo URL are required')).toBeNull()
      expect(screen.getByText('No tools')).toBeDefined()
    }
    const preview = () => screen.getByRole('form', { name: 'Add a tool' }).querySelector('img')
    await fill('Tool name', 'python')
    await fill('Logo URL', 'logos')
    // The preview follows a pause in typing, so on a busy machine it may have shown the address before.
    await waitFor(() => expect(preview()).toBeNull())
    await fill('Logo URL', 'https://logos.example/none.svg')
    await waitFor(() => expect(preview()?.getAttribute('src')).toBe('https://logos.example/none.svg'))
    await press('Add Tool')
    const row = await rowOf('python')
    const logo = row.querySelector('img')
    expect(logo?.getAttribute('src')).toBe('https://logos.example/none.svg')
    expect(logo?.getAttribute('referrerpolicy')).toBe('no-referrer')
    fireEvent.error(logo ?? row)
    expect(row.querySelector('img')).toBeNull()
    expect(within(row).getByText('P')).toBeDefined()
  })

  it('[P-55] requires the content of a fact, and rejects the address of a picture that the page would not show', async () => {
    await openNew()
    await fill('Highlight', '80%')
    await press('Add Fact')
    expect(await screen.findByText('Fact content is required')).toBeDefined()
    await fill('Fact content', 'of roles')
    await press('Add Fact')
    expect(await screen.findByText('1 fact')).toBeDefined()
    expect(field('Fact content').value).toBe('')
    await press('Remove of roles')
    expect(await screen.findByText('No facts')).toBeDefined()

    await fill('Tool name', 'Git')
    await fill('Logo URL', 'http://logos.example/git.svg')
    await press('Add Tool')
    expect(await screen.findByText('Logo URL must start with https:// or /')).toBeDefined()
    await fill('Fact content', 'of roles')
    await fill('Image URL', 'http://logos.example/roles.png')
    await press('Add Fact')
    expect(await screen.findByText('Image URL must start with https:// or /')).toBeDefined()
    expect(screen.getByText('No tools')).toBeDefined()
    expect(screen.getByText('No facts')).toBeDefined()
  })

  it("[P-85] keeps its values and shows the error if the save fails, the server's message at its field", async () => {
    await openNew({ 'POST /admin/programs': () => problem(500, 'internal', 'Broken') })
    await fill('Program name', 'Minor in AI')
    await press('Create Program')
    expect(await screen.findByText('Failed to save program. Please try again.')).toBeDefined()
    expect(field('Program ID').getAttribute('aria-invalid')).toBe('false')
    expect(document.activeElement).not.toBe(field('Program ID'))
    expect(field('Program name').value).toBe('Minor in AI')

    const taken = 'A program with this Program ID already exists'
    app.answer('POST /admin/programs', () => problem(409, 'conflict', taken))
    await press('Create Program')
    expect(await screen.findByText('Failed to save program')).toBeDefined()
    // Once, at the field that it is about.
    expect(screen.getByText(taken)).toBeDefined()
    expect(field('Program ID').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('Program ID'))
    expect(field('Program name').value).toBe('Minor in AI')

    const message = 'This ID is not accepted'
    const body = { success: false, code: 'conflict', message, errors: { programId: message } }
    app.answer('POST /admin/programs', () => ({ status: 409, body }))
    field('Program name').focus()
    await fill('Program ID', 'AI-26')
    await press('Create Program')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Program ID/)))
    expect(screen.getAllByText(new RegExp(message)).length).toBeGreaterThan(1)
  })

  it('creates one program on retries, and another one from the next form', async () => {
    await openNew({ 'POST /admin/programs': isLost })
    await fill('Program name', 'Minor in AI')
    await press('Create Program')
    await screen.findByText('Failed to save program. Please try again.')
    await fill('Detail', 'Twelve months')
    app.answer('POST /admin/programs', () => ok({ data: aProgram(1) }))
    await press('Create Program')
    await theList()
    await app.user.click(screen.getByRole('link', { name: 'Add New Program' }))
    await screen.findByRole('heading', { level: 1, name: 'Create New Program' })
    await fill('Program name', 'Minor in AI')
    await press('Create Program')
    await theList()
    const [first, second, third] = keysOf('POST')
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('asks for a confirmation before typed text is discarded, also half of a tool or a fact', async () => {
    await openNew()
    const unload = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    expect(unload()).toBe(false)
    for (const label of ['Tool name', 'Logo URL', 'Fact content', 'Highlight']) {
      await fill(label, 'Half a thought')
      await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
      await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect([label, field(label).value]).toEqual([label, 'Half a thought'])
      await app.user.clear(field(label))
      await waitFor(() => expect(unload()).toBe(false))
    }
    await fill('Program name', 'Minor in AI')
    await waitFor(() => expect(unload()).toBe(true))
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(field('Program name').value).toBe('Minor in AI')

    await app.user.click(screen.getByRole('link', { name: 'Universities' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Universities' })).toBeDefined()
    expect(unload()).toBe(false)
  })

  it('asks before it saves without a tool and a fact that were typed but not added', async () => {
    await openNew({ 'POST /admin/programs': () => ok({ data: aProgram(1) }) })
    await fill('Program name', 'Minor in AI')
    await fill('Tool name', 'Git')
    await fill('Fact content', 'of roles')
    await press('Create Program')
    const question = 'Save without the tool and the fact that you have typed?'
    const dialog = () => screen.findByRole('dialog', { name: question })
    await app.user.click(within(await dialog()).getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent('POST')).toEqual([])
    expect([field('Tool name').value, field('Fact content').value]).toEqual(['Git', 'of roles'])

    await press('Add Fact')
    await fill('Logo URL', '/git.svg')
    await press('Create Program')
    await app.user.click(
      within(await screen.findByRole('dialog', { name: 'Save without the tool that you have typed?' })).getByRole(
        'button',
        { name: 'Save without' },
      ),
    )
    await theList()
    expect(sent('POST').map(({ body }) => body)).toMatchObject([{ toolkit: [], facts: [{ content: 'of roles' }] }])
  })
})

describe('the form of an existing program', () => {
  it('has changed fields back after the end of the session, beside those that were changed elsewhere', async () => {
    const program = aProgram(1)
    let name = program.programName
    await edit(program, { 'GET /admin/programs/:id': () => ok({ data: { ...program, programName: name } }) })
    await fill('College name', 'Hill College')
    name = 'Renamed elsewhere'
    await loseSession()
    await screen.findByRole('heading', { level: 2, name: 'Program Information' })
    expect(field('College name').value).toBe('Hill College')
    expect(field('Program name').value).toBe('Renamed elsewhere')
    await press('Update Program')
    await theList()
    expect(sent('PUT')[0]?.body).toMatchObject({ collegeName: 'Hill College', programName: 'Renamed elsewhere' })
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  const program = aProgram(7, {
    programName: 'Data Science',
    programId: 'DS-26',
    semesterCount: 2,
    semesters: [{ fee: '14000' }],
    enrollmentDetails: { fee: '750' },
    tools: 1,
    facts: 1,
  })

  it('[P-32 P-35 P-36 P-51 P-63 P-65] shows the program and saves all of it', async () => {
    await edit(program)
    expect(screen.getByRole('heading', { level: 1, name: 'Edit Program' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Programs' }).getAttribute('aria-current')).toBe('page')
    expect(field('Program name').value).toBe('Data Science')
    expect(field('Semester 1 fee').value).toBe('₹14,000')
    expect(field('Registration fee').value).toBe('750')
    await fill('Program name', 'Data Science and ML')
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof ok>>()
    app.answer('PUT /admin/programs/:id', () => promise)
    await press('Update Program')
    expect(await screen.findByRole('button', { name: 'Updating...' })).toBeDefined()
    resolve(ok({ data: program }))
    await theList()
    const [saved] = sent('PUT')
    expect(saved?.path).toBe(`/admin/programs/${program._id}`)
    const { _id, ...before } = program
    expect(saved?.body).toEqual({
      ...before,
      revision: 0,
      programName: 'Data Science and ML',
      semesters: [{ fee: '14000' }, { fee: '' }],
    })
  })

  it('has its edited and moved rows back after the end of the session, until they are discarded', async () => {
    await edit(aProgram(1, { tools: 2 }))
    await press('Edit Tool 2')
    const name = within(screen.getByRole('form', { name: 'Edit Tool 2' })).getByLabelText('Tool name')
    await app.user.clear(name)
    await app.user.type(name, 'Git{Enter}')
    await press('Move Git up')
    const shown = () => screen.getAllByRole('button', { name: /^Remove (Git|Tool)/ }).map((row) => row.textContent)
    expect(shown()).toEqual(['Remove Git', 'Remove Tool 1'])
    await loseSession()
    await screen.findByRole('heading', { level: 1, name: 'Edit Program' })
    await rowOf('Git')
    expect(shown()).toEqual(['Remove Git', 'Remove Tool 1'])
    await screen.findByText('Your unsaved changes are back.')
    await press('Discard')
    await rowOf('Tool 2')
    expect(shown()).toEqual(['Remove Tool 1', 'Remove Tool 2'])
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it('[P-48 P-67 P-68 P-69 P-70 P-86 P-87] adds and removes tools and facts at once', async () => {
    await edit(program)
    await addTool('Python', '/python.svg')
    expect(await screen.findByText('Tool added successfully')).toBeDefined()
    expect(screen.getByText('2 tools')).toBeDefined()
    expect(field('Tool name').value).toBe('')
    expect(sent('POST').map(({ path, body }) => [path, body])).toEqual([
      [`/admin/programs/${program._id}/toolkit`, { name: 'Python', logoUrl: '/python.svg' }],
    ])
    await press('Remove Tool 1')
    expect(await screen.findByText('Tool removed successfully')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Remove Tool 1' })).toBeNull()
    expect(sent('DELETE').map(({ path }) => path)).toEqual([
      `/admin/programs/${program._id}/toolkit/${program.toolkit[0]?._id}`,
    ])

    await fill('Fact content', 'of roles will ask for it')
    await press('Add Fact')
    expect(await screen.findByText('Fact added successfully')).toBeDefined()
    const added = sent('POST')[1]
    expect([added?.path, added?.body]).toEqual([
      `/admin/programs/${program._id}/facts`,
      { content: 'of roles will ask for it', highlight: '', imageUrl: '' },
    ])
    await press('Remove Fact 1')
    expect(await screen.findByText('Fact removed successfully')).toBeDefined()
    expect(sent('DELETE')[1]?.path).toBe(`/admin/programs/${program._id}/facts/${program.facts[0]?._id}`)
  })

  it('[P-49 P-88] removes the success message after three seconds', async () => {
    await edit(program)
    const clock = fakeClock()
    fireEvent.click(screen.getByRole('button', { name: 'Remove Tool 1' }))
    await clock.flush()
    expect(screen.getByText('Tool removed successfully')).toBeDefined()
    await clock.advance(2_999)
    expect(screen.queryByText('Tool removed successfully')).not.toBeNull()
    await clock.advance(1)
    expect(screen.queryByText('Tool removed successfully')).toBeNull()
  })

  it('moves the focus to the neighbor of a removed item', async () => {
    await edit(aProgram(8, { tools: 3 }))
    await press('Remove Tool 2')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Tool 3' })))
    await press('Remove Tool 3')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Tool 1' })))
    await press('Remove Tool 1')
    const section = screen.getByRole('region', { name: 'Tools Management' })
    await waitFor(() => expect(document.activeElement).toBe(section))
  })

  it('[P-82 P-83 P-84] says what failed, and why it was refused, and keeps tools, facts and what was typed', async () => {
    await edit(program)
    const addFact = async () => {
      await fill('Fact content', 'of roles')
      await press('Add Fact')
    }
    for (const [words, called, attempt] of [
      ['Failed to add tool', 'POST /admin/programs/:id/toolkit', () => addTool('Git', '/git.svg')],
      ['Failed to remove tool', 'DELETE /admin/programs/:id/toolkit/:toolId', () => press('Remove Tool 1')],
      ['Failed to add fact', 'POST /admin/programs/:id/facts', addFact],
      ['Failed to remove fact', 'DELETE /admin/programs/:id/facts/:factId', () => press('Remove Fact 1')],
    ] as const) {
      app.answer(called, () => problem(409, 'conflict', `There is a reason: ${words}`))
      await attempt()
      expect(await screen.findByText(words)).toBeDefined()
      expect(screen.getByText(`There is a reason: ${words}`)).toBeDefined()
      app.answer(called, () => problem(500, 'internal', 'Broken'))
      await attempt()
      expect(await screen.findByText(`${words}. Please try again.`)).toBeDefined()
      expect(screen.getByText('1 tool')).toBeDefined()
      expect(screen.getByText('1 fact')).toBeDefined()
    }
    expect([field('Tool name').value, field('Fact content').value]).toEqual(['Git', 'of roles'])
  })

  it('adds a tool or a fact once on retries, and the same one again after a success', async () => {
    await edit(program)
    const addFact = async () => {
      await fill('Fact content', 'Live classes')
      await press('Add Fact')
    }
    for (const [what, part, add] of [
      ['tool', 'toolkit', () => addTool('Git', '/git.svg')],
      ['fact', 'facts', addFact],
    ] as const) {
      const before = sent('POST').length
      app.answer(`POST /admin/programs/:id/${part}`, isLost)
      await add()
      await screen.findByText(`Failed to add ${what}. Please try again.`)
      app.answer(`POST /admin/programs/:id/${part}`, () => ok({ data: { [part]: [] } }))
      await add()
      await screen.findByText(`${what === 'tool' ? 'Tool' : 'Fact'} added successfully`)
      await add()
      await waitFor(() => expect(sent('POST')).toHaveLength(before + 3))
      const [first, second, third] = keysOf('POST').slice(before)
      expect(first).toMatch(/^[0-9a-f]{32}$/)
      expect(second).toBe(first)
      expect(third).not.toBe(first)
    }
  })

  it('[P-80] says that a program does not exist', async () => {
    await open(`/admin/programs/edit/${programIdOf(9)}`, {
      'GET /admin/programs/:id': () => problem(404, 'not-found', 'Program not found'),
    })
    expect(await screen.findByText('Failed to load program details')).toBeDefined()
    expect(screen.getByText('Program not found')).toBeDefined()
  })

  it('[P-81] shows an error with a retry if it cannot be loaded', async () => {
    let reachable = false
    await open(`/admin/programs/edit/${program._id}`, {
      'GET /admin/programs/:id': () => {
        if (!reachable) throw new TypeError('Failed to fetch')
        return ok({ data: program })
      },
    })
    expect(await screen.findByText('Error loading program. Please try again.')).toBeDefined()
    expect(screen.queryByText(networkErrorMessage)).toBeNull()
    reachable = true
    await press('Try again')
    expect(await screen.findByDisplayValue('Data Science')).toBeDefined()
  })
})
