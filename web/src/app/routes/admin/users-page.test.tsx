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
    deactivated: [kiran],
    programs: [{ name: 'Data Science', members: [asha, kiran] }],
  })
  server.on('GET /admin/invitations', () => ok({ data: [] }))
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
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
const names = () => rows().map(([name]) => name)
const choose = async (kind: string, option: RegExp) => {
  await press(
    within(screen.getByRole('group', { name: 'Filter' })).getByRole('button', { name: new RegExp(`^${kind}`) }),
  )
  await press(screen.getByRole('checkbox', { name: option }))
  await clock.user.keyboard('{Escape}')
  await clock.advance(500)
}

describe('the list of users', () => {
  it('[U-19] shows all users in pages of 50, with links to their pages, searches after a pause in typing, and filters', async () => {
    await open()
    expect(screen.getByText('63 users')).toBeDefined()
    expect(rows().slice(0, 3)).toEqual([
      ['Asha Rao', 'asha.rao@example.com', 'Student', 'Hill University', asha.studentCode, 'Jan 1, 2026'],
      [
        'Kiran DasDeactivated',
        'kiran.das@example.comNot verified',
        'Student',
        'Dale University',
        kiran.studentCode,
        'Jan 2, 2026',
      ],
      ['Meera Sen', 'meera.sen@example.com', 'Admin', '–', '–', 'Jan 3, 2026'],
    ])
    expect(rows()).toHaveLength(50)
    expect(screen.getByRole('link', { name: 'Asha Rao' }).getAttribute('href')).toBe(`/admin/people/${userId(1)}`)
    await press(screen.getByRole('button', { name: 'Next page' }))
    expect(rows()).toHaveLength(13)

    await clock.fill(screen.getByRole('searchbox', { name: 'Search users' }), 'das')
    await clock.advance(300)
    await clock.flush()
    expect(names()).toEqual(['Kiran DasDeactivated'])
    expect(screen.getByText('1 user')).toBeDefined()
    await clock.fill(screen.getByRole('searchbox'), 'nobody')
    await clock.advance(300)
    await clock.flush()
    expect(screen.getByText('No one matches')).toBeDefined()
    await press(screen.getByRole('button', { name: 'Show all users' }))
    expect(rows()).toHaveLength(50)
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')

    await choose('Program', /Data Science/)
    expect(names()).toEqual(['Asha Rao', 'Kiran DasDeactivated'])
    await choose('University', /Dale/)
    expect(names()).toEqual(['Kiran DasDeactivated'])
    await press(screen.getByRole('button', { name: /^Remove.*Data Science/ }))
    expect(names()).toEqual(['Kiran DasDeactivated'])
    await choose('State', /Active/)
    expect(screen.getByText('No one matches')).toBeDefined()
    await press(screen.getByRole('button', { name: 'Remove Dale University' }))
    expect(screen.getByText('62 users')).toBeDefined()
    await choose('Role', /Admin/)
    expect(names()).toEqual(['Meera Sen'])
  })

  it('[U-19] is sorted by its columns on the server, and exports what the filter selects in this order', async () => {
    await open('?page=2&state=active')
    const asked = () => server.requestsTo('GET /admin/people').at(-1)?.query.toString()
    expect(asked()).toBe('state=active&sort=name&page=2&limit=50')
    await press(screen.getByRole('button', { name: 'Name' }))
    expect(asked()).toBe('state=active&sort=-name&page=1&limit=50')
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
    expect(names()[0]).toBe('Learner 59')
    await press(screen.getByRole('button', { name: 'Registered' }))
    expect(asked()).toBe('state=active&sort=registered&page=1&limit=50')
    expect(screen.queryByRole('button', { name: 'Student code' })).toBeNull()

    const exported = 'GET /admin/people.csv'
    server.on(exported, () => problem(503, 'unavailable', 'The export is not available at the moment'))
    await press(screen.getByRole('button', { name: 'Export CSV' }))
    expect(server.requestsTo(exported).map(({ query }) => query.toString())).toEqual(['state=active&sort=registered'])
    expect(screen.getByText('The export is not available at the moment')).toBeDefined()
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
    server.on('GET /admin/people', () => problem(503, 'unavailable', 'The list is not available'))
    await open()
    expect(screen.getByText('Failed to load users')).toBeDefined()
    expect(screen.getByText('The list is not available')).toBeDefined()
    serveAudience(server, { people: [asha] })
    await press(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.queryByText('Failed to load users')).toBeNull()
  })
})
