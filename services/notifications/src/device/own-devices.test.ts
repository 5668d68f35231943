import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { listDevices, removeDevice, testDevice } from '@portal/contracts/notifications/devices'
import {
  listNotifications,
  listRecentNotifications,
  savePushToken,
  sendNotification,
  testNotification,
} from '@portal/contracts/notifications/http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { sessionIdAt } from '@portal/notifications/testing/samples'
import { until } from '@portal/platform/testing/until'
import type { DeviceEvent } from './events.ts'
import { pushTestsLimit, testSendsLimit } from './routes.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const android = 'Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person
/** Ada in another browser. */
let adaElsewhere: Person

beforeEach(async () => {
  harness = await startHarness({ timings: { graceMs: 20 } })
  ;({ admin, ada, ben } = await harness.cast())
  adaElsewhere = { ...ada, sessionId: sessionIdAt(100) }
})
afterEach(() => harness.stop())

const register = (as: Person, token: string, userAgent: string) =>
  harness.call(savePushToken, { as, body: { token }, headers: { 'user-agent': userAgent } })
const devicesOf = async (as: Person) => (await harness.call(listDevices, { as })).devices
const idOf = async (as: Person): Promise<string> => {
  const own = (await devicesOf(as)).find(({ isThis }) => isThis)
  if (!own) throw new Error('the session has no device')
  return own.id
}
const remove = (as: Person, id: string) => harness.inject(removeDevice, { as, params: { id } })
const test = (as: Person, id: string) => harness.inject(testDevice, { as, params: { id } })
const expectPushed = async (as: Person, title: string, tokens: readonly string[]) => {
  const body = { userIds: [as.userId], title, message: 'Message' }
  const { notificationId } = await harness.call(sendNotification, { as: admin, body })
  await until(async () => {
    const [progress] = await harness.context.service.progress.progressOf([notificationId])
    expect(progress).toMatchObject({ pending: 0 })
  })
  const pushed = harness.push.calls.filter(({ message }) => message.title === title).flatMap((call) => call.tokens)
  expect(pushed.toSorted()).toEqual(tokens)
}

describe('the list of devices', () => {
  it('names each by browser and system, the calling one first, and shows no token', async () => {
    await register(ada, 'desk-token', firefox)
    await register(adaElsewhere, 'phone-token', android)
    await register(ben, 'other-token', firefox)
    const addedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    const desk = { id: expect.any(String), name: 'Firefox on Linux', addedAt, usedAt: addedAt, isThis: true }
    const phone = { id: expect.any(String), name: 'Chrome on Android', addedAt, usedAt: addedAt, isThis: false }
    expect(await devicesOf(ada)).toEqual([desk, phone])
    expect(await devicesOf(adaElsewhere)).toEqual([
      { ...phone, isThis: true },
      { ...desk, isThis: false },
    ])
    expect((await harness.inject(listDevices, { as: ada })).body).not.toContain('-token')
    expect((await harness.inject(listDevices, {})).statusCode).toBe(401)
  })

  it('has a browser once that got another token, and none whose session has ended', async () => {
    await register(ada, 'old-token', firefox)
    await register(ada, 'new-token', firefox)
    await register(adaElsewhere, 'phone-token', android)
    expect((await devicesOf(ada)).map(({ name }) => name)).toEqual(['Firefox on Linux', 'Chrome on Android'])
    const { userId, sessionId } = adaElsewhere
    await harness.record(ada, { type: 'SessionEnded', data: { userId, sessionId, reason: 'logged-out' } })
    expect((await devicesOf(ada)).map(({ name }) => name)).toEqual(['Firefox on Linux'])
  })

  it('calls a device of an earlier release “A device”, and says when it is used', async () => {
    const { vault, eventStore } = harness.context
    const { userId, sessionId } = adaElsewhere
    const tokenIndex = vault.index('push-token', 'phone-token')
    const token = encryptedTextSchema.parse('encrypted')
    const registered: DeviceEvent = { type: 'PushTokenRegistered', data: { tokenIndex, userId, sessionId, token } }
    await eventStore.append(`device-${tokenIndex}`, 'any', [{ id: crypto.randomUUID(), ...registered }])
    await harness.untilProjected()
    expect(await devicesOf(ada)).toEqual([{ id: tokenIndex, name: 'A device', isThis: false }])
    await register(adaElsewhere, 'phone-token', android)
    expect(await devicesOf(ada)).toEqual([
      { id: tokenIndex, name: 'A device', usedAt: expect.any(String), isThis: false },
    ])
  })
})

describe('a removed device', () => {
  it('gets no pushes, although its browser registers the token at each start, and others get theirs', async () => {
    await register(ada, 'old-token', firefox)
    await register(ada, 'desk-token', firefox)
    await register(adaElsewhere, 'phone-token', android)
    const removed = await remove(adaElsewhere, await idOf(ada))
    expect(removed.json()).toEqual({ success: true, message: 'Device removed' })
    expect(await register(ada, 'desk-token', firefox)).toEqual({
      success: true,
      message: 'This device was removed',
      isRemoved: true,
    })
    expect((await devicesOf(ada)).map(({ name }) => name)).toEqual(['Chrome on Android'])
    await expectPushed(ada, 'After the removal', ['phone-token'])
  })

  it('comes back with another token', async () => {
    await register(ada, 'desk-token', firefox)
    await remove(ada, await idOf(ada))
    await register(ada, 'another-token', firefox)
    await expectPushed(ada, 'Turned on again', ['another-token'])
  })

  it('is one of the caller, and registered', async () => {
    await register(ada, 'desk-token', firefox)
    const id = await idOf(ada)
    for (const [as, device] of [
      [ben, id],
      [ada, 'unknown'],
    ] as const) {
      const refused = await remove(as, device)
      expect([refused.statusCode, refused.json()]).toMatchObject([
        404,
        { message: 'This device is no longer registered' },
      ])
    }
    await remove(ada, id)
    expect((await remove(ada, id)).statusCode).toBe(404)
  })
})

describe('a test', () => {
  it('is pushed to the one device, and is in no inbox and no history', async () => {
    await register(ada, 'desk-token', firefox)
    await register(adaElsewhere, 'phone-token', android)
    const { eventStore } = harness.context
    const before = await eventStore.end()
    const answer = await test(adaElsewhere, await idOf(ada))
    const testId = expect.any(String)
    expect(answer.json()).toEqual({
      success: true,
      message: 'The push service has accepted the test',
      testId,
      outcome: 'accepted',
    })
    expect(harness.push.calls).toEqual([
      {
        tokens: ['desk-token'],
        message: {
          notificationId: answer.json<{ testId: string }>().testId,
          title: 'Test notification',
          body: 'This device gets notifications.',
          url: '/profile/notifications',
          type: 'General',
        },
      },
    ])
    expect(await eventStore.end()).toEqual(before)
    expect(await harness.call(listNotifications, { as: ada })).toMatchObject({ notifications: [], unread: 0 })
  })

  it('of a token that the provider no longer knows removes the device', async () => {
    await register(ada, 'desk-token', firefox)
    harness.push.answer = () => ({ kind: 'unregistered' })
    expect((await test(ada, await idOf(ada))).json()).toMatchObject({
      outcome: 'unregistered',
      message: 'This device no longer gets notifications. Turn them on again there',
    })
    await harness.untilProjected()
    expect(await devicesOf(ada)).toEqual([])
  })

  it('says what is wrong with the provider', async () => {
    await register(ada, 'desk-token', firefox)
    const id = await idOf(ada)
    const outcomes = []
    for (const answer of [
      () => ({ kind: 'unavailable', reason: 'down' }) as const,
      () => ({ kind: 'failed', reason: 'bad' }) as const,
      () => Promise.reject(new Error('the connection broke')),
    ]) {
      harness.push.answer = answer
      outcomes.push((await test(ada, id)).json<{ outcome: string }>().outcome)
    }
    expect(outcomes).toEqual(['unavailable', 'failed', 'unavailable'])
  })

  it('is limited to five in ten minutes, for a device of the caller', async () => {
    await register(ada, 'desk-token', firefox)
    const id = await idOf(ada)
    expect((await test(ben, id)).statusCode).toBe(404)
    expect((await test(ada, 'unknown')).statusCode).toBe(404)
    for (let n = 0; n < pushTestsLimit.max; n++) expect((await test(ada, id)).statusCode).toBe(200)
    const refused = await test(ada, id)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { message: 'Too many tests. Please try again in 10 minutes.', retryAfterSeconds: expect.any(Number) },
    ])
    expect(harness.push.calls).toHaveLength(pushTestsLimit.max)
  })
})

describe('a test of a notification', () => {
  const image = '/pictures/0123456789abcdef0123456789abcdef'
  const text = { title: 'Exam', message: 'In room 12', type: 'Exam', image }
  const send = () => harness.inject(testNotification, { as: admin, body: text })

  it('[C-17] reaches all devices of the admin, marked in its title, and is in no inbox and no history', async () => {
    await register(admin, 'desk-token', firefox)
    await register({ ...admin, sessionId: sessionIdAt(100) }, 'phone-token', android)
    await register(ada, 'other-token', firefox)
    const end = await harness.context.eventStore.end()
    expect(await harness.call(testNotification, { as: admin, body: text })).toMatchObject({
      devices: [
        { name: 'Firefox on Linux', outcome: 'accepted' },
        { name: 'Chrome on Android', outcome: 'accepted' },
      ],
    })
    expect(harness.push.calls.map(({ tokens }) => tokens)).toEqual([['desk-token'], ['phone-token']])
    const pushed = { title: 'Test: Exam', body: 'In room 12', type: 'Exam', image, url: '/admin/notifications' }
    for (const { message } of harness.push.calls) expect(message).toMatchObject(pushed)
    expect(await harness.context.eventStore.end()).toBe(end)
    expect((await harness.call(listRecentNotifications, { as: admin })).notifications).toEqual([])
  })

  it('[C-24] shows both languages', async () => {
    await register(admin, 'desk-token', firefox)
    const translation = { lang: 'hi', title: 'परीक्षा', message: 'कमरा 12' }
    const { devices } = await harness.call(testNotification, { as: admin, body: { ...text, translation } })
    expect(devices).toMatchObject([{ outcome: 'accepted' }])
    const pushed = harness.push.calls.map(({ message }) => message).toSorted((a, b) => (a.title < b.title ? -1 : 1))
    expect(pushed).toMatchObject([
      { title: 'Test: Exam', image },
      { title: 'Test: परीक्षा', body: 'कमरा 12', lang: 'hi', image },
    ])
    expect(new Set(pushed.map(({ notificationId }) => notificationId)).size).toBe(2)
  })

  it('names no device if there is none, and is refused to learners, with an invalid text, and too often', async () => {
    expect(await harness.call(testNotification, { as: admin, body: text })).toMatchObject({
      message: 'No device of yours gets notifications',
      devices: [],
    })
    expect((await harness.inject(testNotification, { as: ada, body: text })).statusCode).toBe(403)
    const invalid = await harness.inject(testNotification, { as: admin, body: { ...text, title: '' } })
    expect(invalid.json()).toMatchObject({ message: 'Please enter a notification title' })
    for (let n = 1; n < testSendsLimit.max; n++) expect((await send()).statusCode).toBe(200)
    expect((await send()).json()).toMatchObject({ message: 'Too many tests. Please try again in 10 minutes.' })
  })
})
