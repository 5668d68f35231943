import { userIdSchema } from '@portal/contracts/shared/ids'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from '../../features/push/testing/fake-browser.ts'
import { endSession } from '../../lib/session.ts'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf } from '../../testing/fake-catalog.ts'
import { idOf } from '../../testing/fake-inbox.ts'
import { aUser, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'
import { desktopPx, phonePx, setWindowWidth } from '../../testing/window-width.ts'

/** A browser that refuses a badge without the permission for notifications, as Safari does. */
const fakeAppBadge = () => {
  const shown: number[] = []
  const show = (count: number) => {
    shown.push(count)
    return Promise.reject(new Error('not permitted'))
  }
  const badge = { setAppBadge: show, clearAppBadge: () => show(0) }
  for (const [name, value] of Object.entries(badge))
    Object.defineProperty(navigator, name, { value, configurable: true })
  return { shown }
}

let app: OpenApp
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  setWindowWidth(desktopPx)
  for (const name of ['serviceWorker', 'setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name)
})

const requestsTo = (path: string) => app.requests.filter((request) => request.path === path).length
const isFollowing = () => waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))

/** Navigates by the bottom navigation to the page with this title. */
const goTo = async (name: string, title: RegExp) => {
  await app.user.click(await screen.findByRole('link', { name: new RegExp(`${name}$`) }))
  await screen.findByRole('heading', { level: 1, name: title })
}

/** Fires the storage event of a login in another tab. */
const logInElsewhere = (session: { user: object; token: string }) => {
  localStorage.setItem('user', JSON.stringify(session.user))
  localStorage.setItem('token', session.token)
  window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn' }))
}

const rohan = aUser({ _id: userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb'), fullName: 'Rohan Mehta' })

/** Fires the storage event of a logout in another tab. */
const logOutElsewhere = () => {
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
}

describe('a session', () => {
  it('opens one socket, loads the inbox once and sets up push once, across all pages', async () => {
    fakeBrowser()
    app = await openApp({
      path: '/profile',
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive(),
      answers: { 'GET /notifications/push-key': () => problem(503, 'unavailable', 'Later') },
    })
    await isFollowing()
    await waitFor(() => expect(requestsTo('/notifications/push-key')).toBe(1))
    await goTo('Notification', /^Notifications$/)
    await goTo('Home', /^Good /)
    await goTo('Notification', /^Notifications$/)
    await goTo('Home', /^Good /)
    app.updateInbox((inbox) => void inbox.arrive({ title: 'Exam on Friday' }))
    await isFollowing()
    expect(app.connections).toEqual(['a-token'])
    expect(requestsTo('/notifications/unread/count')).toBe(1)
    expect(requestsTo('/notifications/push-key')).toBe(1)
  })

  it('connects again after the server has rejected it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    app = await openApp({ path: '/profile', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await isFollowing()
    /** The pauses between the attempts are seconds long. */
    const hurry = (assertion: () => void) =>
      until(async () => {
        await act(() => vi.advanceTimersByTimeAsync(500))
        assertion()
      })
    for (const rejection of ['unavailable', 'too-many-connections'] as const) {
      const before = app.rejectedConnections()
      app.rejectConnections(rejection)
      app.dropConnections()
      await hurry(() => expect(app.rejectedConnections()).toBe(before + 2))
      app.updateInbox((inbox) => void inbox.arrive())
      app.rejectConnections(undefined)
      await hurry(() => expect(app.seen).toContain(app.inbox.head().seq))
    }
    expect(app.connections).toEqual(['a-token', 'a-token', 'a-token'])
  })

  it('ends when the server does not accept its token any more', async () => {
    app = await openApp({ path: '/profile', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await isFollowing()
    app.rejectConnections('unauthenticated')
    app.dropConnections()
    await screen.findByText(/Your session has ended/)
    expect(app.rejectedConnections()).toBe(1)
  })

  it('closes its socket when it ends', async () => {
    app = await openApp({ path: '/profile', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await isFollowing()
    endSession('logged-out')
    await screen.findByRole('button', { name: 'Login' })
    await waitFor(() => expect(app.openConnections()).toEqual([]))
    expect(app.connections).toEqual(['a-token'])
  })

  it('closes its socket while its page is kept for Back, and catches up after it', async () => {
    app = await openApp({ path: '/home', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await isFollowing()
    app.updateInbox((inbox) => void inbox.arrive({ title: 'Exam on Friday' }))
    await screen.findAllByText(/Exam on Friday/)
    // happy-dom has no PageTransitionEvent of its own.
    const move = (type: string) =>
      act(() => void window.dispatchEvent(Object.assign(new Event(type), { persisted: true })))
    move('pagehide')
    await waitFor(() => expect(app.openConnections()).toEqual([]))
    app.updateInbox((inbox) => void inbox.arrive({ title: 'Exam on Monday' }))
    move('pageshow')
    await screen.findAllByText(/Exam on Monday/)
    await waitFor(() => expect(app.openConnections()).toHaveLength(1))
  })

  it('of another user gets its own socket and inbox', async () => {
    app = await openApp({ path: '/profile', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await isFollowing()
    logInElsewhere({ user: rohan, token: 'another-token' })
    await screen.findByText('Rohan Mehta')
    await waitFor(() => expect(app.openConnections()).toEqual(['another-token']))
    await waitFor(() => expect(requestsTo('/notifications/unread/count')).toBe(2))
    expect(app.connections).toEqual(['a-token', 'another-token'])
  })

  it.each([
    ['right after it', () => undefined],
    ['after a log-out in another tab', logOutElsewhere],
  ])('of another user, %s, never shows data loaded in the first session', async (_case, between) => {
    const catalog = fakeCatalog([aProgram(1)])
    catalog.enroll(programIdOf(1))
    app = await openApp({
      path: '/my-program',
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive({ title: 'For Ananya alone' }),
      answers: catalogAnswers(catalog),
    })
    await isFollowing()
    await goTo('Notification', /^Notifications$/)
    await screen.findByText('For Ananya alone')
    await goTo('My Program', /^My Programs$/)
    await screen.findByRole('link', { name: /Minor 1/ })

    // From here on no request is answered, so everything shown was loaded before.
    const never = () => new Promise<FakeAnswer>(() => undefined)
    for (const called of ['GET /user/my-programs', 'GET /allprograms', 'GET /notifications', 'GET /notifications/:id'])
      app.answer(called, never)
    app.answer('GET /notifications/unread/count', never)
    between()
    logInElsewhere({ user: rohan, token: 'another-token' })
    localStorage.setItem('isLoggedIn', 'true')
    window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn' }))
    await waitFor(() => expect(app.requests.at(-1)?.headers.get('Authorization')).toBe('Bearer another-token'))
    expect(screen.queryByText(/Minor 1/)).toBeNull()
    await goTo('Notification', /^Notifications$/)
    await screen.findByRole('status', { name: 'Loading notifications' })
    expect(screen.queryByText('For Ananya alone')).toBeNull()
    expect(screen.queryByText(/unread/)).toBeNull()
    expect(document.title).not.toMatch(/\(1\)/)
  })

  it('[C-17] shows an admin what arrives, counts nothing and leads to the page of the send', async () => {
    app = await openApp({
      path: '/admin/profile',
      user: aUser({ role: 'admin' }),
      setUpInbox: (inbox) => void inbox.arrive(),
    })
    await isFollowing()
    app.updateInbox((inbox) => void inbox.arrive({ title: 'Test: Exam moved' }))
    await screen.findByText('Test: Exam moved')
    await isFollowing()
    expect(document.title).not.toMatch(/\(\d/)
    await app.user.click(screen.getByRole('button', { name: 'View' }))
    await waitFor(() => expect(window.location.pathname).toBe(`/admin/notifications/${idOf(2)}`))
  })

  it('[N-36] shows the count of the server on the icon of the app, and clears it at its end', async () => {
    const badge = fakeAppBadge()
    app = await openApp({ path: '/profile', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await until(() => expect(badge.shown).toEqual([1]))
    app.updateInbox((inbox) => void inbox.arrive())
    await until(() => expect(badge.shown).toEqual([1, 2]))
    app.updateInbox((inbox) => inbox.readAll())
    await until(() => expect(badge.shown).toEqual([1, 2, 0]))
    app.updateInbox((inbox) => void inbox.arrive())
    await until(() => expect(badge.shown).toEqual([1, 2, 0, 1]))
    endSession('logged-out')
    await screen.findByRole('button', { name: 'Login' })
    expect(badge.shown).toEqual([1, 2, 0, 1, 0])
  })

  it('opens no socket for a visitor', async () => {
    // A visitor has a bottom navigation on a phone only.
    setWindowWidth(phonePx)
    app = await openApp({ path: '/home' })
    await goTo('Notification', /Welcome back/)
    expect(app.connections).toEqual([])
  })
})
