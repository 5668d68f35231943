import { getPushConfig, savePushToken } from '@portal/contracts/notifications/http'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { afterEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { deviceDecider } from './decider.ts'
import { maxTokensPerUser, tokensOf, tokensRef } from './projection.ts'
import { newTokensLimit } from './register-token.ts'

let harness: Harness
afterEach(() => harness.stop())

const pushClient = { apiKey: 'key', projectId: 'portal', messagingSenderId: '1', appId: '1:1:web:1', vapidKey: 'B' }

describe('the push configuration', () => {
  it('is available to logged-in users', async () => {
    harness = await startHarness({ pushClient })
    const [admin, student] = await harness.people(1)
    for (const as of [admin, student])
      expect(await harness.call(getPushConfig, { ...(as && { as }) })).toEqual({ success: true, config: pushClient })
    expect((await harness.inject(getPushConfig, {})).statusCode).toBe(401)
  })
  it('is null without a push provider', async () => {
    harness = await startHarness()
    const [, student] = await harness.people(1)
    expect(await harness.call(getPushConfig, { ...(student && { as: student }) })).toEqual({
      success: true,
      config: null,
    })
  })
})

/** Starts with a student who registers tokens. */
const startWithStudent = async () => {
  harness = await startHarness()
  const [, student] = await harness.people(1)
  if (!student) throw new Error('test user missing')
  const saveStatus = async (token: string) =>
    (await harness.inject(savePushToken, { as: student, body: { token } })).statusCode
  return { student, saveStatus }
}

describe('a push token', () => {
  it('is used once accepted, even if newer ones had displaced it before', async () => {
    const { student, saveStatus } = await startWithStudent()
    const names = Array.from({ length: maxTokensPerUser + 1 }, (_, n) => `token ${n}`)
    for (const name of [...names, 'token 0']) expect(await saveStatus(name)).toBe(200)
    await harness.untilProjected()
    const { eventStore, readModel, vault } = harness.context
    const kept = tokensOf(await readModel.get(tokensRef(student.userId)))
    const used = await Promise.all(kept.map(({ token }) => vault.decrypt(student.userId, token)))
    expect(used).toEqual([...names.slice(2), 'token 0'])
    const recordedOf = async (name: string) => {
      const types: string[] = []
      const stream = streamOf(deviceDecider.category, vault.index('push-token', name))
      for await (const { type } of eventStore.read(stream)) types.push(type)
      return types
    }
    expect(await recordedOf('token 0')).toEqual(['PushTokenRegistered', 'PushTokenRemoved', 'PushTokenRegistered'])
    expect(await recordedOf('token 1')).toEqual(['PushTokenRegistered', 'PushTokenRemoved'])
  })

  it('is limited to thirty new ones an hour, and a known one is always accepted', async () => {
    const { student, saveStatus } = await startWithStudent()
    for (let n = 1; n <= newTokensLimit.max; n++) expect(await saveStatus(`token ${n}`)).toBe(200)
    const refused = await harness.inject(savePushToken, { as: student, body: { token: 'one more' } })
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
    const [, student] = await harness.people(1)
    if (!student) throw new Error('test user missing')
    const save = () => harness.call(savePushToken, { as: student, body: { token: ' a-token ' } })
    expect(await save()).toEqual({ success: true, message: 'Push token saved' })
    const { eventStore } = harness.context
    const before = await eventStore.end()
    await save()
    expect(await eventStore.end()).toEqual(before)
  })
})
