import { screen, waitFor, within } from '@testing-library/react'
import type { DeletedProgram } from '@portal/contracts/catalog/deleted-programs'
import type { Program } from '@portal/contracts/catalog/program'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { programIdOf } from '../../../testing/fake-catalog.ts'
import { aProgram } from '../../../features/programs/admin/testing/programs.ts'
import { exactTime } from '../../../ui/time.tsx'

let app: OpenApp

const admin = aUser({ role: 'admin' })
const otherAdmin = userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb')
const hourMs = 3_600_000

type Deletion = { readonly agoMs?: number; readonly by?: typeof otherAdmin }

const deletionOf = (program: Program, { agoMs = 60_000, by = admin._id }: Deletion = {}): DeletedProgram => {
  const atMs = Date.now() - agoMs
  return {
    _id: program._id,
    programId: program.programId,
    programName: program.programName,
    deletedAt: new Date(atMs).toISOString(),
    deletedBy: by,
    restorableUntil: new Date(atMs + 24 * hourMs).toISOString(),
  }
}

const [analytics, science] = [
  aProgram(1, { programName: 'Business Analytics', programId: 'BA-26' }),
  aProgram(2, { programName: 'Data Science', programId: 'DS-26' }),
]

/** A portal with one program, and others that were deleted. */
const open = async (given: readonly DeletedProgram[], answers: Record<string, FakeHandler> = {}) => {
  let programs: readonly Program[] = [analytics]
  let deleted = given
  const isFor = (path: string) => (program: { readonly _id: string }) => path.includes(program._id)
  app = await openApp({
    path: '/admin/programs',
    user: admin,
    answers: {
      'GET /admin/programs': () => ok({ data: programs }),
      'GET /admin/programs/deleted': () => ok({ data: deleted }),
      'GET /notifications/audience/choices': () => problem(503, 'unavailable', 'Busy'),
      'GET /notifications/people/:id': () => problem(404, 'not-found', 'User not found'),
      'DELETE /admin/programs/:id': ({ path }) => {
        deleted = [...programs.filter(isFor(path)).map((program) => deletionOf(program)), ...deleted]
        programs = programs.filter((program) => !isFor(path)(program))
        return ok({})
      },
      'POST /admin/programs/:id/restore': ({ path }) => {
        const restored = [analytics, science].filter(isFor(path))
        programs = [...programs, ...restored]
        deleted = deleted.filter((program) => !isFor(path)(program))
        return ok({ data: restored[0] })
      },
      ...answers,
    },
  })
  return {
    /** Another admin deletes or restores. */
    change: (next: readonly DeletedProgram[]) => {
      deleted = next
    },
  }
}

/** Name and code. The link to the learners follows. */
const names = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')[0]
        ?.textContent?.replace(/Learners .*/, ''),
    )
const entry = (count: number) => screen.findByRole('button', { name: `Recently deleted (${count})` })
const openList = async (count = 1) => {
  await app.user.click(await entry(count))
  return within(await screen.findByRole('dialog', { name: 'Recently deleted' }))
}
const itemsOf = (list: Awaited<ReturnType<typeof openList>>) =>
  list.queryAllByRole('listitem').map(({ textContent }) => textContent)

describe('recently deleted programs', () => {
  afterEach(async () => {
    await app.close()
    vi.restoreAllMocks()
  })

  it('[P-93] are listed with code, time, admin and the hours left', async () => {
    const person = { userId: otherAdmin, fullName: 'Asha Rao', personalEmail: 'asha@example.com', role: 'admin' }
    const others = { universityName: '', studentCode: '', emailVerified: true }
    const given = [deletionOf(science), deletionOf(aProgram(3), { agoMs: 22.5 * hourMs, by: otherAdmin })]
    await open(given, {
      'GET /notifications/people/:id': () => ok({ person: { ...person, ...others }, deliveries: [] }),
    })
    const list = await openList(2)
    const [first, second] = given.map(({ deletedAt }) => exactTime(deletedAt))
    await waitFor(() =>
      expect(itemsOf(list)).toEqual([
        `Data ScienceDS-26 • 23 hours leftDeleted ${first} by youRestore Data Science`,
        `Minor 3MIN-3 • 1 hour leftDeleted ${second} by Asha RaoRestore Minor 3`,
      ]),
    )
  })

  it('say so if the account of the admin was deleted, and nothing of an admin who is unknown', async () => {
    const { deletedBy: _, ...unknown } = deletionOf(aProgram(3))
    await open([deletionOf(science, { by: otherAdmin }), unknown])
    const list = await openList(2)
    await list.findByText('by a deleted account')
    expect(itemsOf(list)[1]).toContain(`Deleted ${exactTime(unknown.deletedAt)}Restore`)
  })

  it('are not mentioned if there are none, if their time is over, or if they cannot be loaded', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    await open([deletionOf(science, { agoMs: 24.1 * hourMs })])
    await screen.findByRole('table', { name: 'Programs' })
    await waitFor(() => expect(app.requests.some(({ path }) => path === '/admin/programs/deleted')).toBe(true))
    expect(screen.queryByText(/Recently deleted/)).toBeNull()
    await app.close()
    await open([], { 'GET /admin/programs/deleted': () => problem(503, 'unavailable', 'Busy') })
    await screen.findByRole('table', { name: 'Programs' })
    await waitFor(() => expect(logged).toHaveBeenCalledWith('Loading deleted programs failed', 'Busy'))
    expect(screen.queryByText(/Recently deleted/)).toBeNull()
  })

  it('[P-93] come back to the list with Restore', async () => {
    await open([deletionOf(science)])
    const list = await openList()
    await app.user.click(list.getByRole('button', { name: 'Restore Data Science' }))
    await screen.findByText('Data Science restored')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(names()).toEqual(['Data ScienceDS-26', 'Business AnalyticsBA-26'])
    await waitFor(() => expect(screen.queryByText(/Recently deleted/)).toBeNull())
    expect(document.activeElement?.contains(screen.getByRole('table'))).toBe(true)
  })

  it.each([
    [problem(409, 'conflict', 'Another program has this Program ID now.'), 'Another program has this Program ID now.'],
    [problem(503, 'unavailable', 'Busy'), 'Failed to restore program. Please try again.'],
  ])('[P-94] stay in the list if they cannot be restored, which says why: %#', async (answer, text) => {
    await open([deletionOf(science)], { 'POST /admin/programs/:id/restore': () => answer })
    const list = await openList()
    await app.user.click(list.getByRole('button', { name: 'Restore Data Science' }))
    expect((await list.findByRole('alert')).textContent).toBe(text)
    await app.user.click(list.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(names()).toEqual(['Business AnalyticsBA-26']))
    expect((await openList()).queryByRole('alert')).toBeNull()
  })

  it('[P-93] come back with Undo, right after the deletion', async () => {
    await open([])
    await app.user.click(await screen.findByRole('button', { name: 'Delete Business Analytics' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await screen.findByText('It can be restored for 24 hours.')
    await entry(1)
    await app.user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('Business Analytics restored')
    expect(names()).toEqual(['Business AnalyticsBA-26'])
    await waitFor(() => expect(screen.queryByText(/Recently deleted/)).toBeNull())
  })

  it('[P-94] stay deleted if Undo fails, which a toast says', async () => {
    await open([], { 'POST /admin/programs/:id/restore': () => problem(503, 'unavailable', 'Busy') })
    await app.user.click(await screen.findByRole('button', { name: 'Delete Business Analytics' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await app.user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to restore program. Please try again.')
    expect(screen.getByText('No Programs Found')).toBeDefined()
  })

  it('follow deletions and restorations of other admins, also in the open list', async () => {
    const { change } = await open([deletionOf(science)])
    await waitFor(() => expect(app.visibility).toHaveLength(1))
    const list = await openList()
    change([deletionOf(aProgram(3)), deletionOf(science)])
    app.emit('catalog:changed', {
      kind: 'program-removed',
      programId: programIdOf(3),
      removedAt: new Date().toISOString(),
    })
    await list.findByRole('button', { name: 'Restore Minor 3' })
    change([])
    for (const program of [science, aProgram(3)]) app.emit('catalog:changed', { kind: 'program-saved', program })
    await list.findByText('There is no program to restore.')
    expect(list.queryAllByRole('listitem')).toEqual([])
  })
})
