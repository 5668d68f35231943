import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser, ok } from '../../testing/fake-portal.ts'
import { type FakeServer, fakeServer } from '../../testing/fake-server.ts'
import { defaultIcon } from './worker/message.ts'
import { isTurnedOff } from './turned-off.ts'
import { startPush } from './start-push.ts'
import { type FakeBrowser, fakeBrowser } from './testing/fake-browser.ts'
import { until } from '../../testing/until.ts'

const config = { apiKey: 'k', projectId: 'portal', messagingSenderId: '1', appId: 'a', vapidKey: 'B' }

let browser: FakeBrowser
let server: FakeServer
let opened: string[]
let stop: () => void
let sessions = 0

const start = () =>
  startPush({
    sessionToken: `session-${sessions}`,
    openPage: (path) => void opened.push(path),
    loadProvider: browser.loadProvider,
  })

beforeEach(() => {
  opened = []
  window.dataLayer = []
  server = fakeServer()
  browser = fakeBrowser()
  server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key: 'B' }))
  server.on('GET /notifications/push-config', () => ok({ config }))
  server.on('POST /notifications/token', () => ok({ message: 'Push token saved' }))
  startSession({ user: aUser(), token: `session-${++sessions}` })
  stop = start()
})
afterEach(async () => {
  stop()
  endSession('logged-out')
  localStorage.clear()
  browser.restore()
})

const message = { notificationId: 'n1', title: 'Exam', body: 'On Monday', url: '/notification/n1' }
const receives = (changes: Partial<typeof message> = {}) =>
  browser.workerSays({ kind: 'push-received', message: { ...message, ...changes } })

it('stays off at the next start if the user has removed this device from another one', async () => {
  await until(() => expect(server.requestsTo('POST /notifications/token')).toHaveLength(1))
  server.on('POST /notifications/token', () => ok({ message: 'This device was removed', isRemoved: true }))
  stop()
  stop = start()
  await until(() => expect(isTurnedOff()).toBe(true))
  stop()
  const keyRequests = server.requestsTo('GET /notifications/push-key').length
  stop = start()
  expect(await receives()).toEqual({ taken: true })
  expect(server.requestsTo('GET /notifications/push-key')).toHaveLength(keyRequests)
})

describe('a push to a visible page', () => {
  it('[F-1 F-23 F-25] is shown with the icon, and tracked', async () => {
    expect(await receives()).toEqual({ taken: true })
    await until(() =>
      expect(browser.shown).toEqual([
        {
          title: 'Exam',
          options: {
            body: 'On Monday',
            icon: '/icons/icon-192.png',
            tag: 'n1',
            data: { url: '/notification/n1' },
          },
        },
      ]),
    )
    expect(window.dataLayer).toEqual([{ event: 'notification_foreground', notificationId: 'n1' }])
  })
  it('[F-23] has an icon of 192 × 192', async () => {
    const png = await readFile(join(import.meta.dirname, '../../../public', defaultIcon))
    // The first chunk of a PNG begins with its width and height.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([192, 192])
  })
  it('[F-24] opens the list by default', async () => {
    await receives({ url: '' })
    await until(() => expect(browser.shown[0]?.options.data).toEqual({ url: '/notification' }))
  })
  it('[F-12] is not shown without title and body, but tracked', async () => {
    await receives({ title: '' })
    await receives({ body: '' })
    await receives({ notificationId: 'n2' })
    await until(() => expect(browser.shown.map(({ options }) => options.tag)).toEqual(['n2']))
    expect(window.dataLayer).toHaveLength(3)
  })
})

describe('a click on a notification', () => {
  it('[F-25] opens its page, and is tracked', async () => {
    expect(await browser.workerSays({ kind: 'push-opened', url: '/notification/n1' })).toEqual({ taken: true })
    expect(opened).toEqual(['/notification/n1'])
    expect(window.dataLayer).toEqual([{ event: 'notification_open', url: '/notification/n1' }])
  })
  it('is left to the worker, which has opened the page itself, if this one was frozen meanwhile', () => {
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now)
    const sayAfter = (ageMs: number) =>
      void browser.workerSays({ kind: 'push-opened', url: `/notification/n${ageMs}`, postedAtMs: now - ageMs })
    // The worker waits for 500 ms, of which the answer needs a part.
    sayAfter(401)
    sayAfter(400)
    void browser.workerSays({ kind: 'push-received', message, postedAtMs: now - 60_000 })
    vi.restoreAllMocks()
    expect(opened).toEqual(['/notification/n400'])
    expect(browser.shown).toEqual([])
    expect(window.dataLayer).toHaveLength(1)
  })
  it('is not tracked by a page whose session has ended', () => {
    stop()
    void browser.workerSays({ kind: 'push-opened', url: '/notification/n1' })
    expect(opened).toEqual([])
    expect(window.dataLayer).toEqual([])
  })
  it('is ignored if the message is invalid', () => {
    for (const noise of [null, 'x', { kind: 'push-opened' }, { kind: 'other', url: '/x' }])
      void browser.workerSays(noise)
    expect(opened).toEqual([])
  })
})

describe('a session', () => {
  it('gets a new token when the browser drops the subscription', async () => {
    await until(() => expect(server.requestsTo('POST /notifications/token')).toHaveLength(1))
    browser.isSubscribed(false)
    browser.provider.token = 'another-token'
    await browser.workerSays({ kind: 'push-subscription-changed' })
    await until(() =>
      expect(server.requestsTo('POST /notifications/token').at(-1)?.body).toEqual({ token: 'another-token' }),
    )
  })
  it('deletes its token when it ends', async () => {
    await until(() => expect(localStorage.getItem('fcm_token')).toBe('a-push-token'))
    endSession('logged-out')
    stop()
    await until(() => expect(localStorage.getItem('fcm_token')).toBeNull())
    await until(() => expect(browser.calls).toContain('revoke token'))
  })
  it('after the account was deactivated and reactivated registers this browser by itself', async () => {
    const sent = () => server.requestsTo('POST /notifications/token').map(({ body }) => Object(body).token)
    const logIn = () => {
      startSession({ user: aUser(), token: `session-${++sessions}` })
      stop = start()
    }
    await until(() => expect(sent()).toEqual(['a-push-token']))
    // The page is open when its session ends.
    endSession('ended')
    stop()
    await until(() => expect(browser.calls).toContain('unsubscribe'))
    browser.provider.token = 'another-token'
    logIn()
    await until(() => expect(sent()).toEqual(['a-push-token', 'another-token']))
    // The page is closed meanwhile.
    stop()
    logIn()
    await until(() => expect(sent()).toEqual(['a-push-token', 'another-token', 'another-token']))
    expect(browser.calls.filter((call) => call === 'ask')).toHaveLength(1)
  })
  it('leaves no push on the screen when it ends', async () => {
    await until(() => expect(server.requestsTo('POST /notifications/token')).toHaveLength(1))
    await receives()
    await until(() => expect(browser.shown).toHaveLength(1))
    const { revokeToken } = browser.provider
    browser.provider.revokeToken = async (known) => {
      // It was under way.
      await (await navigator.serviceWorker.getRegistration())?.showNotification('Late', { tag: 'n2' })
      return revokeToken(known)
    }
    endSession('ended')
    stop()
    await until(() => expect(browser.calls).toContain('revoke token'))
    await until(() => expect(browser.shown).toEqual([]))
  })
  it('deletes its token also if the browser does not tell what it shows', async () => {
    await until(() => expect(localStorage.getItem('fcm_token')).toBe('a-push-token'))
    vi.spyOn(console, 'warn').mockReturnValue()
    const worker = await navigator.serviceWorker.getRegistration()
    Object.assign(worker ?? {}, { getNotifications: () => Promise.reject(new Error('denied')) })
    endSession('logged-out')
    stop()
    await until(() => expect(browser.calls).toContain('revoke token'))
    expect(localStorage.getItem('fcm_token')).toBeNull()
    vi.restoreAllMocks()
  })
  it('that ended before this was loaded sends no request, and still deletes its token', async () => {
    await until(() => expect(server.requestsTo('POST /notifications/token')).toHaveLength(1))
    stop()
    const { length } = server.requests
    endSession('logged-out')
    const stopLate = start()
    stopLate()
    await until(() => expect(browser.calls).toContain('unsubscribe'))
    expect(localStorage.getItem('fcm_token')).toBeNull()
    expect(server.requests).toHaveLength(length)
  })
})
