import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog } from '../testing/fake-catalog.ts'
import { aUser } from '../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../testing/open-app.tsx'

let app: OpenApp
const path = () => window.location.pathname + window.location.search

const setOnline = (online: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
}

/** Also those that did not reach the portal. */
const requestsTo = (call: RegExp) => app.attempts.filter((attempt) => call.test(attempt))

/** Fires the storage event of a change in another tab. */
const fireStorageEvent = (key: string | null) =>
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage })))

afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
})

describe('a lost network', () => {
  it('shows the offline notice until it is back', async () => {
    app = await openApp({ path: '/login' })
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByText(networkErrorMessage)).toBeNull()
    setOnline(false)
    expect(screen.getByText(networkErrorMessage).closest('[aria-live="polite"]')).not.toBeNull()
    setOnline(true)
    expect(screen.queryByText(networkErrorMessage)).toBeNull()
  })

  it('loads the page as soon as it is back, without a click', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive({ title: 'The hall is closed' }),
      startsOnline: false,
    })
    await screen.findByText('Failed to load notifications. Please try again later.')
    app.setOnline(true)
    setOnline(true)
    expect(await screen.findByText('The hall is closed')).toBeDefined()
  })

  it('opens a notification of the loaded list without an error, and marks it as read later', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive({ title: 'The hall is closed', message: 'Come to room 4.' }),
    })
    const link = await screen.findByRole('link', { name: /The hall is closed/ })
    app.setOnline(false)
    setOnline(false)
    await app.user.click(link)
    await screen.findByText('Come to room 4.')
    await waitFor(() => expect(requestsTo(/^GET .*\d$/)).not.toEqual([]))
    await waitFor(() => expect(requestsTo(/^PUT /)).not.toEqual([]))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(screen.getByText('1 unread')).toBeDefined()
    app.setOnline(true)
    setOnline(true)
    await waitFor(() => expect(app.inbox.head().unread).toBe(0))
  })

  it('shows one failure on My Programs, and one way to try again', async () => {
    app = await openApp({
      path: '/my-program',
      user: aUser(),
      answers: catalogAnswers(fakeCatalog([aProgram(1)])),
      startsOnline: false,
    })
    await screen.findByText('Error loading programs')
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(1))
    app.setOnline(true)
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('You are not enrolled in any program yet')
    await screen.findByText('Minor 1')
  })
})

describe('two tabs', () => {
  it('are both logged out when one logs out', async () => {
    app = await openApp({ path: '/profile', user: aUser() })
    await screen.findByRole('button', { name: 'Logout' })
    for (const key of ['user', 'token', 'isLoggedIn']) localStorage.removeItem(key)
    fireStorageEvent('isLoggedIn')
    await waitFor(() => expect(path()).toBe('/login'))
  })

  it('are both logged in, and redirect to their own pages, when one logs in', async () => {
    app = await openApp({ path: '/my-program?from=mail' })
    await waitFor(() => expect(path()).toBe('/login'))
    localStorage.setItem('user', JSON.stringify(aUser()))
    localStorage.setItem('token', 'a-token')
    localStorage.setItem('isLoggedIn', 'true')
    fireStorageEvent('isLoggedIn')
    await waitFor(() => expect(path()).toBe('/my-program?from=mail'))
    await waitFor(() => expect(app.requests.some(({ path: called }) => called.startsWith('/notifications'))).toBe(true))
  })

  it('show the same name after one has changed it', async () => {
    app = await openApp({ path: '/home', user: aUser() })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(document.body.textContent).toContain('Ananya'))
    localStorage.setItem('user', JSON.stringify(aUser({ fullName: 'Bhavna Rao' })))
    fireStorageEvent('user')
    await waitFor(() => expect(document.body.textContent).toContain('Bhavna'))
  })
})

describe('a route change', () => {
  it('is announced to screen readers and moves the focus to the content', async () => {
    app = await openApp({ path: '/notification', user: aUser(), setUpInbox: (inbox) => void inbox.arrive() })
    await screen.findByRole('heading', { name: 'Notifications' })
    await app.user.click(screen.getByRole('link', { name: /Profile/ }))
    await waitFor(() => expect(path()).toBe('/profile'))
    await waitFor(() => expect(document.title).toContain('Profile'))
    await waitFor(() =>
      expect([...document.querySelectorAll('[aria-live="polite"]')].map((region) => region.textContent)).toContain(
        document.title.replace(/^\(\d+\) /, ''),
      ),
    )
    expect(document.activeElement?.id).toBe('content')
  })
})
