import { userIdSchema } from '@portal/contracts/shared/ids'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from '../../features/push/testing/fake-browser.ts'
import { endSession } from '../../lib/session.ts'
import { aUser, ok } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(async () => {
  await app.close()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const asked = (path: string) => app.requests.filter((request) => request.path === path).length
const isFollowing = () => waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))

/** By the bottom bar, to the page that has this title. */
const goTo = async (name: string, title: RegExp) => {
  await app.user.click(await screen.findByRole('link', { name: new RegExp(`${name}$`) }))
  await screen.findByRole('heading', { level: 1, name: title })
}

/** As the storage event of a log-in in another tab tells it. */
const logInElsewhere = (session: { user: object; token: string }) => {
  localStorage.setItem('user', JSON.stringify(session.user))
  localStorage.setItem('token', session.token)
  window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn' }))
}

describe('a session', () => {
  it('has one connection, one look at the inbox and one set-up of push, from whichever page to whichever', async () => {
    fakeBrowser()
    app = await openApp({
      path: '/profile',
      user: aUser(),
      arrange: (inbox) => void inbox.arrive(),
      answers: { 'GET /notifications/push-config': () => ok({ config: null }) },
    })
    await isFollowing()
    await waitFor(() => expect(asked('/notifications/push-config')).toBe(1))
    await goTo('Notification', /^Notifications$/)
    await goTo('Home', /^Good /)
    await goTo('Notification', /^Notifications$/)
    await goTo('Home', /^Good /)
    app.happen((inbox) => void inbox.arrive({ title: 'Exam on Friday' }))
    await isFollowing()
    expect(app.connections).toEqual(['a-token'])
    expect(asked('/notifications/unread/count')).toBe(1)
    expect(asked('/notifications/push-config')).toBe(1)
  })

  it('takes its connection along when it ends', async () => {
    app = await openApp({ path: '/profile', user: aUser(), arrange: (inbox) => void inbox.arrive() })
    await isFollowing()
    endSession('logged-out')
    await screen.findByRole('button', { name: 'Login' })
    await waitFor(() => expect(app.openConnections()).toEqual([]))
    expect(app.connections).toEqual(['a-token'])
  })

  it('of somebody else has a connection and an inbox of its own', async () => {
    app = await openApp({ path: '/profile', user: aUser(), arrange: (inbox) => void inbox.arrive() })
    await isFollowing()
    const rohan = aUser({ _id: userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb'), fullName: 'Rohan Mehta' })
    logInElsewhere({ user: rohan, token: 'another-token' })
    await screen.findByText('Rohan Mehta')
    await waitFor(() => expect(app.openConnections()).toEqual(['another-token']))
    await waitFor(() => expect(asked('/notifications/unread/count')).toBe(2))
    expect(app.connections).toEqual(['a-token', 'another-token'])
  })

  it('is what a visitor has none of', async () => {
    app = await openApp({ path: '/home' })
    await screen.findByRole('link', { name: 'Login' })
    await goTo('Notification', /Welcome back/)
    expect(app.connections).toEqual([])
  })
})
