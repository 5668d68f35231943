import { getPushConfig, getPushKey, savePushToken } from '@portal/contracts/notifications/http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { newTokensLimit } from './register-token.ts'

let harness: Harness
afterEach(() => harness.stop())

const pushClient = { apiKey: 'key', projectId: 'portal', messagingSenderId: '1', appId: '1:1:web:1', vapidKey: 'B' }

describe('the push configuration', () => {
  it('is available to logged-in users', async () => {
    harness = await startHarness({ pushClient })
    const { admin, ada } = await harness.cast()
    for (const as of [admin, ada])
      expect(await harness.call(getPushConfig, { as })).toEqual({ success: true, config: pushClient })
    expect((await harness.inject(getPushConfig, {})).statusCode).toBe(401)
  })
  it('is null without a push provider', async () => {
    harness = await startHarness()
    const { ada } = await harness.cast()
    expect(await harness.call(getPushConfig, { as: ada })).toEqual({ success: true, config: null })
  })
})

describe('the push key', () => {
  it('is available to logged-in users, with the provider that serves', async () => {
    harness = await startHarness()
    const { admin, ada } = await harness.cast()
    for (const as of [admin, ada])
      expect(await harness.call(getPushKey, { as })).toEqual({
        success: true,
        provider: 'web-push',
        key: 'the-public-key',
      })
    expect((await harness.inject(getPushKey, {})).statusCode).toBe(401)
  })
  it('says that FCM serves if it is configured', async () => {
    harness = await startHarness({ pushClient })
    const { ada } = await harness.cast()
    expect(await harness.call(getPushKey, { as: ada })).toMatchObject({ provider: 'fcm' })
  })
})

describe('a push token', () => {
  it('is limited to thirty new ones an hour, and a known one is always accepted', async () => {
    harness = await startHarness()
    const { ada } = await harness.cast()
    const saveStatus = async (token: string) =>
      (await harness.inject(savePushToken, { as: ada, body: { token } })).statusCode
    for (let n = 1; n <= newTokensLimit.max; n++) expect(await saveStatus(`token ${n}`)).toBe(200)
    const refused = await harness.inject(savePushToken, { as: ada, body: { token: 'one more' } })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({
      code: 'too-many-requests',
      message: expect.stringMatching(/^Too many push tokens registered\. Please try again in \d\d minutes\.$/),
      retryAfterSeconds: expect.any(Number),
    })
    expect(await saveStatus(`token ${newTokensLimit.max}`)).toBe(200)
  })

  it('[F-14] is accepted, and again in the same session without another event', async () => {
    harness = await startHarness()
    const { ada } = await harness.cast()
    const save = () => harness.call(savePushToken, { as: ada, body: { token: ' a-token ' } })
    expect(await save()).toEqual({ success: true, message: 'Push token saved' })
    const { eventStore } = harness.context
    const before = await eventStore.end()
    await save()
    expect(await eventStore.end()).toEqual(before)
  })
})
