import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf, type FakeCatalog } from '../../testing/fake-catalog.ts'
import { aUser, problem, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
let catalog: FakeCatalog

const broken = () => problem(500, 'internal', 'Broken')

const open = async (
  programs: number,
  enrolled: readonly number[] = [],
  answers: Record<string, FakeHandler> = {},
  user = aUser(),
) => {
  catalog = fakeCatalog(Array.from({ length: programs }, (_, n) => aProgram(n + 1)))
  for (const n of enrolled) catalog.enroll(programIdOf(n))
  app = await openApp({ path: '/my-program', user, answers: { ...catalogAnswers(catalog), ...answers } })
}

const namesIn = (label: string) =>
  within(screen.getByRole('region', { name: label }))
    .queryAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent)
const enrolledNames = () => namesIn('Enrolled programs')
const otherNames = () => namesIn('Other Minor Programs')
const isConnected = () => waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))

describe('the My Programs page', () => {
  afterEach(() => app.close())

  it('[G-10 P-1 P-5 P-7 P-8 P-9 P-90] shows the enrolled programs on top and the others below, on cards that are one link', async () => {
    await open(3, [2])
    await waitFor(() => expect(enrolledNames()).toEqual(['Minor 2']))
    const card = screen.getByRole('link', { name: /Minor 1/ })
    expect(card.getAttribute('href')).toBe(`/program-details-inactives/${programIdOf(1)}`)
    for (const text of ['MIN-1', 'Minor 1', '3 semesters', '₹45,000'])
      expect(within(card).getByText(text)).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('My Programs')
    expect(otherNames()).toEqual(['Minor 1', 'Minor 3'])
    const enrolledCard = screen.getByRole('link', { name: /Minor 2/ })
    expect(enrolledCard.getAttribute('href')).toBe(`/program-details-active/${programIdOf(2)}`)
    const progress = within(enrolledCard).getByRole('progressbar', { name: 'Semester 1' })
    expect(progress.getAttribute('aria-valuenow')).toBe('33')
    expect(within(enrolledCard).getByText('Sample value: progress is not recorded yet.')).toBeDefined()
  })

  it('[P-6 P-73] shows texts for no enrollments and no programs, and names the language of a program in Devanagari', async () => {
    await open(0)
    await screen.findByText('You are not enrolled in any program yet')
    await screen.findByText('No programs available at the moment.')
    expect(screen.queryByRole('button', { name: 'Choose your Minor' })).toBeNull()

    await isConnected()
    for (const [n, programName] of ['डेटा विज्ञान', 'Data Science'].entries())
      app.emit('catalog:changed', catalog.save(aProgram(n + 1, { programName })))
    await waitFor(() => expect(otherNames()).toHaveLength(2))
    const languages = screen.getAllByRole('heading', { level: 3 }).map(({ lang, textContent }) => [textContent, lang])
    expect(languages.toSorted()).toEqual([
      ['Data Science', ''],
      ['डेटा विज्ञान', 'hi'],
    ])
  })

  it('leads a learner without a program to the list', async () => {
    await open(1)
    await app.user.click(await screen.findByRole('button', { name: 'Choose your Minor' }))
    expect(document.activeElement?.textContent).toBe('Other Minor Programs')
  })

  it('shows faculty members the programs, says that only learners enroll, and requests no enrollments', async () => {
    await open(2, [], {}, aUser({ role: 'faculty' }))
    await waitFor(() => expect(namesIn('Programs on offer')).toEqual(['Minor 1', 'Minor 2']))
    expect(screen.getByText('Only learners can enroll in programs.')).toBeDefined()
    expect(screen.queryByText('You are not enrolled in any program yet')).toBeNull()
    await app.user.click(screen.getByRole('link', { name: /Minor 1/ }))
    await screen.findByRole('heading', { level: 1, name: 'Program Details' })
    await screen.findByText('Only learners can enroll in programs')
    expect(app.requests.filter(({ path }) => path.startsWith('/user/my-programs'))).toEqual([])
  })

  it('[P-57 P-72] shows an error with a retry if the programs cannot be loaded', async () => {
    let isBroken = true
    await open(2, [1], {
      'GET /allprograms': () => (isBroken ? broken() : { status: 200, body: catalog.programs() }),
    })
    await screen.findByText('Error loading programs')
    expect(screen.getByText('Please try again later')).toBeDefined()
    expect(enrolledNames()).toEqual(['Minor 1'])
    isBroken = false
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(otherNames()).toEqual(['Minor 2']))
  })

  it('[P-74] shows an error if the enrollments cannot be loaded, and the programs', async () => {
    await open(2, [], { 'GET /user/my-programs': broken })
    await screen.findByText('Failed to load programs')
    await waitFor(() => expect(otherNames()).toEqual(['Minor 1', 'Minor 2']))
  })

  it('[P-75] follows changes of the catalog, marks a withdrawn program, catches up after a reconnect, and ignores an invalid message', async () => {
    await open(2, [1])
    await isConnected()
    await waitFor(() => expect(otherNames()).toEqual(['Minor 2']))
    app.emit('catalog:changed', catalog.save(aProgram(3)))
    await waitFor(() => expect(otherNames()).toEqual(['Minor 2', 'Minor 3']))
    app.emit('catalog:changed', catalog.save(aProgram(1, { programName: 'Renamed' })))
    await waitFor(() => expect(enrolledNames()).toEqual(['Renamed']))
    app.emit('catalog:changed', catalog.remove(programIdOf(2)))
    await waitFor(() => expect(otherNames()).toEqual(['Minor 3']))
    app.emit('enrollment:changed', catalog.enroll(programIdOf(3)))
    await waitFor(() => expect(enrolledNames()).toEqual(['Minor 3', 'Renamed']))
    await screen.findByText('No programs found. Please check back later.')

    app.emit('catalog:changed', catalog.remove(programIdOf(1)))
    const card = await screen.findByRole('link', { name: /Withdrawn/ })
    expect(card.getAttribute('href')).toBe(`/program-details-active/${programIdOf(1)}`)
    catalog.save(aProgram(4))
    app.dropConnections()
    await waitFor(() => expect(otherNames()).toEqual(['Minor 4']))

    const complaint = vi.spyOn(console, 'error').mockReturnValue()
    app.emit('catalog:changed', JSON.parse('{"kind":"program-saved","program":{}}'))
    await waitFor(() =>
      expect(complaint).toHaveBeenCalledWith('Unexpected message about the catalog', expect.anything()),
    )
    complaint.mockRestore()
    app.emit('catalog:changed', catalog.save(aProgram(5)))
    await waitFor(() => expect(otherNames()).toEqual(['Minor 4', 'Minor 5']))
  })
})
