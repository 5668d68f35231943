import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog } from '../../../testing/fake-catalog.ts'
import { aUser, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { desktopPx, phonePx, setWindowWidth } from '../../../testing/window-width.ts'

let app: OpenApp

const ai = aProgram(1, { programName: 'Minor in AI' })
const analytics = aProgram(2, { programName: 'Minor in business analytics' })
const withEnrollment = fakeCatalog([ai, analytics])
withEnrollment.enroll(ai._id)

const catalog: Readonly<Record<string, FakeHandler>> = {
  ...catalogAnswers(withEnrollment),
  'GET /api/universities': () => ({ status: 200, body: [] }),
}
const notNow = problem(500, 'internal', 'Not now')

/** `entry`: the state of the history entry; null on a first visit. */
const openHome = (options: Partial<Parameters<typeof openApp>[0]> = {}, entry: { key: string } | null = null) => {
  window.history.replaceState(entry, '')
  return openApp({ path: '/home', answers: catalog, ...options })
}
/** Delays the first paint of the page. Returns a function that triggers it. */
const delayFirstPaint = () => {
  const frames: FrameRequestCallback[] = []
  const request = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => frames.push(callback))
  return () => {
    request.mockRestore()
    for (const callback of frames) callback(performance.now())
  }
}
const card = (name: string) => screen.findByRole('link', { name: new RegExp(name) })
/** In the list of the landing page, below the learner's own programs. */
const landingCard = async (name: string) =>
  within(await screen.findByRole('region', { name: 'Choose your Minor' })).findByRole('link', {
    name: new RegExp(name),
  })
const path = () => window.location.pathname

afterEach(async () => {
  await app.close()
  setWindowWidth(desktopPx)
})

describe('a program card', () => {
  it('[H-22 P-71] links a visitor to the login page, without scrolling or a request for enrollments', async () => {
    app = await openHome()
    const link = await card('Minor in AI')
    const requested = app.requests.map((request) => request.path)
    expect(requested).toContain('/allprograms')
    expect(requested).not.toContain('/user/my-programs')
    // They are few.
    expect(screen.queryByRole('searchbox', { name: 'Search programs' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    await app.user.click(link)
    await waitFor(() => expect(path()).toBe('/login'))
  })

  it('[H-1 H-23 H-24] links a learner to the enrolled program, and to the public pages of the others', async () => {
    app = await openHome({ user: aUser(), path: '/home#about-minor' })
    const other = await landingCard('Minor in business analytics')
    expect(other.getAttribute('href')).toBe(`/program-details-inactives/${analytics._id}`)
    expect(screen.getByRole('navigation', { name: 'Main' })).not.toBeNull()
    await app.user.click(await landingCard('Minor in AI'))
    await waitFor(() => expect(path()).toBe(`/program-details-active/${ai._id}`))
  })
})

describe('many programs', () => {
  const many = Array.from({ length: 40 }, (_, n) => aProgram(n + 1, { programName: `Minor no. ${n + 1}` }))
  const cards = () => screen.getAllByRole('link', { name: /Minor no/ })
  const openMany = (entry?: { key: string }) =>
    openHome({ answers: { ...catalog, 'GET /allprograms': () => ({ status: 200, body: many }) } }, entry)

  it('start with eight, and continue at the ninth', async () => {
    app = await openMany()
    await card('Minor no. 8')
    expect(cards()).toHaveLength(8)
    await app.user.click(screen.getByRole('button', { name: 'Show all 40' }))
    await waitFor(() => expect(cards()).toHaveLength(40))
    expect(document.activeElement).toBe(cards()[8])
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    expect(window.location.search).toBe('?programs=all')
  })

  it('are found by the words of their name', async () => {
    app = await openMany()
    await app.user.type(await screen.findByRole('searchbox', { name: 'Search programs' }), '1 no')
    await screen.findByText('13 of 40 programs')
    expect(cards()).toHaveLength(8)
    await app.user.click(screen.getByRole('button', { name: 'Show all 13' }))
    await waitFor(() => expect(cards()).toHaveLength(13))
    await app.user.type(screen.getByRole('searchbox', { name: 'Search programs' }), 'x')
    await screen.findByText('No program matches “1 nox”.')
    await app.user.click(screen.getByRole('button', { name: 'Show all programs' }))
    await screen.findByText('40 programs')
  })
})

describe('the program list', () => {
  it('[H-5] is shown even if the enrollments fail to load', async () => {
    const answers = { ...catalog, 'GET /user/my-programs': () => notNow }
    app = await openHome({ user: aUser(), path: '/home#about-minor', answers })
    expect((await landingCard('Minor in AI')).getAttribute('href')).toBe(`/program-details-inactives/${ai._id}`)
  })

  it('[P-72 P-73] reserves its space, shows an error with a retry if it cannot be loaded, and a text if it is empty', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof notNow>()
    app = await openHome({ answers: { ...catalog, 'GET /allprograms': () => promise } })
    expect(await screen.findByRole('status', { name: 'Loading programs' })).not.toBeNull()
    resolve(notNow)
    await screen.findByText('Error loading programs')
    expect(screen.getByText('Please try again later')).not.toBeNull()
    app.answer('GET /allprograms', () => ({ status: 200, body: [] }))
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No programs available at the moment.')).not.toBeNull()
  })
})

describe('below the first screen', () => {
  const filled = () => [
    screen.queryByRole('region', { name: 'Key features' })?.querySelector('li'),
    screen.queryByRole('link', { name: /Minor in AI/ }),
    screen.queryByRole('region', { name: 'Students in their own words' }),
    screen.queryByRole('link', { name: 'minor@example.org' }),
    screen.queryByRole('searchbox', { name: 'Search the questions' }),
  ]
  const isWhole = () => filled().every((part) => part instanceof HTMLElement)

  it('renders nothing before the first paint, then every section with its title', async () => {
    const paint = delayFirstPaint()
    app = await openHome()
    await screen.findByRole('heading', { level: 1, name: 'Add a Minor to your degree.' })
    expect(within(screen.getByRole('main')).queryByRole('heading', { level: 2 })).toBeNull()
    expect(filled().every((part) => part === null || part === undefined)).toBe(true)
    expect(app.requests.map((request) => request.path)).not.toContain('/api/universities')

    paint()
    await screen.findByRole('heading', { level: 2, name: 'Frequently asked questions' })
    const links = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href') ?? '')
    expect(links).toContain('#programs')
    for (const link of links) expect(document.querySelector(link)).not.toBeNull()
  })

  it('shows everything when a link leads to a section', async () => {
    app = await openHome()
    await waitFor(() => expect(app.requests.map((request) => request.path)).toContain('/allprograms'))
    await app.user.click(screen.getByRole('link', { name: 'See the programs' }))
    await waitFor(() => expect(isWhole()).toBe(true))
  })

  it('shows everything at once for a user who returns to a scroll position', async () => {
    app = await openHome({}, { key: 'left-for-a-program' })
    await waitFor(() => expect(isWhole()).toBe(true))
  })
})

describe('the landing page', () => {
  it('[H-1 H-2 H-3 H-4 H-7 H-8 H-9] has one title, all its sections, and login, registration and contact links for a visitor', async () => {
    app = await openHome()
    await screen.findByRole('searchbox', { name: 'Search the questions' })
    expect(screen.getAllByRole('heading', { level: 1 }).map((title) => title.textContent)).toEqual([
      'Add a Minor to your degree.',
    ])
    expect(screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)).toEqual([
      'A second subject, in the hours your degree leaves free',
      'Key features',
      'Choose your Minor',
      'Partner universities',
      'Why choose a Minor',
      'In their own words',
      'Contact',
      'Frequently asked questions',
      'Add a Minor to your degree.',
    ])
    expect(
      within(screen.getByRole('region', { name: 'Why choose a Minor' })).getAllByRole('heading', { level: 3 }),
    ).toHaveLength(4)
    const features = screen.getByRole('region', { name: 'Key features' })
    expect(within(features).getAllByRole('listitem')).toHaveLength(4)
    const students = within(await screen.findByRole('region', { name: 'Students in their own words' }))
    for (const name of ['Meera N.', 'Arjun P.', 'Sana K.']) expect(students.getByText(name)).not.toBeNull()
    const teachers = within(await screen.findByRole('region', { name: 'Faculty in their own words' }))
    for (const name of ['Dr R. Menon', 'Prof. L. Das']) expect(teachers.getByText(name)).not.toBeNull()
    const addressesOf = (name: string) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
    // In the top bar and at the end; Sign Up in the hero, too.
    expect(addressesOf('Login')).toEqual(['/login', '/login'])
    expect(addressesOf('Sign Up')).toEqual(['/register', '/register', '/register'])
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
    const contact = within(screen.getByRole('region', { name: 'Contact' })).getAllByRole('link')
    expect(contact.map((link) => link.getAttribute('href'))).toEqual(['mailto:minor@example.org', 'tel:+910000000000'])
  })

  it('[H-1] has the bottom navigation for a visitor on a narrow screen', async () => {
    setWindowWidth(phonePx)
    app = await openHome()
    await screen.findByRole('contentinfo')
    expect(screen.getByRole('navigation', { name: 'Main' })).not.toBeNull()
  })

  it('[H-11 H-12 H-13 H-14 H-15 H-16 H-17 H-18 H-19 H-20 H-21] states every fact of the program, also outside the collapsed answers', async () => {
    app = await openHome()
    await screen.findByRole('searchbox', { name: 'Search the questions' })
    const text = document.body.textContent.replaceAll('\u00A0', ' ')
    for (const fact of [
      '18 credits over 3 semesters (7+8+3)',
      '₹45,000 in three installments of ₹15,000',
      'CGPA 7.0 or higher',
      'Module clearance at 30 percent',
      'weekdays 7–10 PM and weekends 9 AM–5 PM',
      'A student ID, valid 18 months',
      'Campus immersion of 2–3 days after semester 1',
      'Hostel and food under ₹1,000 a day',
      'Offline exam within about 500 km',
      '1 day for a daily learning check, 10 days for an assignment',
      '2 online evaluations per semester',
      'AI; CS and advanced technologies; DS and ML; Business analytics',
    ])
      expect(text).toContain(fact)

    const plain = (element: Element | null | undefined) => element?.textContent.replaceAll('\u00A0', ' ')
    const wordsOf = (item: HTMLElement) => [plain(item.querySelector('h3')), plain(item.querySelector('p'))]
    const features = within(screen.getByRole('region', { name: 'Key features' })).getAllByRole('listitem')
    expect(features.map(wordsOf)).toEqual([
      ['18 credits', '18 credits over 3 semesters (7+8+3). The last semester is light.'],
      ['₹45,000 total fee', 'Paid in three installments of ₹15,000, one per semester.'],
      ['7–10 PM on weekdays', 'And 9 AM–5 PM on weekends. All classes are online. No commute.'],
      ['7.0 CGPA or higher', 'Placement and internship support with a CGPA of 7.0 or higher.'],
    ])
    const pointsOf = (title: string) =>
      within(screen.getByRole('region', { name: title }))
        .getAllByRole('listitem')
        .map((item) => plain(item))
    expect(pointsOf('Four tracks')).toEqual(['AI', 'CS and advanced technologies', 'DS and ML', 'Business analytics'])
    expect(pointsOf('A steady pace')).toEqual([
      '1 day for a daily learning check, 10 days for an assignment',
      '2 online evaluations per semester',
      'Module clearance at 30 percent',
    ])
    expect(pointsOf('A real campus')).toEqual([
      'A student ID, valid 18 months',
      'Campus immersion of 2–3 days after semester 1',
      'Hostel and food under ₹1,000 a day',
    ])
    expect(pointsOf('Exams close to home')[0]).toBe('Offline exam within about 500 km of where you live')
    expect(plain(document.querySelector('#content'))).toContain(
      'Classes are online: weekdays 7–10 PM and weekends 9 AM–5 PM.',
    )
  })
})
