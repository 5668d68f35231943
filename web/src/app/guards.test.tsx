import type { Role } from '@portal/contracts/auth/user'
import { userSchema } from '@portal/contracts/auth/user'
import { act, cleanup, render } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router-dom'
import { afterEach, describe, expect, it } from 'vitest'
import { endSession, startSession } from '../lib/session.ts'
import {
  RequireAdmin,
  RequireAnonymous,
  MovedPage,
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
      {
        element: <RequireLearner />,
        children: [
          '/learners',
          '/notification/:id',
          '/my/notification/:id',
          '/profile/:section',
          '/my/profile/:section',
        ].map((one) => ({ path: one, ...page })),
      },
      { element: <RequireFaculty />, children: [{ path: '/faculty', ...page }] },
      {
        element: <RequireAdmin />,
        children: ['/admins', '/admin/notifications/:id', '/admin/profile/:section', '/admin/my/profile/:section'].map(
          (one) => ({
            path: one,
            ...page,
          }),
        ),
      },
      { element: <RejectAdmin />, children: [{ path: '/landing', ...page }] },
      { element: <RequireAnonymous />, children: [{ path: '/login', ...page }] },
      {
        element: <Outlet />,
        children: ['/home', '/faculty/dashboard', '/admin/dashboard', '/admin/dashboard/users', '/from'].map((one) => ({
          path: one,
          ...page,
        })),
      },
      { path: '/admin/people', element: <MovedPage to="/admin/dashboard/users" /> },
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
  it.each(Object.entries(may))('may open %s: %s', (path, isAllowed) => {
    startSession(sessionOf(role))
    expect(open(path).place().at).toBe(isAllowed ? path : own[role])
  })

  it('is redirected from the login page to the landing page of the role', () => {
    startSession(sessionOf(role))
    expect(open('/login', { from: '/from' }).place()).toEqual({ at: own[role], state: null })
  })

  it('is redirected from an unknown path to the landing page of the role', () => {
    startSession(sessionOf(role))
    expect(open('/nowhere').place().at).toBe(own[role])
  })
})

describe('a link that names the page of a learner', () => {
  const id = '0192f000-0000-7000-8000-00000000000a'
  it.each([
    [`/notification/${id}`, `/admin/notifications/${id}`],
    ['/profile/notifications', '/admin/profile/notifications'],
    ['/profile/sessions', '/admin/profile/sessions'],
    ['/profile/security', '/admin/profile/security'],
    ['/profile/pictures', own.admin],
    ['/profile/security-codes', own.admin],
    ['/my/profile/security', own.admin],
    [`/my/notification/${id}`, own.admin],
    [`/notification/${id}0`, own.admin],
    ['/notification/a', own.admin],
  ])('leads an admin from %s to %s', (path, to) => {
    startSession(sessionOf('admin'))
    expect(open(path).place().at).toBe(to)
  })

  it.each([`/notification/${id}`, '/profile/security'])('stays with a learner: %s', (path) => {
    startSession(sessionOf('student'))
    expect(open(path).place().at).toBe(path)
  })
})

describe('as a visitor', () => {
  it.each(['/learners', '/faculty', '/admins'])(
    'is redirected from %s to the login page, which returns there',
    (path) => {
      const { place } = open(`${path}?x=1`)
      expect(place()).toEqual({ at: '/login', state: { from: `${path}?x=1`, state: null } })
    },
  )

  it('keeps the router state of the page for the return', () => {
    expect(open('/learners', { tab: 1 }).place()).toEqual({
      at: '/login',
      state: { from: '/learners', state: { tab: 1 } },
    })
  })

  it.each(['/landing', '/login'])('may open %s', (path) => expect(open(path).place().at).toBe(path))

  it('is redirected from an unknown path to the login page', () => {
    expect(open('/nowhere').place().at).toBe('/login')
  })
})

describe('a session that ends on a page', () => {
  it('does not return to the page after a logout', () => {
    startSession(sessionOf('student'))
    const { place } = open('/learners')
    act(() => endSession('logged-out'))
    expect(place()).toEqual({ at: '/login', state: null })
  })

  it('returns to the page after the next login if the server ended it', () => {
    startSession(sessionOf('student'))
    const { place } = open('/learners')
    act(() => endSession('ended'))
    expect(place()).toEqual({ at: '/login', state: { from: '/learners', state: null } })
  })

  it('returns to a page that was opened long after the end', () => {
    startSession(sessionOf('student'))
    endSession('logged-out')
    expect(open('/learners').place()).toEqual({ at: '/login', state: { from: '/learners', state: null } })
  })
})

describe('a login while the login page is open', () => {
  it('leaves the redirect to the page if the login happened there', () => {
    const { place } = open('/login')
    act(() => startSession(sessionOf('student')))
    expect(place().at).toBe('/login')
  })
})

it('the earlier address of the users leads to the new one, with its filter', () =>
  expect(open('/admin/people?role=student&page=2').place().at).toBe('/admin/dashboard/users?role=student&page=2'))
