import { afterEach, describe, expect, it } from 'vitest'
import { aUser } from '../testing/fake-portal.ts'
import { postLoginRedirect } from './post-login-redirect.ts'
import { currentSession, endSession, sessionState, startSession, updateSessionUser } from './session.ts'

/** Changes local storage as another tab does, with the event that this tab receives. */
const otherTab = (change: () => void, key: string | null) => {
  change()
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

describe('the session', () => {
  afterEach(() => {
    endSession('logged-out')
    localStorage.clear()
  })

  it('[L-10 L-22] stores user, token and flag under the specified keys', () => {
    startSession({ user: aUser(), token: 't' })
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({ ...aUser(), mobileNumber: '••••••••10' })
    expect(currentSession()?.user.mobileNumber).toBe('9876543210')
    expect(localStorage.getItem('token')).toBe('t')
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
    updateSessionUser(aUser({ fullName: 'Ananya Rao' }))
    expect(currentSession()?.user.fullName).toBe('Ananya Rao')
  })

  it('keeps the full mobile number when another tab stores the user', () => {
    startSession({ user: aUser(), token: 't' })
    const elsewhere = { ...aUser({ fullName: 'Ananya Rao' }), mobileNumber: '••••••••10' }
    otherTab(() => localStorage.setItem('user', JSON.stringify(elsewhere)), 'user')
    expect(currentSession()?.user).toEqual(aUser({ fullName: 'Ananya Rao' }))
  })

  it.each(['alumna', '', null, undefined, 7])('[G-40] treats a stored user with the role %j as a learner', (role) => {
    otherTab(() => {
      localStorage.setItem('user', JSON.stringify({ ...aUser(), role }))
      localStorage.setItem('token', 't')
      localStorage.setItem('isLoggedIn', 'true')
    }, 'user')
    expect(currentSession()?.user.role).toBe('student')
  })

  it.each([
    ['no user', 'user'],
    ['no token', 'token'],
    ['no flag', 'isLoggedIn'],
  ])('[L-16 F-11] is anonymous with %s', (_what, missing) => {
    startSession({ user: aUser(), token: 't' })
    otherTab(() => localStorage.removeItem(missing), missing)
    expect(currentSession()).toBeNull()
  })

  it('has ended on a page that comes back from the cache, if another tab has ended it', () => {
    startSession({ user: aUser(), token: 't' })
    localStorage.removeItem('isLoggedIn')
    const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
    show(false)
    expect(currentSession()).not.toBeNull()
    show(true)
    expect(currentSession()).toBeNull()
  })

  it('[L-16] follows a login and a logout in another tab', () => {
    otherTab(() => {
      localStorage.setItem('user', JSON.stringify(aUser()))
      localStorage.setItem('token', 't')
      localStorage.setItem('isLoggedIn', 'true')
    }, 'isLoggedIn')
    expect(currentSession()?.token).toBe('t')
    otherTab(() => localStorage.clear(), null)
    expect(sessionState()).toEqual({ kind: 'anonymous', reason: 'logged-out' })
  })

  it('takes the reason from storage if another tab learned of the end first', () => {
    startSession({ user: aUser(), token: 't' })
    otherTab(() => {
      localStorage.setItem('session_end', 'ended')
      for (const key of ['user', 'token', 'isLoggedIn']) localStorage.removeItem(key)
    }, 'user')
    expect(sessionState()).toEqual({ kind: 'anonymous', reason: 'ended' })
  })

  it('stores the reason for other tabs until the next login', () => {
    startSession({ user: aUser(), token: 't' })
    endSession('ended')
    expect(localStorage.getItem('session_end')).toBe('ended')
    startSession({ user: aUser(), token: 't' })
    expect(localStorage.getItem('session_end')).toBeNull()
  })

  it('[L-16] is anonymous without the flag, even with user and token', () => {
    otherTab(() => {
      localStorage.setItem('user', JSON.stringify(aUser()))
      localStorage.setItem('token', 't')
    }, 'token')
    expect(currentSession()).toBeNull()
    otherTab(() => localStorage.setItem('isLoggedIn', 'true'), 'isLoggedIn')
    expect(currentSession()?.user).toEqual(aUser())
  })

  it('is anonymous if the stored user is invalid', () => {
    otherTab(() => {
      localStorage.setItem('user', '{"fullName":1}')
      localStorage.setItem('token', 't')
      localStorage.setItem('isLoggedIn', 'true')
    }, 'user')
    expect(currentSession()).toBeNull()
  })
})

describe('a login', () => {
  it.each([
    ['student', null, '/home'],
    ['admin', null, '/admin/dashboard'],
    ['faculty', null, '/faculty/dashboard'],
    ['alumna', null, '/home'],
    ['alumna', { from: '/admin/dashboard' }, '/home'],
    ['alumna', { from: '/profile' }, '/profile'],
    ['student', { from: '/notification?page=2' }, '/notification?page=2'],
    ['admin', { from: '/admin/universities' }, '/admin/universities'],
    ['admin', { from: '/notification' }, '/admin/dashboard'],
    ['student', { from: '/admin/dashboard' }, '/home'],
    ['student', { from: 'https://elsewhere.example' }, '/home'],
    ['student', { from: '//elsewhere.example' }, '/home'],
  ] as const)('[G-2 G-40 L-13] leads %s with the state %o to %s', (role, state, expected) => {
    expect(postLoginRedirect(role, state).to).toBe(expected)
  })
})
