import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf } from '../../testing/fake-catalog.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

type Case = { readonly search?: string; readonly role?: 'student' | 'faculty' }

/** The learner is enrolled in the first `enrolled` of `programs` programs. */
const open = async (programs: number, enrolled: number, { search = '', role = 'student' }: Case = {}) => {
  const catalog = fakeCatalog(Array.from({ length: programs }, (_, n) => aProgram(n + 1)))
  for (let n = enrolled; n >= 1; n--) catalog.enroll(programIdOf(n))
  app = await openApp({ path: `/my-program${search}`, user: aUser({ role }), answers: catalogAnswers(catalog) })
}

const namesIn = (label: string) =>
  within(screen.getByRole('region', { name: label }))
    .queryAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent)
const field = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search programs' })
const count = () => within(screen.getByRole('search')).getByRole('status').textContent

describe('the My Programs page with many programs', () => {
  afterEach(() => app.close())

  it('offers a search from twelve programs on, and ignores the query of the address below', async () => {
    await open(11, 1, { search: '?q=nothing' })
    await screen.findByRole('link', { name: /Minor 11/ })
    expect(screen.queryByRole('searchbox')).toBeNull()
    await app.close()
    await open(12, 1)
    expect(await field()).toBeDefined()
    expect(count()).toBe('12 programs')
  })

  it('finds programs by name and code in both lists, keeps the query in the address, and shows all again from an empty answer', async () => {
    await open(24, 10)
    await app.fill(await field(), 'MINOR 1')
    await waitFor(() => expect(count()).toBe('12 of 24 programs'))
    expect(namesIn('Enrolled programs')).toEqual(['Minor 1', 'Minor 10'])
    expect(namesIn('Other Minor Programs')[0]).toBe('Minor 11')
    expect(window.location.search).toBe('?q=MINOR+1')
    await app.fill(await field(), 'min-23')
    await waitFor(() => expect(count()).toBe('1 of 24 programs'))
    expect(screen.queryByRole('region', { name: 'Enrolled programs' })).toBeNull()
    expect(namesIn('Other Minor Programs')).toEqual(['Minor 23'])

    await app.fill(await field(), 'robotics')
    await screen.findByText('No program matches “robotics”.')
    await app.user.click(screen.getByRole('button', { name: 'Show all programs' }))
    await waitFor(() => expect(count()).toBe('24 programs'))
    expect(namesIn('Other Minor Programs')).toHaveLength(14)
  })

  it('[P-8 P-9] shows rows with the progress, or code, semesters and fee, instead of cards from eight programs on', async () => {
    await open(16, 8)
    const row = await screen.findByRole('link', { name: /Minor 8/ })
    expect(row.getAttribute('href')).toBe(`/program-details-active/${programIdOf(8)}`)
    expect(within(row).getByRole('progressbar', { name: 'Semester 1' }).getAttribute('aria-valuenow')).toBe('33')
    expect(screen.getAllByText('Sample values: progress is not recorded yet.')).toHaveLength(1)
    expect(screen.queryByText('Sample value: progress is not recorded yet.')).toBeNull()

    const other = screen.getByRole('link', { name: /Minor 16/ })
    expect(other.getAttribute('href')).toBe(`/program-details-inactives/${programIdOf(16)}`)
    expect(within(other).getByText('MIN-16 · 3 semesters')).toBeDefined()
    expect(within(other).getByText('₹45,000')).toBeDefined()
  })

  it('lets faculty members search, too', async () => {
    await open(12, 0, { search: '?q=12', role: 'faculty' })
    await screen.findByRole('heading', { level: 1, name: 'Minor Programs' })
    await waitFor(() => expect(namesIn('Programs on offer')).toEqual(['Minor 12']))
  })
})
