import { screen, waitFor } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser, ok, problem, type FakeAnswer } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { aFact, aProgram, aTool } from '../../../features/programs/admin/testing/programs.ts'

let app: OpenApp
let saved: Program

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** Opens the form of a program that another admin edits as well. */
const edit = async (fields: Parameters<typeof aProgram>[1] = {}) => {
  saved = aProgram(1, { programName: 'Data Science', tools: 1, ...fields })
  app = await openApp({
    path: `/admin/programs/edit/${saved._id}`,
    user: aUser({ role: 'admin' }),
    answers: {
      'GET /admin/programs': () => ok({ data: [] }),
      'GET /admin/programs/:id': () => ok({ data: saved }),
      'PUT /admin/programs/:id': () => ok({ data: saved }),
    },
  })
  await waitFor(() => expect(app.visibility).toHaveLength(1))
  await screen.findByRole('heading', { level: 2, name: 'Program Information' })
}

/** The base revisions of the sent saves. */
const savedFrom = () =>
  app.requests.filter(({ method }) => method === 'PUT').map(({ body }) => Object(body).revision as unknown)

const changedSince: FakeAnswer = {
  status: 409,
  body: {
    success: false,
    code: 'conflict',
    message: 'Somebody else has changed this program since you opened it',
    errors: { revision: 'The program has changed since' },
  },
}

const anotherSaves = (change: Partial<Program>) => {
  saved = { ...saved, ...change }
  app.emit('catalog:changed', { kind: 'program-saved', program: saved })
}

describe('the program form during an edit by another admin', () => {
  afterEach(() => app.close())

  it("shows the other admin's save, except in edited fields, and does not undo it by its own save", async () => {
    await edit({ semesters: [{ fee: '14000' }] })
    await app.fill(field('Fee'), '₹50,000')
    anotherSaves({
      programName: 'Data Science and ML',
      fee: '₹60,000',
      semesters: [{ fee: '15000' }],
      toolkit: [aTool(1), aTool(2)],
      facts: [aFact(1)],
    })
    await waitFor(() => expect(field('Program name').value).toBe('Data Science and ML'))
    expect(field('Semester 1 fee').value).toBe('₹15,000')
    expect(field('Fee').value).toBe('₹50,000')
    expect(screen.getByText('2 tools')).toBeDefined()
    expect(screen.getByText('1 fact')).toBeDefined()

    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await app.user.click(await screen.findByRole('button', { name: 'Stay' }))
    await app.user.click(await screen.findByRole('button', { name: 'Update Program' }))
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
    expect(app.requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      programName: 'Data Science and ML',
      fee: '₹50,000',
      toolkit: [aTool(1), aTool(2)],
      facts: [aFact(1)],
    })
  })

  it('rejects a save that is based on an outdated revision, keeps what was typed and loads the rest', async () => {
    await edit({ revision: 4 })
    await app.fill(field('Fee'), '₹50,000')
    saved = { ...saved, programName: 'Data Science and ML', fee: '₹60,000', toolkit: [aTool(1), aTool(2)], revision: 5 }
    app.answer('PUT /admin/programs/:id', () => changedSince)
    await app.user.click(screen.getByRole('button', { name: 'Update Program' }))
    await screen.findByText('Someone else changed this program. Reload to see their version; your text is kept.')
    expect(field('Fee').value).toBe('₹50,000')

    app.answer('PUT /admin/programs/:id', () => ok({ data: saved }))
    await app.user.click(screen.getByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(field('Program name').value).toBe('Data Science and ML'))
    expect(field('Fee').value).toBe('₹50,000')
    expect(screen.getByText('2 tools')).toBeDefined()
    expect(screen.queryByText('Failed to save program')).toBeNull()
    await app.user.click(screen.getByRole('button', { name: 'Update Program' }))
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
    expect(savedFrom()).toEqual([4, 5])
  })

  it('shows an error if the current revision cannot be loaded', async () => {
    await edit({ revision: 4 })
    app.answer('PUT /admin/programs/:id', () => changedSince)
    await app.user.click(screen.getByRole('button', { name: 'Update Program' }))
    app.answer('GET /admin/programs/:id', () => problem(503, 'unavailable', 'Not now'))
    await app.user.click(await screen.findByRole('button', { name: 'Reload' }))
    await screen.findByText('Failed to load program details. Please try again.')
    expect(field('Program name').value).toBe('Data Science')
  })

  it.each([
    ['advances the revision after its own addition', 5, 5],
    ['keeps the revision if another admin has saved in between', 6, 4],
  ])('%s', async (_what, answered, expected) => {
    await edit({ revision: 4 })
    app.answer('POST /admin/programs/:id/toolkit', () =>
      ok({ data: { toolkit: [aTool(1), aTool(2)], revision: answered } }),
    )
    await app.fill(field('Tool name'), 'Git')
    await app.fill(field('Logo URL'), '/git.svg')
    await app.user.click(screen.getByRole('button', { name: 'Add Tool' }))
    await screen.findByText('2 tools')
    await app.user.click(screen.getByRole('button', { name: 'Update Program' }))
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
    expect(savedFrom()).toEqual([expected])
  })

  it('has no unsaved changes after a save of the other admin', async () => {
    await edit()
    anotherSaves({ programName: 'Data Science and ML' })
    await waitFor(() => expect(field('Program name').value).toBe('Data Science and ML'))
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
  })

  it('keeps what was typed if the other admin deletes the program, and reports the deletion on save', async () => {
    await edit()
    await app.user.type(field('Program name'), ' II')
    app.answer('PUT /admin/programs/:id', () => problem(404, 'not-found', 'Program not found'))
    app.emit('catalog:changed', {
      kind: 'program-removed',
      programId: saved._id,
      removedAt: '2026-11-21T10:00:00.000Z',
    })
    await app.user.click(screen.getByRole('button', { name: 'Update Program' }))
    await screen.findByText('Failed to save program')
    expect(screen.getByText('Program not found')).toBeDefined()
    expect(field('Program name').value).toBe('Data Science II')
  })
})
