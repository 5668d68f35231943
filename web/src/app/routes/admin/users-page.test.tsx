import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aPerson, programId, serveAudience, userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { UsersPage } from './users-page.tsx'
import { PersonPage } from './person-page.tsx'

const asha = aPerson(1, 'Asha Rao')
const kiran = aPerson(2, 'Kiran Das', { universityName: 'Dale University', emailVerified: false })
const meera = aPerson(3, 'Meera Sen', { role: 'admin', universityName: '', studentCode: '' })
const others = Array.from({ length: 60 }, (_, n) => aPerson(n + 4, `Learner ${String(n).padStart(2, '0')}`))

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  server = fakeServer()
  serveAudience(server, {
    people: [asha, kiran, meera, ...others],
    programs: [{ name: 'Data Science', members: [asha, kiran] }],
  })
  server.on(`GET /notifications/people/${asha.userId}`, () => ok({ person: asha, deliveries: [] }))
  server.on('GET /admin/invitations', () => ok({ invitations: [] }))
  clock = fakeClock()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (search = '') => {
  renderPages(
    { '/admin/dashboard/users': <UsersPage />, '/admin/people/:userId': <PersonPage /> },
    `/admin/dashboard/users${search}`,
  )
  await clock.flush()
}
const press = async (element: HTMLElement) => {
  await clock.user.click(element)
  await clock.flush()
}
const rows = () =>
  within(screen.getByRole('table', { name: 'People' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
const names = () => rows().map(([name]) => name)
const choose = async (kind: string, option: RegExp) => {
  await press(screen.getByRole('button', { name: new RegExp(`^${kind}`) }))
  await press(screen.getByRole('checkbox', { name: option }))
  await clock.user.keyboard('{Escape}')
  await clock.advance(500)
}

describe('the list of people', () => {
  it('[U-19] shows all users in pages of 50, with links to their pages, searches after a pause in typing, and filters', async () => {
    await open()
    expect(screen.getByText('63 people')).toBeDefined()
    expect(rows().slice(0, 3)).toEqual([
      ['Asha Rao', 'asha.rao@example.com', 'Student', 'Hill University', asha.studentCode],
      ['Kiran Das', 'kiran.das@example.comNot verified', 'Student', 'Dale University', kiran.studentCode],
      ['Meera Sen', 'meera.sen@example.com', 'Admin', '–', '–'],
    ])
    expect(rows()).toHaveLength(50)
    expect(screen.getByRole('link', { name: 'Asha Rao' }).getAttribute('href')).toBe(`/admin/people/${userId(1)}`)
    await press(screen.getByRole('button', { name: 'Next page' }))
    expect(rows()).toHaveLength(13)

    await clock.fill(screen.getByRole('searchbox', { name: 'Search people' }), 'das')
    await clock.advance(300)
    await clock.flush()
    expect(names()).toEqual(['Kiran Das'])
    expect(screen.getByText('1 person')).toBeDefined()
    await clock.fill(screen.getByRole('searchbox'), 'nobody')
    await clock.advance(300)
    await clock.flush()
    expect(screen.getByText('No one matches')).toBeDefined()
    await press(screen.getByRole('button', { name: 'Show all people' }))
    expect(rows()).toHaveLength(50)
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')

    await choose('Program', /Data Science/)
    expect(names()).toEqual(['Asha Rao', 'Kiran Das'])
    await choose('University', /Dale/)
    expect(names()).toEqual(['Kiran Das'])
    await press(screen.getByRole('button', { name: /^Remove.*Data Science/ }))
    expect(names()).toEqual(['Kiran Das'])
    await choose('Role', /Faculty/)
    expect(screen.getByText('No one matches')).toBeDefined()
  })

  it('restores the filter from the address, to which the page of a person leads back', async () => {
    await open(`?program=${programId(1)}&q=asha`)
    expect(names()).toEqual(['Asha Rao'])
    await press(screen.getByRole('link', { name: 'Asha Rao' }))
    await press(screen.getByRole('link', { name: 'Back to users' }))
    expect(names()).toEqual(['Asha Rao'])
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'asha')
  })

  it('shows why it could not be loaded, and tries again', async () => {
    server.on('POST /notifications/audience/people', () => problem(404, 'not-found', 'Program not found'))
    await open(`?program=${programId(9)}`)
    expect(screen.getByText('Failed to load people')).toBeDefined()
    expect(screen.getByText('Program not found')).toBeDefined()
    serveAudience(server, { people: [asha] })
    await press(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.queryByText('Failed to load people')).toBeNull()
  })
})
