import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenSession } from '@portal/contracts/auth/sessions'
import { sessionIdSchema } from '@portal/contracts/shared/ids'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const idOf = (n: number) => sessionIdSchema.parse(`01980000-0000-7000-8000-00000000000${n}`)
const startedAt = '2026-11-20T03:35:00.000Z'
const here: OpenSession = { id: idOf(1), device: 'Firefox on Linux', startedAt, usedAt: startedAt, isThis: true }
const usedAt = '2026-11-21T03:35:00.000Z'
const phone: OpenSession = { id: idOf(2), device: 'Chrome on Android', startedAt, usedAt, isThis: false }
const old: OpenSession = { id: idOf(3), device: 'A browser', isThis: false }

let app: OpenApp
let sessions: OpenSession[]

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: '/profile/sessions',
    user: aUser(),
    answers: {
      'GET /user/sessions': () => ok({ sessions }),
      'DELETE /user/sessions/:id': ({ path }) => {
        sessions = sessions.filter(({ id }) => path !== `/user/sessions/${id}`)
        return ok({ message: 'Signed out there' })
      },
      'DELETE /user/sessions': () => {
        const count = sessions.length - 1
        sessions = [here]
        return ok({ message: 'Signed out everywhere else', count })
      },
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Where you are signed in' })
}
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const confirm = async (question: string) => {
  const dialog = await screen.findByRole('dialog', { name: question })
  await app.user.click(within(dialog).getByRole('button', { name: 'Sign out' }))
}
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name, { selector: '.name' })).closest('li')
  if (!row) throw new Error(`${name} is in no row`)
  return within(row)
}
const focusIsOnTitle = () => until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))

beforeEach(() => {
  sessions = [here, phone, old]
})
afterEach(() => app.close())

describe('where a user is signed in', () => {
  it('[X-38] has device and times of each, and marks this one, which cannot be signed out', async () => {
    await open()
    const first = await rowOf('Firefox on Linux')
    expect(first.getByText('This device')).toBeDefined()
    expect(first.getByText('Signed in Nov 20, 2026 • 3:35 AM')).toBeDefined()
    expect(first.queryByRole('button')).toBeNull()
    const second = await rowOf('Chrome on Android')
    expect(second.getByText('Signed in Nov 20, 2026 • 3:35 AM · Last used Nov 21, 2026 • 3:35 AM')).toBeDefined()
    expect((await rowOf('A browser')).queryByText(/Signed in|Last used/)).toBeNull()
  })

  it('[X-38] is a page of admins, too, below their profile, also where a link from a mail leads', async () => {
    app = await openApp({
      path: '/profile/sessions',
      user: aUser({ role: 'admin' }),
      answers: { 'GET /user/sessions': () => ok({ sessions: [here] }) },
    })
    expect(await screen.findByText('You are signed in nowhere else.')).toBeDefined()
    expect(window.location.pathname).toBe('/admin/profile/sessions')
    await app.user.click(screen.getByRole('link', { name: 'Back to your profile' }))
    await app.user.click(await screen.findByRole('link', { name: 'Where you are signed in' }))
    expect(window.location.pathname).toBe('/admin/profile/sessions')
  })

  it('[X-38] is loaded again when the user returns, and on request after a failure', async () => {
    let answer: FakeAnswer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'GET /user/sessions': () => answer })
    expect(await screen.findByText('Your devices could not be loaded.')).toBeDefined()
    answer = ok({ sessions: [here, phone] })
    await app.user.click(await button('Try again'))
    await rowOf('Chrome on Android')
    answer = ok({ sessions: [here, old] })
    document.dispatchEvent(new Event('visibilitychange'))
    await rowOf('A browser')
  })
})

describe('signing out elsewhere', () => {
  it('[X-39] ends one session after a question, which can be canceled', async () => {
    await open()
    await app.user.click(await button('Sign out Chrome on Android'))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    expect(sessions).toHaveLength(3)
    await app.user.click(await button('Sign out Chrome on Android'))
    await confirm('Sign out Chrome on Android?')
    expect(await screen.findByText('Chrome on Android signed out')).toBeDefined()
    expect(sessions).toEqual([here, old])
    await focusIsOnTitle()
  })

  it('[X-39] ends all others, and then offers it no more', async () => {
    await open()
    await app.user.click(await button('Sign out all others'))
    await confirm('Sign out all other devices?')
    expect(await screen.findByText('All other devices signed out')).toBeDefined()
    expect(sessions).toEqual([here])
    expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull()
    await focusIsOnTitle()
  })

  it('[X-39] says why it failed and keeps the list; a session that is gone meanwhile is no failure', async () => {
    let answer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'DELETE /user/sessions/:id': () => answer })
    await app.user.click(await button('Sign out A browser'))
    await confirm('Sign out A browser?')
    expect(await screen.findByText('Please try again later')).toBeDefined()
    await rowOf('A browser')
    answer = problem(404, 'not-found', 'This device is no longer signed in')
    await app.user.click(await button('Sign out A browser'))
    await confirm('Sign out A browser?')
    expect(await screen.findByText('A browser signed out')).toBeDefined()
  })
})
