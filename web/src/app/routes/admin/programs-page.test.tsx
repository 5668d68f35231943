import { screen, waitFor, within } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { insertAllStyles } from '../../../testing/styles.tsx'
import { programIdOf } from '../../../testing/fake-catalog.ts'
import { aProgram } from '../../../features/programs/admin/testing/programs.ts'

let app: OpenApp

const open = async (
  given: readonly Program[],
  answers: Record<string, FakeHandler> = {},
  startPath = '/admin/programs',
) => {
  let programs = given
  app = await openApp({
    path: startPath,
    user: aUser({ role: 'admin' }),
    answers: {
      'GET /admin/programs': () => ok({ data: programs }),
      'DELETE /admin/programs/:id': ({ path }) => {
        programs = programs.filter(({ _id }) => !path.endsWith(_id))
        return ok({})
      },
      'GET /notifications/audience/choices': () => ok(choices),
      ...answers,
    },
  })
}

/** The second of the three programs is newer than these counts. */
const choices = {
  everyone: 2_000,
  programs: [
    { programId: programIdOf(1), name: 'Data Science', count: 1_204, listed: 1_206 },
    { programId: programIdOf(3), name: 'Business Analytics', count: 1 },
  ],
  paymentStatuses: [],
  universities: [],
  roles: [],
}

const rows = () => screen.queryAllByRole('row').slice(1)
const texts = () =>
  rows().map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(0, 4)
      .map(({ textContent }) => textContent.replace(/Learners.*$/, '')),
  )
const names = () => texts().map(([name]) => name)

const three = [
  aProgram(1, { programName: 'Data Science', programId: 'DS-26', semesterCount: 3, fee: '₹45,000', tools: 2 }),
  aProgram(2, { programName: 'Artificial Intelligence', programId: 'AI-26', semesterCount: 2, fee: '120000' }),
  aProgram(3, { programName: 'Business Analytics', programId: 'BA-26', semesterCount: 10, fee: 'Free', tools: 1 }),
]

describe('the admin list of programs', () => {
  beforeEach(() => vi.spyOn(console, 'error').mockReturnValue())
  afterEach(async () => {
    await app.close()
    vi.restoreAllMocks()
  })

  it('[P-26 P-27 P-92 P-95] shows name, code, semesters, fee and tools of each program, the newest first, with a link to those enrolled', async () => {
    await open(three)
    const learners = await screen.findByRole('link', { name: 'Learners of Data Science' })
    expect(screen.getByRole('table', { name: 'Programs' })).toBeDefined()
    expect(learners.getAttribute('href')).toBe(`/admin/programs/${programIdOf(1)}/learners`)
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Program Name',
      'Semesters',
      'Fee',
      'Tools',
      'Enrolled',
      'Actions',
    ])
    expect(texts()).toEqual([
      ['Business AnalyticsBA-26', '10', 'Free', '1 tool'],
      ['Artificial IntelligenceAI-26', '2', '₹1,20,000', 'No tools'],
      ['Data ScienceDS-26', '3', '₹45,000', '2 tools'],
    ])
    // A few need no search.
    expect(screen.getByText('3 programs')).toBeDefined()
    expect(screen.queryByRole('searchbox')).toBeNull()

    const link = await screen.findByRole('link', { name: '1,204 enrolled in Data Science' })
    expect(link.getAttribute('href')).toBe(`/admin/dashboard/users?program=${programIdOf(1)}&state=active`)
    expect(screen.getByRole('link', { name: '1 enrolled in Business Analytics' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Learners (1,206) of Data Science' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Learners (0) of Artificial Intelligence' })).toBeDefined()
    const [, second] = rows()
    expect(second && within(second).getAllByRole('cell')[4]?.textContent).toBe('0')
    expect(screen.queryByRole('link', { name: /enrolled in Artificial/ })).toBeNull()
  })

  it('sorts by each column in both directions', async () => {
    await open(three)
    const [ai, ba, ds] = ['Artificial IntelligenceAI-26', 'Business AnalyticsBA-26', 'Data ScienceDS-26']
    for (const [column, upwards] of [
      ['Program Name', [ai, ba, ds]],
      ['Semesters', [ai, ds, ba]],
      ['Fee', [ds, ai, ba]],
      ['Tools', [ai, ba, ds]],
      ['Enrolled', [ai, ba, ds]],
    ] as const) {
      const head = await screen.findByRole('button', { name: column })
      await app.user.click(head)
      expect([column, ...names()]).toEqual([column, ...upwards])
      expect(head.closest('th')?.getAttribute('aria-sort')).toBe('ascending')
      await app.user.click(head)
      expect([column, ...names()]).toEqual([column, ...upwards.toReversed()])
      expect(head.closest('th')?.getAttribute('aria-sort')).toBe('descending')
    }
  })

  it('shows the programs without these numbers if they cannot be counted, and logs why', async () => {
    await open(three, { 'GET /notifications/audience/choices': () => problem(503, 'unavailable', 'Busy') })
    expect(await screen.findAllByLabelText('Unknown')).toHaveLength(3)
    await waitFor(() => expect(console.error).toHaveBeenCalledWith('Counting enrollments failed', 'Busy'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('searches by name and code from 12 programs on, and restores the query from the address', async () => {
    const twelve = [...three, ...Array.from({ length: 9 }, (_, index) => aProgram(index + 4))]
    await open(twelve, {}, '/admin/programs?q=analytics')
    const search = await screen.findByRole('searchbox', { name: 'Search programs' })
    expect(names()).toEqual(['Business AnalyticsBA-26'])
    expect(screen.getByText('1 of 12 programs')).toBeDefined()
    await app.user.clear(search)
    expect(screen.getByText('12 programs')).toBeDefined()
    await app.user.type(search, 'chemistry')
    expect(screen.getByText('No program matches “chemistry”.')).toBeDefined()
    await waitFor(() => expect(window.location.search).toBe('?q=chemistry'))
  })

  it('shows the whole of a long fee, and breaks it between its words', async () => {
    insertAllStyles()
    await open([aProgram(1, { fee: '₹4,50,00,000 in twelve installments' })])
    const { whiteSpace, overflow, overflowWrap } = getComputedStyle(
      await screen.findByText('₹4,50,00,000 in twelve installments'),
    )
    expect(whiteSpace).not.toBe('nowrap')
    expect(overflow).not.toBe('hidden')
    expect(overflowWrap).toBe('break-word')
  })

  it('[P-28 P-29] leads to the form of a new program, of a copy, or of an existing one', async () => {
    await open(three, { 'GET /admin/programs/:id': () => ok({ data: three[0] }) })
    for (const [link, title, address] of [
      ['Add New Program', 'Create New Program', '/admin/programs/new'],
      ['Duplicate Data Science', 'Create New Program', `/admin/programs/new?copy=${three[0]?._id}`],
      ['Edit Data Science', 'Edit Program', `/admin/programs/edit/${three[0]?._id}`],
    ] as const) {
      await screen.findByRole('table')
      await app.user.click(screen.getByRole('link', { name: link }))
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined()
      expect(window.location.pathname + window.location.search).toBe(address)
      await app.user.click(await screen.findByRole('link', { name: 'Cancel' }))
    }
  })

  it('[P-28 P-56 P-66 P-79] deletes after a confirmation that explains the effect on learners, or keeps the program and shows an error', async () => {
    await open(three)
    await app.user.click(await screen.findByRole('button', { name: 'Delete Data Science' }))
    const dialog = within(await screen.findByRole('dialog'))
    const question = 'Are you sure you want to delete this program? This action cannot be undone.'
    expect(dialog.getByText(question)).toBeDefined()
    expect(dialog.getByText(/Enrolled learners keep read-only access\./)).toBeDefined()
    await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(names()).toHaveLength(3)

    await app.user.click(screen.getByRole('button', { name: 'Delete Data Science' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(names()).toEqual(['Business AnalyticsBA-26', 'Artificial IntelligenceAI-26']))
    expect(screen.getByText('Data Science deleted')).toBeDefined()
    expect(app.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)

    app.answer('DELETE /admin/programs/:id', () => problem(503, 'unavailable', 'Busy'))
    await app.user.click(await screen.findByRole('button', { name: 'Delete Business Analytics' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Failed to delete program. Please try again.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(names()).toHaveLength(2)
    await app.user.click(within(alert).getByRole('button', { name: 'Close message' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('[P-30 P-78] shows an error with a retry if the list cannot be loaded, and invites to create the first program', async () => {
    let broken = true
    await open([], {
      'GET /admin/programs': () => (broken ? problem(500, 'internal', 'Broken') : ok({ data: [] })),
    })
    await screen.findByText('Failed to load programs. Please try again.')
    broken = false
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No Programs Found')).toBeDefined()
    expect(screen.getByText('Get started by creating a new program.')).toBeDefined()
  })

  it('follows changes of other admins without a reload', async () => {
    let programs = three
    await open([], { 'GET /admin/programs': () => ok({ data: programs }) })
    await waitFor(() => expect(app.visibility).toHaveLength(1))
    await screen.findByRole('table')
    const renamed = aProgram(1, { programName: 'Data Science and ML', programId: 'DS-26' })
    programs = [renamed, ...three.slice(2)]
    app.emit('catalog:changed', { kind: 'program-saved', program: renamed })
    app.emit('catalog:changed', {
      kind: 'program-removed',
      programId: programIdOf(2),
      removedAt: '2026-11-21T10:00:00.000Z',
    })
    await waitFor(() => expect(names()).toEqual(['Business AnalyticsBA-26', 'Data Science and MLDS-26']))
  })

  it('[P-62] accepts a plain array, and reads any other shape as an empty list', async () => {
    const bodies = [
      { success: true, programs: three },
      { success: true, data: 'none' },
      null,
      [{ name: 'Data Science' }],
    ]
    for (const body of bodies) {
      await open([], { 'GET /admin/programs': () => ({ status: 200, body }) })
      await screen.findByText('No Programs Found')
      expect(console.error).toHaveBeenCalledWith('Unexpected list of programs', expect.anything())
      vi.mocked(console.error).mockClear()
      await app.close()
    }
    await open([], { 'GET /admin/programs': () => ({ status: 200, body: three }) })
    await waitFor(() => expect(names()).toHaveLength(3))
  })
})
