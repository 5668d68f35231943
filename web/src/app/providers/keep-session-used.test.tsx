import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aUser, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const minuteMs = 60_000
let app: OpenApp
let profile: FakeAnswer | undefined
let offsetMs: number

/** The page's own clock; its timers run as ever. */
const pass = (ms: number) => {
  offsetMs += ms
}
beforeEach(() => {
  offsetMs = 0
  profile = undefined
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
})

const open = async () => {
  app = await openApp({
    path: '/profile/sessions',
    user: aUser(),
    answers: {
      'GET /user/sessions': () => ({ status: 200, body: { success: true, sessions: [] } }),
      'GET /user/profile': () => profile ?? problem(503, 'unavailable', 'Please try again later'),
    },
  })
  await screen.findByText('You are signed in nowhere else.')
}
const callsTo = (path: string) => app.requests.filter((request) => request.path === path)
const isLastUnattended = () => callsTo('/user/sessions').at(-1)?.headers.has(unattendedHeader)
const comeBack = () => act(() => document.dispatchEvent(new Event('visibilitychange')))
/** Presses a key now and then until `isDone`: the page loads this with its socket. */
const pressUntil = (isDone: () => void) =>
  until(async () => {
    pass(5 * minuteMs)
    await app.user.keyboard('a')
    isDone()
  })

it('[X-40] calls while nobody touches the page say so', async () => {
  await open()
  expect(isLastUnattended()).toBe(false)
  // The page loads this with its socket.
  await until(() => {
    pass(3 * minuteMs)
    comeBack()
    expect(isLastUnattended()).toBe(true)
  })
  await app.user.keyboard('a')
  comeBack()
  await until(() => expect(isLastUnattended()).toBe(false))
})

it('[X-40] who types for long without a call keeps the session', async () => {
  await open()
  await pressUntil(() => expect(callsTo('/user/profile')).toHaveLength(1))
  expect(callsTo('/user/profile')[0]?.headers.has(unattendedHeader)).toBe(false)
  await app.user.keyboard('bcd')
  expect(callsTo('/user/profile')).toHaveLength(1)
})

it('[X-40] a session that was idle for too long ends with the next touch, at the login page', async () => {
  await open()
  profile = problem(401, 'unauthenticated', 'Please log in')
  await pressUntil(() => expect(window.location.pathname).toBe('/login'))
  expect(await screen.findByText('Your session has ended. Please log in again.')).toBeDefined()
})
