import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Program } from '@portal/contracts/catalog/program'
import { afterEach, describe, expect, it } from 'vitest'
import {
  aProgram,
  catalogAnswers,
  fakeCatalog,
  programIdOf,
  toolIdOf,
  type FakeCatalog,
} from '../../testing/fake-catalog.ts'
import { aUser, problem, type FakeAnswer, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { insertAllStyles } from '../../testing/styles.tsx'

let app: OpenApp
let catalog: FakeCatalog
const id = programIdOf(1)

const open = async (fields: Partial<Program> = {}, answers: Record<string, FakeHandler> = {}, isEnrolled = true) => {
  catalog = fakeCatalog([aProgram(1, fields)])
  if (isEnrolled) catalog.enroll(id)
  app = await openApp({
    path: `/program-details-active/${id}`,
    user: aUser(),
    answers: { ...catalogAnswers(catalog), ...answers },
  })
}

const feeRows = () => {
  const section = within(screen.getByRole('region', { name: 'Course Fee' }))
  return section
    .getAllByRole('term')
    .map((term, i) => [term.textContent, section.getAllByRole('definition')[i]?.textContent])
}

describe('the page of an enrolled program', () => {
  afterEach(() => app.close())

  it('[G-16 P-10 P-11 P-12 P-15 P-16 P-24 P-61 P-90] shows the program, the progress, and the seven faculty members of one institute', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Minor 1' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Program Details')
    for (const text of ['MIN-1', 'What minor 1 is about.', '3 Semester', 'Online'])
      expect(screen.getByText(text)).toBeDefined()
    for (const name of ['Overall progress', 'Semester 1'])
      expect(screen.getByRole('progressbar', { name }).getAttribute('aria-valuenow')).toBe('68')
    expect(screen.getByRole('link', { name: 'Back to My Programs' }).getAttribute('href')).toBe('/my-program')
    expect(screen.getByText('Sample values: progress is not recorded yet.')).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Continue Learning' }))
    expect(await screen.findByText('Lessons open when the semester starts')).toBeDefined()
    expect(window.location.pathname).toBe(`/program-details-active/${id}`)

    const section = within(await screen.findByRole('region', { name: 'Faculty' }))
    const members = section.getAllByRole('listitem')
    expect(members).toHaveLength(7)
    for (const member of members) expect(member.querySelector('svg')).not.toBeNull()
    expect(section.getAllByText('Technical Institute')).toHaveLength(7)
    for (const [name, designation] of [
      ['Dr. Meera Krishnan', 'Professor, Artificial Intelligence'],
      ['Dr. Arvind Rao', 'Professor, Computer Science'],
      ['Dr. Kavita Deshmukh', 'Associate Professor, Machine Learning'],
      ['Dr. Sameer Qureshi', 'Associate Professor, Databases'],
      ['Dr. Nandini Sen', 'Assistant Professor, Statistics'],
      ['Dr. Joseph Mathew', 'Professor, Business Analytics'],
      ['Dr. Ritu Baruah', 'Assistant Professor, Distributed Systems'],
    ] as const) {
      const member = members.find(({ textContent }) => textContent.includes(name))
      expect([name, member?.textContent.includes(designation)]).toEqual([name, true])
    }
  })

  it('[P-13 P-25 Y-1] shows the registration fee as paid, and the fee of each semester or its default', async () => {
    await open({ semesterCount: 3, semesters: [{ fee: '16000' }, { fee: '' }], enrollmentDetails: { fee: '1500' } })
    await screen.findByText('Registration fee')
    expect(screen.getByText('Registration fee').parentElement?.textContent).toBe('Registration feePaid')
    expect(screen.queryByText(/is next:/)).toBeNull()
    expect(screen.getByText('Sample value: registration fees are not recorded.')).toBeDefined()
    expect(feeRows()).toEqual([
      ['Semester 1', '₹16,000'],
      ['Semester 2', '₹15,000'],
      ['Semester 3', '₹15,000'],
      ['Total fee', '₹45,000'],
    ])
  })

  it('[P-14 P-43] shows the tools in a grid, with the first letter of the name instead of a broken logo', async () => {
    insertAllStyles()
    const tools = ['python', 'Git'].map((name, n) => ({ _id: toolIdOf(n), name, logoUrl: `/media/tools/${name}.svg` }))
    await open({ toolkit: tools })
    const section = within(await screen.findByRole('region', { name: 'Tools' }))
    expect(getComputedStyle(section.getByRole('list')).display).toBe('grid')
    const [first] = section.getAllByRole('listitem')
    const picture = first?.querySelector('img')
    expect(picture?.getAttribute('src')).toBe('/media/tools/python.svg')
    expect(picture?.getAttribute('referrerpolicy')).toBe('no-referrer')
    fireEvent.error(picture ?? document.body)
    await waitFor(() => expect(first?.textContent).toBe('Ppython'))
    expect(section.getAllByRole('listitem')[1]?.querySelector('img')).not.toBeNull()
  })

  it('follows changes of the program, and keeps its last version once it is withdrawn', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Minor 1' })
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    app.emit('catalog:changed', catalog.save(aProgram(1, { programName: 'Renamed', semesterCount: 4 })))
    await screen.findByRole('heading', { name: 'Renamed' })
    expect(screen.getByText('4 Semester')).toBeDefined()
    app.emit('catalog:changed', catalog.remove(id))
    await screen.findByText('Withdrawn')
    expect(screen.getByRole('heading', { name: 'Renamed' })).toBeDefined()
  })

  it('shows a program that was withdrawn before', async () => {
    catalog = fakeCatalog([aProgram(1)])
    catalog.enroll(id)
    catalog.remove(id)
    app = await openApp({ path: `/program-details-active/${id}`, user: aUser(), answers: catalogAnswers(catalog) })
    await screen.findByText('Withdrawn')
    expect(screen.getByRole('heading', { name: 'Minor 1' })).toBeDefined()
  })

  it('redirects a learner who is not enrolled to the public page of the program', async () => {
    await open({}, {}, false)
    await screen.findByRole('link', { name: /Register Now/ })
    expect(window.location.pathname).toBe(`/program-details-inactives/${id}`)
  })

  it('[P-18 P-47 P-77] says that a program does not exist, also while it asks again after a reconnect', async () => {
    await open({}, { 'GET /user/programs/:id': () => problem(404, 'not-found', 'Program not found') })
    await screen.findByText('Program not found')
    expect(screen.getByRole('link', { name: 'My Programs' }).getAttribute('href')).toBe('/my-program')
    await waitFor(() => expect(app.openConnections()).toHaveLength(1))
    const never = new Promise<FakeAnswer>(() => undefined)
    const asked = new Promise<void>((resolve) => {
      app.answer('GET /user/programs/:id', () => {
        resolve()
        return never
      })
    })
    app.dropConnections()
    await asked
    expect(await screen.findByRole('link', { name: 'My Programs' })).toBeDefined()
    expect(screen.queryByText('Loading program details...')).toBeNull()
  })

  it('[P-17 P-18 P-47 P-76] shows a loading text, and an error with a retry if it cannot be loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<FakeAnswer>()
    await open({}, { 'GET /user/programs/:id': () => promise })
    await screen.findByText('Loading program details...')
    resolve(problem(503, 'unavailable', 'The catalog rests'))
    await screen.findByText('The catalog rests')
    app.answer('GET /user/programs/:id', () => problem(503, 'unavailable', ''))
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Failed to load program details')
    app.answer('GET /user/programs/:id', catalogAnswers(catalog)['GET /user/programs/:id'])
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Minor 1' })).toBeDefined()
  })
})
