import { logIn } from '@portal/contracts/auth/http'
import { listNotifications, readNotification } from '@portal/contracts/notifications/inbox-http'
import { listUniversities, removeUniversity } from '@portal/contracts/catalog/http'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser } from '../testing/fake-portal.ts'
import { idOf } from '../testing/fake-inbox.ts'
import { call } from './http.ts'
import { currentSession, endSession, startSession } from './session.ts'

type SentRequest = { readonly url: string; readonly init: RequestInit }
let sentRequests: SentRequest[]

const respondWith = (response: () => Response | Promise<Response>) => {
  sentRequests = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sentRequests.push({ url, init })
    return response()
  })
}
const json = (status: number, body: unknown) => () => new Response(JSON.stringify(body), { status })
const headersOf = () => new Headers(sentRequests[0]?.init.headers)

describe('call', () => {
  beforeEach(() => startSession({ user: aUser(), token: 'the-token' }))
  afterEach(() => {
    endSession('logged-out')
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('[G-49 G-50] requests JSON with cookies and the token, and returns the parsed response', async () => {
    const pagination = { page: 2, limit: 10, total: 0, totalPages: 0 }
    const body = { success: true, notifications: [], pagination, epoch: 'first', seq: 3, unread: 0 }
    respondWith(json(200, body))
    expect(await call(listNotifications, { query: { page: 2, limit: 10 } })).toEqual({ success: true, data: body })
    expect(sentRequests[0]?.url).toBe('/notifications?page=2&limit=10')
    expect(sentRequests[0]?.init.credentials).toBe('include')
    expect(headersOf().get('accept')).toBe('application/json')
    expect(headersOf().get('authorization')).toBe('Bearer the-token')
  })

  it('[G-50] sends the token to public routes, where a 401 does not end the session', async () => {
    respondWith(json(401, { success: false, code: 'unauthenticated', message: 'Invalid credentials' }))
    const response = await call(logIn, { body: { personalEmail: 'a@b.c', password: 'x' } })
    expect(response).toMatchObject({ success: false, message: 'Invalid credentials' })
    expect(headersOf().get('authorization')).toBe('Bearer the-token')
    expect(headersOf().get('content-type')).toBe('application/json')
    expect(currentSession()).not.toBeNull()
  })

  it('sends no token without a session', async () => {
    endSession('logged-out')
    respondWith(json(200, []))
    await call(listUniversities, {})
    expect(headersOf().has('authorization')).toBe(false)
  })

  it('sends the token only to its own origin', async () => {
    respondWith(json(200, {}))
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    await call(listNotifications, { query: {} })
    await call(listUniversities, {})
    expect(sentRequests.map(({ url }) => new URL(url, window.location.origin).origin)).toEqual([
      window.location.origin,
      window.location.origin,
    ])
  })

  it('sends a key with each change, the same one for a repetition after a lost answer or a failure, another one after an answer', async () => {
    const keys = () => sentRequests.map(({ init }) => new Headers(init.headers).get('idempotency-key'))
    const logInAs = (personalEmail: string) => call(logIn, { body: { personalEmail, password: 'x' } })
    respondWith(json(200, []))
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(console, 'error').mockReturnValue()
    await call(listUniversities, {})
    expect(keys()).toEqual([null])
    const answers: (() => Response)[] = [
      () => {
        throw new TypeError('Failed to fetch')
      },
      json(503, {}),
      json(401, {}),
      json(401, {}),
    ]
    const asked: typeof sentRequests = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      asked.push({ url, init })
      const next = answers.shift()
      if (!next) throw new Error('no answer is left')
      return next()
    })
    for (let n = 0; n < 4; n++) await logInAs('a@b.c')
    sentRequests = asked
    const [first, second, third, fourth] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
  })

  it('starts a new trace for each request that changes data', async () => {
    respondWith(json(200, {}))
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    for (let n = 0; n < 2; n++) await call(readNotification, { params: { id: idOf(1) } })
    await call(listNotifications, { query: {} })
    const [first, second, read] = sentRequests.map(({ init }) => new Headers(init.headers).get('traceparent'))
    expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(second).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(second).not.toBe(first)
    expect(read).toBeNull()
  })

  it('[G-51] treats 204 as success', async () => {
    respondWith(() => new Response(null, { status: 204 }))
    expect(await call(removeUniversity, { params: { id: idOf(1) } })).toMatchObject({ success: true })
  })

  it.each([
    [403, { success: false, code: 'forbidden', message: 'Not for you' }, 'Not for you'],
    [500, { message: 'From elsewhere' }, 'From elsewhere'],
    [502, ['no', 'message'], 'The server answered with status 502'],
    [200, { success: true }, 'The server sent an unexpected answer'],
  ])('[G-53] fails with a message on status %i and body %j', async (status, body, message) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    respondWith(json(status, body))
    expect(await call(listNotifications, { query: {} })).toMatchObject({ success: false, message })
  })

  it.each([
    [200, 'The server sent an answer that is not JSON'],
    [502, 'The server answered with status 502'],
    [413, 'This is more than the server accepts at once. Send it in several parts.'],
  ])('[G-52] fails on status %i without JSON', async (status, message) => {
    respondWith(() => new Response('<html>', { status }))
    expect(await call(listNotifications, { query: {} })).toEqual({ success: false, message })
  })

  it('[G-55] reports a network error when no server is reachable', async () => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
    respondWith(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await call(listNotifications, { query: {} })).toEqual({
      success: false,
      message: networkErrorMessage,
      isNetworkError: true,
    })
  })

  it('[E3] does not call an error of the portal’s own code a network error', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
    vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
      throw new TypeError('AbortSignal.any is not a function')
    })
    expect(await call(listNotifications, { query: {} })).toEqual({
      success: false,
      message: 'Something went wrong on this page. Reload it and try again.',
    })
    expect(log).toHaveBeenCalledWith('GET /notifications failed', expect.any(TypeError))
  })

  it('ends the session on a 401, unless a new session has started meanwhile', async () => {
    const problem = { success: false, code: 'unauthenticated', message: 'Please log in' }
    respondWith(() => {
      startSession({ user: aUser(), token: 'a-newer-token' })
      return json(401, problem)()
    })
    await call(readNotification, { params: { id: idOf(1) } })
    expect(currentSession()?.token).toBe('a-newer-token')
    respondWith(json(401, problem))
    await call(readNotification, { params: { id: idOf(1) } })
    expect(currentSession()).toBeNull()
    expect(localStorage.getItem('token')).toBeNull()
  })
})
