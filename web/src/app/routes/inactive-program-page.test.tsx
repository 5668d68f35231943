import { factIdSchema } from '@portal/contracts/shared/ids'
import type { Program } from '@portal/contracts/catalog/program'
import { screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import {
  aProgram,
  catalogAnswers,
  fakeCatalog,
  programIdOf,
  toolIdOf,
  type FakeCatalog,
} from '../../testing/fake-catalog.ts'
import { aUser, problem, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
let catalog: FakeCatalog
const id = programIdOf(1)

const open = async (fields: Partial<Program> = {}, answers: Record<string, FakeHandler> = {}, user = aUser()) => {
  catalog = fakeCatalog([aProgram(1, fields)])
  app = await openApp({
    path: `/program-details-inactives/${id}`,
    user,
    answers: { ...catalogAnswers(catalog), ...answers },
  })
}

const rows = (section: BoundFunctions<typeof queries>) =>
  section.getAllByRole('term').map((term, i) => [term.textContent, section.getAllByRole('definition')[i]?.textContent])

describe('the page of a program without an enrollment', () => {
  afterEach(() => app.close())

  it('[G-17 P-3 P-4 P-19 P-20 P-91] shows the program, the statistic and the quotation', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Minor 1' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Program Details')
    expect(screen.getByText('What minor 1 is about.')).toBeDefined()
    expect(screen.getByText('80%')).toBeDefined()
    expect(screen.getByText('of emerging roles in India by 2026 will require CSE-related skills')).toBeDefined()
    expect(screen.getByText(/^It is not about man versus machine anymore\.\.\./)).toBeDefined()
    expect(within(screen.getByRole('region', { name: 'Faculty' })).getAllByRole('listitem')).toHaveLength(7)
    expect(rows(within(screen.getByRole('main')))).toContainEqual(['Duration', '3 semesters'])
    expect(screen.queryByRole('region', { name: 'Tools' })).toBeNull()
  })

  it('[P-22 P-44] shows the facts and tools of the program', async () => {
    const factId = (n: number) => factIdSchema.parse(`01930000-0000-7000-b000-00000000000${n}`)
    await open({
      facts: [
        { _id: factId(1), content: 'credits in three semesters', highlight: '18', imageUrl: '' },
        { _id: factId(2), content: 'three days on campus', highlight: '', imageUrl: '/media/campus.jpg' },
      ],
      toolkit: [{ _id: toolIdOf(1), name: 'Git', logoUrl: '/media/tools/git.svg' }],
    })
    const plain = (await screen.findByText('credits in three semesters')).closest('li')
    expect(plain?.textContent).toBe('18credits in three semesters')
    expect(plain?.querySelector('img')).toBeNull()
    const pictured = screen.getByText('three days on campus').closest('li')
    expect(pictured?.textContent).toBe('three days on campus')
    expect(pictured?.querySelector('img')?.getAttribute('src')).toBe('/media/campus.jpg')
    const section = within(await screen.findByRole('region', { name: 'Tools' }))
    expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Git'])
  })

  it('[P-21 P-25] shows the registration fee and the default fees of semesters, unless there is only a total', async () => {
    await open({ semesters: [{ fee: '' }, { fee: '15500' }], enrollmentDetails: { fee: '1500' } })
    const section = within(await screen.findByRole('region', { name: 'Course Fee' }))
    expect(section.getByText('₹1000')).toBeDefined()
    expect(rows(section)).toEqual([
      ['Semester 1', '₹14,000'],
      ['Semester 2', '₹15,500'],
      ['Semester 3', '₹15,000'],
      ['Total fee', '₹45,000'],
    ])
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    app.emit('catalog:changed', catalog.save(aProgram(1, { semesters: [] })))
    await waitFor(() => expect(rows(section)).toEqual([['Total fee', '₹45,000']]))
  })

  it('[G-15 P-23] leads from a button with the registration fee, or the default, to the payment', async () => {
    await open({ enrollmentDetails: { fee: '1000' } })
    await screen.findByRole('link', { name: 'Pay ₹1,000 & Register Now' })
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    for (const [fee, text] of [
      ['₹1,500', 'Pay ₹1,500 & Register Now'],
      ['', 'Pay ₹1,000 & Register Now'],
    ] as const) {
      app.emit('catalog:changed', catalog.save(aProgram(1, { enrollmentDetails: { fee } })))
      await screen.findByRole('link', { name: text })
    }
    await app.user.click(screen.getByRole('link', { name: /^Pay/ }))
    await screen.findByRole('heading', { name: 'Book your Seat' })
    expect(window.location.pathname).toBe('/payment')
    expect(window.history.state).toMatchObject({ usr: { registration: true, _id: id } })
  })

  it('[G-46] shows faculty members everything, and says that they cannot register', async () => {
    await open({}, {}, aUser({ role: 'faculty' }))
    await screen.findByRole('heading', { name: 'Minor 1' })
    expect(screen.getByText('Only learners can enroll in programs')).toBeDefined()
    expect(screen.queryByRole('link', { name: /Register Now/ })).toBeNull()
  })

  it('redirects an enrolled learner to the page of the enrolled program', async () => {
    await open()
    await screen.findByRole('link', { name: /Register Now/ })
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    app.emit('enrollment:changed', catalog.enroll(id))
    await screen.findByRole('button', { name: 'Continue Learning' })
    expect(window.location.pathname).toBe(`/program-details-active/${id}`)
  })

  it('[P-77] says that the program does not exist once it is removed while open', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Minor 1' })
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    app.emit('catalog:changed', catalog.remove(id))
    await screen.findByText('Program not found')
    expect(screen.queryByRole('link', { name: /Register Now/ })).toBeNull()
  })

  it('shows the program even if the enrollments cannot be loaded', async () => {
    await open({}, { 'GET /user/my-programs': () => problem(503, 'unavailable', 'Not now') })
    expect(await screen.findByRole('link', { name: /Register Now/ })).toBeDefined()
  })

  it('shows an error if it cannot be loaded, and treats an invalid id as a program that does not exist', async () => {
    await open({}, { 'GET /programs/:id': () => problem(500, 'internal', '') })
    expect(await screen.findByText('Failed to load program details')).toBeDefined()
    app.answer('GET /programs/:id', () => problem(400, 'invalid', 'Program not found'))
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Program not found')).toBeDefined()
  })
})
