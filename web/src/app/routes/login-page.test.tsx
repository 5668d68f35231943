import { cleanup, screen } from '@testing-library/react'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import type { Role } from '@portal/contracts/auth/user'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { desktopPx, phonePx, setWindowWidth } from '../../testing/window-width.ts'
import { facts, rupees, semesters } from '../../features/landing/facts.ts'
import { LoginPage } from './login-page.tsx'

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  localStorage.clear()
  endSession('logged-out')
  server = fakeServer()
  clock = fakeClock()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const open = (state?: unknown) => renderPages({ '/login': <LoginPage /> }, { pathname: '/login', state })
const email = () => screen.getByLabelText('Email')
const password = () => screen.getByLabelText('Password')
const submit = () => screen.getByRole('button', { name: /^(Login|Logging in\.\.\.)$/ })
const signedIn = (role: Role) => ok({ data: { user: aUser({ role }), token: 'token-1' } })

const fillIn = async () => {
  await clock.fill(email(), 'ananya@example.com')
  await clock.fill(password(), 'Secret#1x')
}
const logIn = async () => {
  await fillIn()
  await clock.user.click(submit())
  await clock.flush()
}

describe('the login page', () => {
  it('[L-2 L-3 L-4 L-6 L-8] shows title and subtitle, links to reset and registration, and names the partners', () => {
    open()
    expect(screen.getByRole('heading', { level: 1 })).toBeDefined()
    expect(screen.getByText(/to access your minor programs/)).toBeDefined()
    expect(screen.getByRole('link', { name: /Forgot Password/ }).getAttribute('href')).toBe('/reset-password')
    expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/register')
    expect(screen.getByRole('link', { name: 'See the programs' }).getAttribute('href')).toBe('/home')
    expect(screen.getByRole('list', { name: 'Offered by' }).children).toHaveLength(4)
    expect(email().getAttribute('type')).toBe('email')
    expect([email(), password()].every((field) => field.hasAttribute('required'))).toBe(true)
  })

  it('shows a visitor on a phone what it costs and how long it takes', () => {
    setWindowWidth(phonePx)
    open()
    const [tracks, length, fee] = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect([tracks, length, fee]).toEqual([
      String(facts.tracks.length),
      String(semesters),
      rupees(facts.fee.totalRupees),
    ])
    cleanup()
    setWindowWidth(desktopPx)
    open()
    expect(screen.queryAllByRole('definition')).toEqual([])
  })

  it('fills in the address of a user who is known, and asks for the password', () => {
    open({ personalEmail: 'ananya@example.com' })
    expect(email()).toHaveProperty('value', 'ananya@example.com')
    expect(document.activeElement).toBe(password())
  })

  it('[G-34 G-39 L-4 L-5] requires both fields, focuses the first invalid one, clears an error on edit, and shows and hides the password', async () => {
    open()
    await clock.user.click(submit())
    await clock.flush()
    expect(screen.getByText('Email is required')).toBeDefined()
    expect(screen.getByText('Password is required')).toBeDefined()
    expect(document.activeElement).toBe(email())
    await clock.user.type(email(), 'a')
    expect(screen.queryByText('Email is required')).toBeNull()
    expect(screen.getByText('Password is required')).toBeDefined()
    await clock.user.click(submit())
    await clock.flush()
    expect(screen.getByText('Please enter a valid email address')).toBeDefined()
    expect(server.requests).toEqual([])

    expect(password().getAttribute('type')).toBe('password')
    await clock.user.click(password())
    await clock.user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().getAttribute('type')).toBe('text')
    expect(document.activeElement).toBe(password())
    await clock.user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password().getAttribute('type')).toBe('password')
  })

  it('[L-7 L-11 L-18] is busy until the response, and sends one request', async () => {
    const held = deferredAnswer()
    server.on('POST /auth/login', held.handler)
    open()
    await logIn()
    expect(submit().textContent).toBe('Logging in...')
    await clock.user.click(submit())
    await clock.user.type(password(), '{Enter}')
    expect(server.requestsTo('POST /auth/login').map(({ body }) => body)).toEqual([
      { personalEmail: 'ananya@example.com', password: 'Secret#1x' },
    ])
    held.release(problem(401, 'unauthenticated', 'Invalid credentials'))
    await clock.flush()
    expect(submit().textContent).toBe('Login')
  })

  it.each([
    ['admin', '/admin/dashboard'],
    ['faculty', '/faculty/dashboard'],
    ['student', '/home'],
  ] as const)('[L-12 L-13] stores the session of the %s and after 1 second goes to %s', async (role, landing) => {
    server.on('POST /auth/login', () => signedIn(role))
    open()
    await logIn()
    expect(screen.getByText('Login successful! Redirecting...')).toBeDefined()
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(aUser({ role, mobileNumber: '••••••••10' }))
    expect(localStorage.getItem('token')).toBe('token-1')
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
    await clock.advance(999)
    expect(screen.queryByText(`At ${landing}`)).toBeNull()
    await clock.advance(1)
    expect(screen.getByText(`At ${landing}`)).toBeDefined()
  })

  it.each(['alumna', '', null])('[G-40 L-13] treats the role %j as a learner and redirects to /home', async (role) => {
    const answer = signedIn('student')
    const body = { ...Object(answer.body), data: { user: { ...aUser(), role }, token: 'token-1' } }
    server.on('POST /auth/login', () => ({ ...answer, body }))
    open()
    await logIn()
    await clock.advance(1_000)
    expect(screen.getByText('At /home')).toBeDefined()
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ role: 'student' })
  })

  it('says that the session has ended, and returns to the page afterwards', async () => {
    startSession({ user: aUser(), token: 'old' })
    endSession('ended')
    server.on('POST /auth/login', () => signedIn('student'))
    open({ from: '/notification?page=3' })
    expect(screen.getByText('Your session has ended. Please log in again.')).toBeDefined()
    await logIn()
    await clock.advance(1000)
    expect(screen.getByText('At /notification?page=3')).toBeDefined()
  })

  it('[L-15 L-19 L-20] shows why it failed', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    open()
    await fillIn()
    for (const [answer, message] of [
      [problem(429, 'too-many-requests', 'Too many attempts'), 'Too many attempts'],
      [problem(401, 'unauthenticated', ''), 'Invalid credentials'],
      [problem(500, 'internal', ''), 'An error occurred during login'],
      ['unreachable', networkErrorMessage],
    ] as const) {
      server.on('POST /auth/login', () => answer)
      await clock.user.click(submit())
      await clock.flush()
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(document.querySelector('form')?.textContent).toContain(message)
      expect(email()).toHaveProperty('value', 'ananya@example.com')
      expect(localStorage.getItem('isLoggedIn')).toBeNull()
    }
  })

  it('keeps the reason at the form when the toast has gone, until something is edited', async () => {
    server.on('POST /auth/login', () => problem(401, 'unauthenticated', 'Invalid credentials'))
    open()
    await logIn()
    await clock.flush()
    await clock.advance(10_000)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Invalid credentials')).toBeDefined()
    await clock.user.type(email(), 'x')
    expect(screen.queryByText('Invalid credentials')).toBeNull()
  })
})
