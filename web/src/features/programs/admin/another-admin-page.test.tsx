import { screen, waitFor } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { aFact, aProgram, aTool } from './testing/programs.ts'

let app: OpenApp
let saved: Program

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** The form of a programme that two admins have open. */
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

const anotherSaves = (change: Partial<Program>) => {
  saved = { ...saved, ...change }
  app.tell('catalog:changed', { kind: 'program-saved', program: saved })
}

describe('the form of a programme that another admin edits, too', () => {
  afterEach(() => app.close())

  it('shows what the other saves, except in fields that were typed into, and its save undoes nothing', async () => {
    await edit({ semesters: [{ fee: '14000' }] })
    await app.user.clear(field('Fee'))
    await app.user.type(field('Fee'), '₹50,000')
    anotherSaves({
      programName: 'Data Science and ML',
      fee: '₹60,000',
      semesters: [{ fee: '15000' }],
      toolkit: [aTool(1), aTool(2)],
      facts: [aFact(1)],
    })
    await waitFor(() => expect(field('Program name').value).toBe('Data Science and ML'))
    expect(field('Semester 1 fee').value).toBe('15000')
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

  it('has nothing unsaved by what the other saves', async () => {
    await edit()
    anotherSaves({ programName: 'Data Science and ML' })
    await waitFor(() => expect(field('Program name').value).toBe('Data Science and ML'))
    await app.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await screen.findByRole('heading', { level: 1, name: 'Programs' })
  })

  it('keeps what was typed when the other deletes it; saving says that it is gone', async () => {
    await edit()
    await app.user.type(field('Program name'), ' II')
    app.answer('PUT /admin/programs/:id', () => problem(404, 'not-found', 'Program not found'))
    app.tell('catalog:changed', {
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
