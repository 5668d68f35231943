import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aUser, ok, problem } from '../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../testing/fake-server.ts'
import { logOutOnServer, repeatLogOut } from './log-out.ts'
import { addPendingWork } from './pending-work.ts'
import { endSession, startSession } from './session.ts'
import { until } from '../testing/until.ts'

const call = 'POST /auth/logout'
let server: FakeServer

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  // Another test file may have left a logout waiting in this document.
  goOnline()
  startSession({ user: aUser(), token: 'the-token' })
  server = fakeServer()
})
afterEach(() => {
  endSession('logged-out')
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const goOnline = () => window.dispatchEvent(new Event('online'))
const logOutHere = async () => {
  await logOutOnServer()
  endSession('logged-out')
}

describe('a logout that did not reach the server', () => {
  test('is repeated once when the network is back', async () => {
    await logOutHere()
    await repeatLogOut()
    expect(server.requestsTo(call)).toHaveLength(2)
    server.on(call, () => ok({}))
    goOnline()
    await until(() => expect(localStorage.getItem('log_out_due')).toBeNull())
    expect(server.requestsTo(call)).toHaveLength(3)
    // The stored token is gone. The cookie identifies the session.
    expect(server.requestsTo(call)[2]?.headers.has('authorization')).toBe(false)
    goOnline()
    expect(server.requestsTo(call)).toHaveLength(3)
  })

  test('counts as done when the session has already ended on the server', async () => {
    server.on(call, () => problem(401, 'unauthenticated', 'Please log in'))
    await logOutHere()
    expect(localStorage.getItem('log_out_due')).toBeNull()
  })

  test('is not repeated after another login, which has replaced the cookie', async () => {
    await logOutHere()
    startSession({ user: aUser(), token: 'another' })
    await repeatLogOut()
    goOnline()
    expect(server.requestsTo(call)).toHaveLength(1)
    expect(localStorage.getItem('log_out_due')).toBeNull()
  })
})

describe('pending work', () => {
  test('is done before the logout request', async () => {
    server.on(call, () => ok({}))
    const seen: number[] = []
    addPendingWork(async () => {
      await Promise.resolve()
      seen.push(server.requestsTo(call).length)
    })
    await logOutHere()
    expect(seen).toEqual([0])
    expect(server.requestsTo(call)).toHaveLength(1)
  })

  test('that outlasts a new login does not end its session', async () => {
    addPendingWork(() => startSession({ user: aUser(), token: 'another' }))
    await logOutOnServer()
    expect(server.requestsTo(call)).toHaveLength(0)
  })
})
