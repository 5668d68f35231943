import type { Role } from '@portal/contracts/auth/user'
import { userSchema } from '@portal/contracts/auth/user'
import { act, cleanup, render } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router-dom'
import { afterEach, describe, expect, it } from 'vitest'
import { endSession, startSession } from '../lib/session.ts'
import {
  RequireAdmin,
  RequireAnonymous,
  UnknownPathRedirect,
  RequireFaculty,
  RequireLearner,
  RejectAdmin,
} from './guards.tsx'

const sessionOf = (role: Role, token = role) => ({
  user: userSchema.parse({
    _id: '0192f000-0000-7000-8000-000000000002',
    fullName: 'Ada Example',
    personalEmail: 'ada@example.com',
    mobileNumber: '',
    universityName: '',
    studentCode: '',
    profileImage: '',
    role,
  }),
  token,
})

const Place = () => {
  const { pathname, search, state } = useLocation()
  return <p>{JSON.stringify({ at: pathname + search, state })}</p>
}

/** The guards as the router uses them, each with a page behind it. */
const open = (path: string, state?: unknown) => {
  const page = { element: <Place /> }
  const router = createMemoryRouter(
    [
      { element: <RequireLearner />, children: [{ path: '/learners', ...page }] },
      { element: <RequireFaculty />, children: [{ path: '/faculty', ...page }] },
      { element: <RequireAdmin />, children: [{ path: '/admins', ...page }] },
      { element: <RejectAdmin />, children: [{ path: '/landing', ...page }] },
      { element: <RequireAnonymous />, children: [{ path: '/login', ...page }] },
      {
        element: <Outlet />,
        children: ['/home', '/faculty/dashboard', '/admin/dashboard', '/from'].map((one) => ({ path: one, ...page })),
      },
      { path: '*', element: <UnknownPathRedirect /> },
    ],
    { initialEntries: [state === undefined ? path : { pathname: path, state }] },
  )
  const { container } = render(<RouterProvider router={router} />)
  return {
    router,
    place: (): { readonly at: string; readonly state: unknown } => JSON.parse(container.textContent ?? '{}'),
  }
}

afterEach(() => {
  cleanup()
  endSession('logged-out')
})

const own = { student: '/home', faculty: '/faculty/dashboard', admin: '/admin/dashboard' } as const

describe.each(['student', 'faculty', 'admin'] as const)('as %s', (role) => {
  const may = {
    '/learners': role !== 'admin',
    '/faculty': role === 'faculty',
    '/admins': role === 'admin',
    '/landing': role !== 'admin',
  }
  it.each(Object.entries(may))('%s is shown: %s', (path, isAllowed) => {
    startSession(sessionOf(role))
    expect(open(path).place().at).toBe(isAllowed ? path : own[role])
  })

  it('the log-in page leads to the own first page', () => {
    startSession(sessionOf(role))
    expect(open('/login', { from: '/from' }).place()).toEqual({ at: own[role], state: null })
  })

  it('an address that is no page leads to the own first page', () => {
    startSession(sessionOf(role))
    expect(open('/nowhere').place().at).toBe(own[role])
  })
})

describe('as nobody', () => {
  it.each(['/learners', '/faculty', '/admins'])('%s leads to the log-in page, which knows the way back', (path) => {
    const { place } = open(`${path}?x=1`)
    expect(place()).toEqual({ at: '/login', state: { from: `${path}?x=1`, state: null } })
  })

  it('what a page had been told is kept for the way back', () => {
    expect(open('/learners', { told: 1 }).place()).toEqual({
      at: '/login',
      state: { from: '/learners', state: { told: 1 } },
    })
  })

  it.each(['/landing', '/login'])('%s is shown', (path) => expect(open(path).place().at).toBe(path))

  it('an address that is no page leads to the log-in page', () => {
    expect(open('/nowhere').place().at).toBe('/login')
  })
})

describe('a session that ends on a page', () => {
  it('by a log-out leaves no way back', () => {
    startSession(sessionOf('student'))
    const { place } = open('/learners')
    act(() => endSession('logged-out'))
    expect(place()).toEqual({ at: '/login', state: null })
  })

  it('by the server leads back after the next log-in', () => {
    startSession(sessionOf('student'))
    const { place } = open('/learners')
    act(() => endSession('ended'))
    expect(place()).toEqual({ at: '/login', state: { from: '/learners', state: null } })
  })

  it('long before a page was asked for leaves its way back', () => {
    startSession(sessionOf('student'))
    endSession('logged-out')
    expect(open('/learners').place()).toEqual({ at: '/login', state: { from: '/learners', state: null } })
  })
})

describe('a log-in while the log-in page is open', () => {
  it('of its own lets the page go on by itself', () => {
    const { place } = open('/login')
    act(() => startSession(sessionOf('student')))
    expect(place().at).toBe('/login')
  })
})
