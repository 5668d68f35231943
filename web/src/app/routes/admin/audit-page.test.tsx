import type { AuditRow } from '@portal/contracts/notifications/audit'
import { paginationOf } from '@portal/contracts/shared/page'
import { notificationIdSchema, universityIdSchema } from '@portal/contracts/shared/ids'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aPerson, programId, serveAudience, userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { AuditPage } from './audit-page.tsx'

const asha = aPerson(1, 'Asha Rao')
const rowAt = (n: number, facts: Partial<AuditRow>): AuditRow => ({
  id: String(n),
  at: '2026-11-21T09:05:00.000Z',
  kind: 'programs',
  says: `Action ${n}`,
  ...facts,
})
const rows: readonly AuditRow[] = [
  rowAt(1, { says: 'Asha Rao changed the program Data', object: { kind: 'program', id: programId(1) } }),
  rowAt(2, { says: 'Asha Rao removed the program Data', requestId: 'request-7' }),
  rowAt(3, {
    kind: 'notifications',
    says: 'Asha Rao recalled a notification',
    reason: 'Wrong list',
    object: { kind: 'notification', id: notificationIdSchema.parse(userId(30)) },
  }),
  rowAt(4, { kind: 'accounts', says: 'Asha Rao made Kiran Das an admin', object: { kind: 'person', id: userId(2) } }),
  rowAt(5, {
    kind: 'universities',
    says: 'Asha Rao added the university East',
    object: { kind: 'university', id: universityIdSchema.parse(userId(40)) },
  }),
  rowAt(6, { kind: 'operations', says: 'root made a backup' }),
  rowAt(7, { kind: 'enrollments', says: 'Asha Rao confirmed a payment of Kiran Das in Data', reference: 'UTR 17' }),
]

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

/** Answers with rows of the wanted kind. */
const serveRows = (all: readonly AuditRow[]) =>
  server.on('GET /admin/audit', ({ query }) => {
    const kind = query.get('kind')
    const page = Number(query.get('page') ?? 1)
    const found = all.filter((row) => kind === null || row.kind === kind)
    return ok({
      rows: found.slice((page - 1) * 50, page * 50),
      pagination: paginationOf({ page, limit: 50 }, found.length),
    })
  })

beforeEach(() => {
  server = fakeServer()
  serveAudience(server, { people: [asha] })
  serveRows(rows)
  server.on(`GET /notifications/people/${asha.userId}`, () => ok({ person: asha, deliveries: [] }))
  clock = fakeClock()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (search = '') => {
  renderPages({ '/admin/dashboard/audit': <AuditPage /> }, `/admin/dashboard/audit${search}`)
  await clock.flush()
}
const press = async (element: HTMLElement) => {
  await clock.user.click(element)
  await clock.flush()
}
const list = () => within(screen.getByRole('list', { name: 'Actions' }))
const asked = () => server.requestsTo('GET /admin/audit').at(-1)?.query.toString()

describe('who did what', () => {
  it('[D-14] says each action in a sentence, leads to its object, and has nothing to edit', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Who did what' })).toBeDefined()
    expect(
      list()
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Asha Rao changed the program Data', `/admin/programs/edit/${programId(1)}`],
      ['Asha Rao removed the program Data', '/admin/programs'],
      ['Asha Rao recalled a notification', `/admin/notifications/${userId(30)}`],
      ['Asha Rao made Kiran Das an admin', `/admin/people/${userId(2)}`],
      ['Asha Rao added the university East', '/admin/universities'],
    ])
    const texts = list()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(texts[1]).toContain('Request request-7')
    expect(texts[2]).toContain('Reason: Wrong list')
    expect(texts[5]).toContain('root made a backup')
    expect(texts[6]).toContain('Reference: UTR 17')
    expect(list().queryAllByRole('button')).toEqual([])
  })

  it('[D-14] is filtered by a person found by name, by kind and by day, with the filter in the address', async () => {
    await open()
    await clock.fill(screen.getByRole('searchbox', { name: 'Person' }), 'rao')
    await clock.advance(300)
    await press(screen.getByRole('button', { name: /Asha Rao/ }))
    expect(asked()).toBe(`who=${asha.userId}&page=1`)
    const clear = screen.getByRole('button', { name: 'Show everyone' })
    expect(document.activeElement).toBe(clear)
    await press(clear)
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Person' }))

    await press(screen.getByRole('combobox', { name: 'Kind' }))
    await press(screen.getByRole('option', { name: 'Commands of operators' }))
    await clock.advance(500)
    expect(list().getAllByRole('listitem')).toHaveLength(1)
    await clock.fill(screen.getByLabelText('From'), '2026-11-20')
    await clock.fill(screen.getByLabelText('To'), '2026-11-21')
    await clock.flush()
    expect(asked()).toBe('kind=operations&from=2026-11-20&to=2026-11-21&page=1')
  })

  it('[D-14] restores the filter and the page from the address, and exports what it shows', async () => {
    serveRows(Array.from({ length: 60 }, (_, n) => rowAt(n, {})))
    await open(`?who=${asha.userId}&kind=programs&from=yesterday&page=2`)
    expect(screen.getByText('Asha Rao')).toBeDefined()
    expect(asked()).toBe(`who=${asha.userId}&kind=programs&page=2`)
    expect(screen.getByText('Showing 51 to 60 of 60 actions')).toBeDefined()
    server.on('GET /admin/audit.csv', () => problem(500, 'internal', 'Something went wrong'))
    await press(screen.getByRole('button', { name: 'Export CSV' }))
    expect(server.requestsTo('GET /admin/audit.csv').at(-1)?.query.toString()).toBe(`who=${asha.userId}&kind=programs`)
    expect(screen.getByText('Something went wrong')).toBeDefined()
  })

  it('shows that there is nothing, that nothing matches, and why it could not be loaded', async () => {
    serveRows([])
    await open()
    expect(screen.getByText('Nothing yet')).toBeDefined()
    cleanup()
    await open('?kind=exports')
    expect(screen.getByText('Nothing matches')).toBeDefined()
    serveRows(rows)
    await press(screen.getByRole('button', { name: 'Show all actions' }))
    expect(list().getAllByRole('listitem')).toHaveLength(rows.length)
    cleanup()
    server.on('GET /admin/audit', () => problem(503, 'unavailable', 'The list is not available'))
    await open()
    expect(screen.getByText('Failed to load who did what')).toBeDefined()
    expect(screen.getByText('The list is not available')).toBeDefined()
    serveRows(rows)
    await press(screen.getByRole('button', { name: 'Try again' }))
    expect(list().getAllByRole('listitem')).toHaveLength(rows.length)
  })
})
