import { describe, expect, it } from 'vitest'
import { landingPage, loginStateOf, postLoginRedirect } from './post-login-redirect.ts'

describe('the first page of a role', () => {
  it.each([
    ['admin', '/admin/dashboard'],
    ['faculty', '/faculty/dashboard'],
    ['student', '/home'],
    ['anything else', '/home'],
  ])('%s: %s', (role, page) => expect(landingPage(role)).toBe(page))
})

describe('what the log-in page was told', () => {
  it.each([null, undefined, 'x', 5, {}, { from: 5 }, { to: '/home' }])('is nothing in %j', (state) => {
    expect(loginStateOf(state)).toBeNull()
  })
  it('is the page that asked for a log-in', () => {
    expect(loginStateOf({ from: '/profile', state: 1 })).toEqual({ from: '/profile', state: 1 })
  })
})

describe('the page after a log-in', () => {
  it.each([
    ['student', '/notification/1?x=y', '/notification/1?x=y'],
    ['faculty', '/profile', '/profile'],
    ['student', '/administration', '/administration'],
    ['student', '/my/admin', '/my/admin'],
    ['admin', '/admin', '/admin'],
    ['admin', '/admin/programs', '/admin/programs'],
  ])('is the one that asked for it: %s, %s', (role, from, to) => {
    expect(postLoginRedirect(role, { from, state: 'kept' })).toEqual({ to, state: 'kept' })
  })

  it.each([
    ['student', '/admin', '/home'],
    ['student', '/admin/programs', '/home'],
    ['faculty', '/admin/programs', '/faculty/dashboard'],
    ['admin', '/profile', '/admin/dashboard'],
    ['admin', '/administration', '/admin/dashboard'],
    ['admin', '/my/admin', '/admin/dashboard'],
  ])('is the own first page when it asked for another role: %s, %s', (role, from, to) => {
    expect(postLoginRedirect(role, { from })).toEqual({ to })
  })

  it.each(['//evil.example/home', '/\\evil.example', 'https://evil.example/', 'x/home', ''])(
    'is never on another site: %s',
    (from) => expect(postLoginRedirect('student', { from })).toEqual({ to: '/home' }),
  )

  it('is the own first page when none asked', () => {
    expect(postLoginRedirect('student', null)).toEqual({ to: '/home' })
  })
})
