import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { type FakeServer, fakeServer } from '../../testing/fake-server.ts'
import { type FakeBrowser, fakeBrowser } from './testing/fake-browser.ts'
import { turnPushOff, turnPushOn } from './turn-push.ts'
import { isTurnedOff } from './turned-off.ts'

const otherId = userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb')
const config = { apiKey: 'k', projectId: 'portal', messagingSenderId: '1', appId: 'a', vapidKey: 'B' }

let browser: FakeBrowser
let server: FakeServer
let tokens: unknown[]

beforeEach(() => {
  tokens = []
  server = fakeServer()
  browser = fakeBrowser()
  server.on('GET /notifications/push-key', () => ok({ provider: 'fcm', key: 'AQID' }))
  server.on('GET /notifications/push-config', () => ok({ config }))
  server.on('POST /notifications/token', ({ body }) => {
    tokens.push(body)
    return ok({ message: 'Push token saved' })
  })
  server.on('DELETE /user/devices/device-1', () => ok({ message: 'Device removed' }))
  startSession({ user: aUser(), token: 'a-session' })
})
afterEach(() => {
  endSession('logged-out')
  localStorage.clear()
  browser.restore()
  vi.restoreAllMocks()
})

const turnOn = () => turnPushOn(browser.loadProvider)

describe('turning push on', () => {
  it('asks for the permission before anything else happens in the tap', () => {
    const turning = turnOn()
    expect(browser.calls).toEqual(['ask'])
    return turning
  })

  it('registers another token than the one that the server may no longer accept', async () => {
    browser.hasPermission('granted')
    browser.isSubscribed(true)
    localStorage.setItem('fcm_token', 'removed-token')
    localStorage.setItem('fcm_token_saved_at', String(Date.now()))
    expect(await turnOn()).toBe('on')
    expect(browser.calls).toContain('unsubscribe')
    expect(tokens).toEqual([{ token: 'a-push-token' }])
    expect(localStorage.getItem('fcm_token')).toBe('a-push-token')
  })

  it('does nothing without the permission', async () => {
    browser.willAnswer('denied')
    expect(await turnOn()).toBe('not-permitted')
    expect(tokens).toEqual([])
  })

  it('says that it failed if the browser has no token, or the server does not save it', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(console, 'error').mockReturnValue()
    browser.provider.token = new Error('no push service')
    expect(await turnOn()).toBe('failed')
    browser.provider.token = 'a-push-token'
    server.on('POST /notifications/token', () => problem(503, 'unavailable', 'Please try again later'))
    expect(await turnOn()).toBe('failed')
  })
})

describe('turning push off', () => {
  it('removes the device and its subscription, and stays so at the next start, for this user', async () => {
    await turnOn()
    expect(await turnPushOff('device-1')).toMatchObject({ success: true })
    expect(server.requestsTo('DELETE /user/devices/device-1')).toHaveLength(1)
    expect(browser.calls.at(-1)).toBe('unsubscribe')
    expect(localStorage.getItem('fcm_token')).toBeNull()
    expect(isTurnedOff()).toBe(true)
    startSession({ user: aUser({ _id: otherId }), token: 'of-another' })
    expect(isTurnedOff()).toBe(false)
  })

  it('is taken back by turning it on', async () => {
    await turnPushOff('device-1')
    expect(await turnOn()).toBe('on')
    expect(isTurnedOff()).toBe(false)
  })

  it('changes nothing if the server does not answer', async () => {
    await turnOn()
    server.on('DELETE /user/devices/device-1', () => problem(503, 'unavailable', 'Please try again later'))
    expect(await turnPushOff('device-1')).toMatchObject({ success: false })
    expect([isTurnedOff(), localStorage.getItem('fcm_token')]).toEqual([false, 'a-push-token'])
  })
})
