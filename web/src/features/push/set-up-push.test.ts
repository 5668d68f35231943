import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTask } from '../../lib/next-task.ts'
import { currentSession, endSession, startSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { type FakeServer, fakeServer } from '../../testing/fake-server.ts'
import { activationTimeoutMs } from './push-worker.ts'
import { removePushToken, setUpPush } from './set-up-push.ts'
import { type FakeBrowser, fakeBrowser } from './testing/fake-browser.ts'

const config = { apiKey: 'k', projectId: 'portal', messagingSenderId: '1', appId: 'a', vapidKey: 'B' }
const key = 'BDDtSFnNUaTH4NryIyphWxcc5KyznqlU2Rd7k1j2gAqQwMDVzUdDviRDmhEZsTd9xxiH3qlc7UKTIFLylq-1GJA'
const dayMs = 86_400_000
const registering = 'register /firebase-messaging-sw.js /firebase-cloud-messaging-push-scope'

let browser: FakeBrowser
let server: FakeServer
let nowMs: number
type Log = (text: string, error?: unknown) => void
const logged = { info: vi.fn<Log>(), warn: vi.fn<Log>(), error: vi.fn<Log>() }

beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 1)
  server = fakeServer()
  browser = fakeBrowser()
  server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key }))
  server.on('GET /notifications/push-config', () => ok({ config }))
  server.on('POST /notifications/token', () => ok({ message: 'Push token saved' }))
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(logged[level].mockClear())
  startSession({ user: aUser(), token: 'a-session' })
})
afterEach(() => {
  endSession('logged-out')
  localStorage.clear()
  browser.restore()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const setUp = () =>
  setUpPush({
    loadProvider: browser.loadProvider,
    now: () => nowMs,
    isCurrent: () => currentSession()?.token === 'a-session',
  })
const saved = () => localStorage.getItem('fcm_token')
const sent = () => server.requestsTo('POST /notifications/token').map(({ body }) => body)

describe('a user who allows notifications, of a portal with FCM,', () => {
  it('[L-22 F-2 F-5 F-14 F-15] is prompted, and gets a token that is stored and sent to the server', async () => {
    expect(await setUp()).toBe('a-push-token')
    expect(browser.calls).toEqual(['ask', registering, 'request token'])
    expect(saved()).toBe('a-push-token')
    expect(sent()).toEqual([{ token: 'a-push-token' }])
    expect(server.requestsTo('POST /notifications/token')[0]?.headers.get('authorization')).toBe('Bearer a-session')
  })
  it('[F-9] keeps the token for 7 days, and sends it to the server in each session', async () => {
    await setUp()
    browser.calls.length = 0
    nowMs += 7 * dayMs
    browser.provider.token = 'another-token'
    expect(await setUp()).toBe('a-push-token')
    expect(browser.calls).toEqual([registering])
    expect(sent()).toHaveLength(2)
  })
  it('[F-8] gets a new token after 7 days, once the old one is deleted and unsubscribed', async () => {
    await setUp()
    browser.calls.length = 0
    nowMs += 7 * dayMs + 1
    browser.provider.token = 'another-token'
    expect(await setUp()).toBe('another-token')
    expect(browser.calls).toEqual([registering, 'revoke token', 'unsubscribe', 'request token'])
    expect(saved()).toBe('another-token')
    expect(sent().at(-1)).toEqual({ token: 'another-token' })
  })
  it('gets a new token if the age is unknown or the browser has no subscription', async () => {
    localStorage.setItem('fcm_token', 'of-unknown-age')
    expect(await setUp()).toBe('a-push-token')
    browser.isSubscribed(false)
    browser.provider.token = 'another-token'
    expect(await setUp()).toBe('another-token')
  })
  it('[F-16] has no old token left if no new one is available', async () => {
    await setUp()
    nowMs += 8 * dayMs
    browser.provider.token = new Error('the provider is down')
    expect(await setUp()).toBeNull()
    expect(saved()).toBeNull()
    expect(logged.warn).toHaveBeenCalledWith('Push notifications could not be set up', browser.provider.token)
  })
})

describe('a user who allows notifications, of a portal without FCM,', () => {
  beforeEach(() => {
    server.on('GET /notifications/push-key', () => ok({ provider: 'web-push', key }))
  })
  const subscriptionNumber = (n: number) => {
    const json = { endpoint: `https://push.test/${n}`, expirationTime: null, keys: { p256dh: 'P', auth: 'A' } }
    return `webpush:${Buffer.from(JSON.stringify(json)).toString('base64url')}`
  }

  it('[L-22 F-2 F-5 F-14] is prompted, and the subscription of the browser is the token', async () => {
    expect(await setUp()).toBe(subscriptionNumber(1))
    expect(browser.calls).toEqual(['ask', registering, 'subscribe'])
    expect(saved()).toBe(subscriptionNumber(1))
    expect(sent()).toEqual([{ token: subscriptionNumber(1) }])
    expect(server.requestsTo('GET /notifications/push-config')).toEqual([])
  })
  it('[F-8 F-9] keeps it for 7 days, then unsubscribes and gets another', async () => {
    await setUp()
    nowMs += 7 * dayMs
    expect(await setUp()).toBe(subscriptionNumber(1))
    nowMs += 1
    browser.calls.length = 0
    expect(await setUp()).toBe(subscriptionNumber(2))
    expect(browser.calls).toEqual([registering, 'unsubscribe', 'subscribe'])
  })
  it('gets another if the server has another key, or the browser a subscription of someone else', async () => {
    await setUp()
    server.on('GET /notifications/push-key', () => ok({ provider: 'web-push', key: `B${'A'.repeat(86)}` }))
    expect(await setUp()).toBe(subscriptionNumber(2))
    localStorage.removeItem('fcm_token')
    expect(await setUp()).toBe(subscriptionNumber(3))
    localStorage.setItem('fcm_token', subscriptionNumber(7))
    expect(await setUp()).toBe(subscriptionNumber(4))
  })
  it('replaces a token of FCM, which served before', async () => {
    server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key }))
    await setUp()
    server.on('GET /notifications/push-key', () => ok({ provider: 'web-push', key }))
    browser.calls.length = 0
    expect(await setUp()).toBe(subscriptionNumber(1))
    expect(browser.calls).toEqual([registering, 'unsubscribe', 'subscribe'])
  })
  it('keeps the subscription when FCM begins to serve, until it is 7 days old', async () => {
    await setUp()
    server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key }))
    expect(await setUp()).toBe(subscriptionNumber(1))
    nowMs += 8 * dayMs
    browser.calls.length = 0
    expect(await setUp()).toBe('a-push-token')
    expect(browser.calls).toEqual([registering, 'unsubscribe', 'request token'])
  })
  it('has no subscription left after logging out', async () => {
    await setUp()
    browser.calls.length = 0
    endSession('logged-out')
    await removePushToken(browser.loadProvider)
    expect(saved()).toBeNull()
    expect(browser.calls).toEqual(['unsubscribe'])
  })
  it('[F-16] gets nothing if the browser has no push service, which is only logged', async () => {
    const failure = new DOMException('no push service', 'AbortError')
    Object.assign((await navigator.serviceWorker.getRegistration())?.pushManager ?? {}, {
      subscribe: () => Promise.reject(failure),
    })
    expect(await setUp()).toBeNull()
    expect(logged.warn).toHaveBeenCalledWith('Push notifications could not be set up', failure)
    expect(sent()).toEqual([])
  })
})

describe('push is not set up', () => {
  it('[F-6 F-16] if the user denies or dismisses the prompt', async () => {
    for (const answer of ['denied', 'default'] as const) {
      browser.hasPermission('default')
      browser.willAnswer(answer)
      expect(await setUp()).toBeNull()
    }
    expect(browser.calls).toEqual(['ask', 'ask'])
    expect(logged.info).toHaveBeenCalledTimes(2)
    expect(sent()).toEqual([])
  })
  it('if permission was denied before, without a prompt or a request', async () => {
    browser.hasPermission('denied')
    expect(await setUp()).toBeNull()
    expect(browser.calls).toEqual([])
    expect(server.requests).toEqual([])
  })
  it('if the session ends in the meantime', async () => {
    server.on('GET /notifications/push-key', () => {
      endSession('logged-out')
      return ok({ provider: 'web-push', key })
    })
    expect(await setUp()).toBeNull()
    expect(browser.calls).toEqual([])
  })
})

describe('a failure', () => {
  it('[F-16] is only logged', async () => {
    server.on('GET /notifications/push-key', () => problem(503, 'unavailable', 'Later'))
    expect(await setUp()).toBeNull()
    server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key }))
    server.on('GET /notifications/push-config', () => problem(503, 'unavailable', 'Later'))
    expect(await setUp()).toBeNull()
    server.on('GET /notifications/push-config', () => ok({ config }))
    browser.provider.token = ''
    expect(await setUp()).toBeNull()
    expect(logged.warn).toHaveBeenCalledTimes(3)
    expect(saved()).toBeNull()
    expect(sent()).toEqual([])
  })
  it('[F-16 F-22] is logged if the worker is not active within 10 seconds', async () => {
    vi.useFakeTimers()
    browser.installSlowly()
    const setting = setUp()
    // The two requests are each sent in a task of their own.
    await nextTask()
    await nextTask()
    await vi.advanceTimersByTimeAsync(activationTimeoutMs - 1)
    expect(logged.warn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await setting).toBeNull()
    expect(String(logged.warn.mock.calls[0]?.[1])).toContain('10000 ms')
  })
  it('[F-22] does not occur if the worker takes slightly less', async () => {
    vi.useFakeTimers()
    const activate = browser.installSlowly()
    const setting = setUp()
    await nextTask()
    await nextTask()
    await vi.advanceTimersByTimeAsync(activationTimeoutMs - 1)
    activate()
    expect(await setting).toBe('a-push-token')
  })
  it('[F-20] is logged and rethrown if the token cannot be sent to the server', async () => {
    server.on('POST /notifications/token', () => problem(503, 'unavailable', 'Not now'))
    await expect(setUp()).rejects.toThrow('Not now')
    expect(logged.error).toHaveBeenCalledWith('The push token could not be saved', expect.any(Error))
  })
})

describe('logging out', () => {
  it('deletes the token here and at the provider', async () => {
    await setUp()
    browser.calls.length = 0
    endSession('logged-out')
    await removePushToken(browser.loadProvider)
    expect(saved()).toBeNull()
    expect(browser.calls).toEqual(['revoke token', 'unsubscribe'])
  })
  it('ends the subscription even if the provider is unreachable', async () => {
    await setUp()
    endSession('logged-out')
    await removePushToken(() => Promise.reject(new Error('offline')))
    expect(saved()).toBeNull()
    expect(browser.calls.at(-1)).toBe('unsubscribe')
    expect(logged.warn).toHaveBeenCalledOnce()
  })
  it('keeps the token if a new session has started', async () => {
    await setUp()
    endSession('logged-out')
    startSession({ user: aUser(), token: 'another-session' })
    await removePushToken(browser.loadProvider)
    expect(saved()).toBe('a-push-token')
  })
})
