import { describe, expect, it } from 'vitest'
import { knownEmailOf, landingPage, loginStateOf, postLoginRedirect } from './post-login-redirect.ts'

describe('the landing page', () => {
  it.each([
    ['admin', '/admin/dashboard'],
    ['faculty', '/faculty/dashboard'],
    ['student', '/home'],
    ['anything else', '/home'],
  ])('of the role %s is %s', (role, page) => expect(landingPage(role)).toBe(page))
})

describe('the router state of the login page', () => {
  it.each([null, undefined, 'x', 5, {}, { from: 5 }, { to: '/home' }])('is ignored if it is %j', (state) => {
    expect(loginStateOf(state)).toBeNull()
  })
  it('names the page that required the login', () => {
    expect(loginStateOf({ from: '/profile', state: 1 })).toEqual({ from: '/profile', state: 1 })
  })
})

describe('the address that the login page is opened with', () => {
  it.each([null, undefined, 'x', 5, {}, { personalEmail: 5 }, { from: '/home' }])(
    'is empty if the state is %j',
    (state) => {
      expect(knownEmailOf(state)).toBe('')
    },
  )
  it('is the one that is known', () =>
    expect(knownEmailOf({ personalEmail: 'ada@example.com' })).toBe('ada@example.com'))
})

describe('the page after a login', () => {
  it.each([
    ['student', '/notification/1?x=y', '/notification/1?x=y'],
    ['faculty', '/profile', '/profile'],
    ['student', '/administration', '/administration'],
    ['student', '/my/admin', '/my/admin'],
    ['admin', '/admin', '/admin'],
    ['admin', '/admin/programs', '/admin/programs'],
  ])('is the page that required it: %s, %s', (role, from, to) => {
    expect(postLoginRedirect(role, { from, state: 'kept' })).toEqual({ to, state: 'kept' })
  })

  it.each([
    ['student', '/admin', '/home'],
    ['student', '/admin/programs', '/home'],
    ['faculty', '/admin/programs', '/faculty/dashboard'],
    ['admin', '/profile', '/admin/dashboard'],
    ['admin', '/administration', '/admin/dashboard'],
    ['admin', '/my/admin', '/admin/dashboard'],
  ])('is the landing page if the requested page is for another role: %s, %s', (role, from, to) => {
    expect(postLoginRedirect(role, { from })).toEqual({ to })
  })

  it.each(['//evil.example/home', '/\\evil.example', 'https://evil.example/', 'x/home', ''])(
    'is never on another site: %s',
    (from) => expect(postLoginRedirect('student', { from })).toEqual({ to: '/home' }),
  )

  it('is the landing page if no page required the login', () => {
    expect(postLoginRedirect('student', null)).toEqual({ to: '/home' })
  })
})
