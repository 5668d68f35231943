import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf } from '../testing/fake-catalog.ts'
import { idOf } from '../testing/fake-inbox.ts'
import { aUser, ok, problem } from '../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../testing/open-app.tsx'

let app: OpenApp
const path = () => window.location.pathname + window.location.search
/** As a typed address does, but without a new start of the client. */
const goTo = (address: string) => {
  window.history.pushState(null, '', address)
  window.dispatchEvent(new PopStateEvent('popstate'))
}
const admin = aUser({ role: 'admin' })

const logIn = async () => {
  app.answer('POST /auth/login', () => ok({ data: { user: aUser(), token: 'another-token' } }))
  // A page that is still being replaced takes its fields along.
  await waitFor(() => app.fill(screen.getByLabelText('Email'), 'ananya@example.com'))
  await app.fill(screen.getByLabelText('Password'), 'Secret#1x')
  await app.user.click(screen.getByRole('button', { name: 'Login' }))
}

describe('the session', () => {
  afterEach(() => app.close())

  it.each([
    [
      'a visitor',
      undefined,
      { '/notification?page=2': '/login', '/admin/notifications': '/login', '/nowhere': '/login' },
    ],
    [
      'a learner',
      aUser(),
      {
        '/': '/home',
        '/nowhere': '/home',
        '/login': '/home',
        '/register': '/home',
        '/admin/dashboard': '/home',
      },
    ],
    ['a faculty member', aUser({ role: 'faculty' }), { '/': '/faculty/dashboard' }],
    [
      'an admin',
      admin,
      {
        '/home': '/admin/dashboard',
        '/reset-password': '/admin/dashboard',
        '/nowhere': '/admin/dashboard',
        '/notification': '/admin/dashboard',
        [`/notification/${idOf(1)}`]: `/admin/notifications/${idOf(1)}`,
      },
    ],
  ])('[G-3 G-4 G-18 G-21 G-48] leads %s from each address to a page', async (_who, user, pages) => {
    const addresses = Object.entries(pages)
    app = await openApp({ path: addresses[0]?.[0] ?? '', ...(user ? { user } : {}) })
    for (const [n, [address, expected]] of addresses.entries()) {
      if (n > 0) act(() => goTo(address))
      await waitFor(() => expect([address, path()]).toEqual([address, expected]))
    }
  })

  it('ends a session that the server has ended, and returns to the same page after the next login', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: (inbox) => {
        for (let n = 0; n < 11; n++) inbox.arrive()
      },
    })
    await screen.findByText('Showing 1 to 10 of 11 notifications')
    app.answer('GET /notifications', () => problem(401, 'unauthenticated', 'Please log in again'))
    await app.user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(path()).toBe('/login'))
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('isLoggedIn')).toBeNull()

    await logIn()
    await waitFor(() => expect(path()).toBe('/notification?page=2'))
  })

  it('returns to a shared address after the login', async () => {
    app = await openApp({ path: '/program-details-active/7?from=mail' })
    await waitFor(() => expect(path()).toBe('/login'))
    await logIn()
    await waitFor(() => expect(path()).toBe('/program-details-active/7?from=mail'))
  })

  it('returns to a started booking, also after a registration', async () => {
    app = await openApp({
      path: `/program-details-inactives/${programIdOf(1)}`,
      user: aUser(),
      answers: catalogAnswers(fakeCatalog([aProgram(1)])),
    })
    await app.user.click(await screen.findByRole('link', { name: /^Pay ₹/ }))
    await screen.findByRole('heading', { level: 1, name: 'Book your Seat' })
    app.endSessions('password-changed')
    await app.user.click(await screen.findByRole('link', { name: 'Sign Up' }))
    await app.user.click(await screen.findByRole('link', { name: 'Login' }))
    await screen.findByText(/Your session has ended/)
    await logIn()
    expect(await screen.findByRole('heading', { level: 1, name: 'Book your Seat' })).toBeDefined()
  })

  it('redirects to the login page when the server ends it over the socket, but tells no user who comes from a public page', async () => {
    app = await openApp({ path: '/notification', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await waitFor(() => expect(app.seen.length).toBeGreaterThan(0))
    app.endSessions('password-changed')
    await waitFor(() => expect(path()).toBe('/login'))
    await screen.findByText(/Your session has ended/)
    await app.user.click(screen.getByRole('link', { name: 'See the programs' }))
    await screen.findByRole('heading', { name: 'Add a Minor to your degree.', level: 1 })
    // The bar of the page comes first. Sections that follow later have headers of their own.
    const [bar] = screen.getAllByRole('banner')
    await app.user.click(within(bar ?? document.body).getByRole('link', { name: 'Login' }))
    await screen.findByRole('button', { name: 'Login' })
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
  })

  it('does not mention a session that ended by a logout in another tab', async () => {
    app = await openApp({ path: '/notification', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await waitFor(() => expect(app.seen.length).toBeGreaterThan(0))
    app.endSessions('logged-out')
    await screen.findByRole('button', { name: 'Login' })
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
  })

  it('[L-17 X-9] logs out after a confirmation', async () => {
    app = await openApp({ path: '/profile', user: aUser() })
    await app.user.click(await screen.findByRole('button', { name: 'Logout' }))
    await screen.findByText('Are you sure you want to logout?')
    await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('Are you sure you want to logout?')).toBeNull())
    expect(localStorage.getItem('isLoggedIn')).toBe('true')

    await app.user.click(screen.getByRole('button', { name: 'Logout' }))
    await app.user.click((await screen.findAllByRole('button', { name: 'Logout' })).at(-1) ?? document.body)
    await waitFor(() => expect(path()).toBe('/login'))
    expect(app.requests.some(({ path: called }) => called === '/auth/logout')).toBe(true)
    expect(['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))).toEqual([null, null, null])
  })
})
