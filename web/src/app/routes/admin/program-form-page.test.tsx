import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

  it('[P-32 P-33 P-38 Y-6] has three sections, three semesters and the default registration fee', async () => {
    await openNew()
    const sections = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    expect(sections).toEqual(['Program Information', 'Tools Management', 'Facts Management'])
    expect(field('Semester count').value).toBe('3')
    expect(field('Registration fee').value).toBe('1000')
    expect(screen.getByText('Auto-generated if left empty')).toBeDefined()
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(3)
  })

  it("[P-31] also opens for the id 'new'", async () => {
    await openNew({}, '/admin/programs/edit/new')
    expect(screen.getByRole('button', { name: 'Create Program' })).toBeDefined()
    expect(app.requests.filter(({ path }) => path.startsWith('/admin/programs'))).toEqual([])
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

  it('[P-41] has a fee for each semester, and keeps them all if the count falls for a while', async () => {
    await openNew()
    await fill('Semester 3 fee', '15000')
    await fill('Semester count', '1')
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(1)
    await app.user.clear(field('Semester count'))
    expect(screen.getAllByLabelText(/^Semester \d+ fee$/)).toHaveLength(1)
    await fill('Semester count', '4')
    expect(field('Semester 3 fee').value).toBe('₹15,000')
  })

  it("shows the server's message about a field at that field", async () => {
    const message = 'This ID is taken'
    const body = { success: false, code: 'conflict', message, errors: { programId: message } }
    await openNew({ 'POST /admin/programs': () => ({ status: 409, body }) })
    await fill('Program name', 'Minor in AI')
    await fill('Program ID', 'AI-26')
    await press('Create Program')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Program ID/)))
    expect(screen.getAllByText(new RegExp(message)).length).toBeGreaterThan(1)
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

  it.each([
    ['', ''],
    ['Python', ''],
    ['', '/python.svg'],
  ])('[P-54] requires name and logo of a tool, in one message: %j %j', async (name, logoUrl) => {
    await openNew()
    if (name) await fill('Tool name', name)
    if (logoUrl) await fill('Logo URL', logoUrl)
    await press('Add Tool')
    expect(await screen.findAllByText('Tool name and logo URL are required')).toHaveLength(1)
    await fill(name ? 'Logo URL' : 'Tool name', 'x')
    expect(screen.queryByText('Tool name and logo URL are required')).toBeNull()
    expect(screen.getByText('No tools')).toBeDefined()
  })

  it('rejects the address of a picture that the page would not show', async () => {
    await openNew()
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

  it('[P-55] requires the content of a fact', async () => {
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
  })

  it('[P-43] shows the logo, or the first letter of the name if it is broken', async () => {
    await openNew()
    await addTool('python', 'https://logos.example/none.svg')
    const row = await rowOf('python')
    const logo = row.querySelector('img')
    expect(logo?.getAttribute('src')).toBe('https://logos.example/none.svg')
    expect(logo?.getAttribute('referrerpolicy')).toBe('no-referrer')
    fireEvent.error(logo ?? row)
    expect(row.querySelector('img')).toBeNull()
    expect(within(row).getByText('P')).toBeDefined()
  })

  it('previews a logo once its address is complete', async () => {
    await openNew()
    const preview = () => screen.getByRole('form', { name: 'Add a tool' }).querySelector('img')
    await fill('Tool name', 'Git')
    await fill('Logo URL', 'logos')
    expect(preview()).toBeNull()
    await fill('Logo URL', 'https://logos.example/git.svg')
    await waitFor(() => expect(preview()?.getAttribute('src')).toBe('https://logos.example/git.svg'))
  })

  it.each([
    ['a refusal', problem(409, 'conflict', 'A program with this Program ID already exists'), 'Failed to save program'],
    ['a fault', problem(500, 'internal', 'Broken'), 'Failed to save program. Please try again.'],
  ])('[P-85] keeps its values and shows an error if the save fails: %s', async (_case, answer, words) => {
    await openNew({ 'POST /admin/programs': () => answer })
    await fill('Program name', 'Minor in AI')
    await press('Create Program')
    expect(await screen.findByText(words)).toBeDefined()
    const reason = screen.queryByText('A program with this Program ID already exists')
    expect(reason !== null).toBe(words === 'Failed to save program')
    // Once, at the field that it is about.
    expect(field('Program ID').getAttribute('aria-invalid')).toBe(String(reason !== null))
    expect(document.activeElement === field('Program ID')).toBe(reason !== null)
    expect(field('Program name').value).toBe('Minor in AI')
    expect(screen.getByRole('button', { name: 'Create Program' })).toBeDefined()
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

  it('asks for a confirmation before typed text is discarded', async () => {
    await openNew()
    const unload = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    expect(unload()).toBe(false)
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

  it.each(['Tool name', 'Logo URL', 'Fact content', 'Highlight'])('also asks if only %j was typed', async (label) => {
    await openNew()
    await fill(label, 'Half a thought')
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(field(label).value).toBe('Half a thought')
    await app.user.clear(field(label))
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await theList()).toBeDefined()
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

  it('can be left at once if nothing was changed', async () => {
    await openNew()
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await theList()).toBeDefined()
  })
})

describe('the form of an existing program', () => {
  const program = aProgram(7, {
    programName: 'Data Science',
    programId: 'DS-26',
    semesterCount: 2,
    semesters: [{ fee: '14000' }],
    enrollmentDetails: { fee: '750' },
    tools: 1,
    facts: 1,
  })

  it('[P-32 P-36 P-51 P-63 P-65] shows the program and saves all of it', async () => {
    await edit(program)
    expect(screen.getByRole('heading', { level: 1, name: 'Edit Program' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Programs' }).getAttribute('aria-current')).toBe('page')
    expect(field('Program name').value).toBe('Data Science')
    expect(field('Semester 1 fee').value).toBe('₹14,000')
    expect(field('Registration fee').value).toBe('750')
    await fill('Program name', 'Data Science and ML')
    await press('Update Program')
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

  it("[P-35] shows 'Updating...' while it is saved", async () => {
    await edit(program, { 'PUT /admin/programs/:id': () => new Promise(() => {}) })
    await press('Update Program')
    expect(await screen.findByRole('button', { name: 'Updating...' })).toBeDefined()
  })

  it('[P-48 P-67 P-68 P-86] adds and removes tools at once', async () => {
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
  })

  it('[P-48 P-69 P-70 P-87] adds and removes facts at once', async () => {
    await edit(program)
    await fill('Fact content', 'of roles will ask for it')
    await press('Add Fact')
    expect(await screen.findByText('Fact added successfully')).toBeDefined()
    expect(sent('POST').map(({ path, body }) => [path, body])).toEqual([
      [`/admin/programs/${program._id}/facts`, { content: 'of roles will ask for it', highlight: '', imageUrl: '' }],
    ])
    await press('Remove Fact 1')
    expect(await screen.findByText('Fact removed successfully')).toBeDefined()
    expect(sent('DELETE').map(({ path }) => path)).toEqual([
      `/admin/programs/${program._id}/facts/${program.facts[0]?._id}`,
    ])
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

  const attempts: Record<string, { called: string; act: () => Promise<void> }> = {
    'Failed to add tool': { called: 'POST /admin/programs/:id/toolkit', act: () => addTool('Git', '/git.svg') },
    'Failed to remove tool': {
      called: 'DELETE /admin/programs/:id/toolkit/:toolId',
      act: () => press('Remove Tool 1'),
    },
    'Failed to add fact': {
      called: 'POST /admin/programs/:id/facts',
      act: async () => {
        await fill('Fact content', 'of roles')
        await press('Add Fact')
      },
    },
    'Failed to remove fact': {
      called: 'DELETE /admin/programs/:id/facts/:factId',
      act: () => press('Remove Fact 1'),
    },
  }

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

  it.each(Object.entries(attempts))(
    "[P-82 P-83 P-84] says '%s' when it is refused, and why",
    async (words, { called, act }) => {
      await edit(program, { [called]: () => problem(409, 'conflict', 'There is a reason') })
      await act()
      expect(await screen.findByText(words)).toBeDefined()
      expect(screen.getByText('There is a reason')).toBeDefined()
      expect(screen.getByText('1 tool')).toBeDefined()
      expect(screen.getByText('1 fact')).toBeDefined()
    },
  )

  it.each(Object.entries(attempts))(
    "[P-82 P-83 P-84] says '%s. Please try again.' when it fails",
    async (words, { called, act }) => {
      await edit(program, { [called]: () => problem(500, 'internal', 'Broken') })
      await act()
      expect(await screen.findByText(`${words}. Please try again.`)).toBeDefined()
      expect(screen.getByText('1 tool')).toBeDefined()
      expect(screen.getByText('1 fact')).toBeDefined()
    },
  )

  it('keeps the typed text of a tool that could not be added', async () => {
    await edit(program, { 'POST /admin/programs/:id/toolkit': () => problem(500, 'internal', 'Broken') })
    await addTool('Git', '/git.svg')
    await screen.findByText('Failed to add tool. Please try again.')
    expect(field('Tool name').value).toBe('Git')
  })

  it.each([
    ['tool', 'toolkit', 'Git'],
    ['fact', 'facts', 'Live classes'],
  ])('adds a %s once on retries, and the same one again after a success', async (what, part, name) => {
    await edit(program)
    const add = async () => {
      if (what === 'tool') return addTool(name, '/git.svg')
      await fill('Fact content', name)
      return press('Add Fact')
    }
    const added = { data: { [part]: [] } }
    app.answer(`POST /admin/programs/:id/${part}`, isLost)
    await add()
    await screen.findByText(`Failed to add ${what}. Please try again.`)
    app.answer(`POST /admin/programs/:id/${part}`, () => ok(added))
    await add()
    await screen.findByText(`${what === 'tool' ? 'Tool' : 'Fact'} added successfully`)
    await add()
    await waitFor(() => expect(sent('POST')).toHaveLength(3))
    const [first, second, third] = keysOf('POST')
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
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
