import { getPushConfig, savePushToken } from '@portal/contracts/notifications/http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'

let harness: Harness
afterEach(() => harness.stop())

const pushClient = { apiKey: 'key', projectId: 'portal', messagingSenderId: '1', appId: '1:1:web:1', vapidKey: 'B' }

describe('how browsers register for push', () => {
  it('is told to whoever is signed in', async () => {
    harness = await startHarness({ pushClient })
    const [admin, student] = await harness.people(1)
    for (const as of [admin, student])
      expect(await harness.call(getPushConfig, { ...(as && { as }) })).toEqual({ success: true, config: pushClient })
    expect((await harness.inject(getPushConfig, {})).statusCode).toBe(401)
  })
  it('is null where the portal has no push provider', async () => {
    harness = await startHarness()
    const [, student] = await harness.people(1)
    expect(await harness.call(getPushConfig, { ...(student && { as: student }) })).toEqual({
      success: true,
      config: null,
    })
  })
})

describe('a push token', () => {
  it('is taken, and again in the same session without a second record', async () => {
    harness = await startHarness()
    const [, student] = await harness.people(1)
    if (!student) throw new Error('nobody registered')
    const save = () => harness.call(savePushToken, { as: student, body: { token: ' a-token ' } })
    expect(await save()).toEqual({ success: true, message: 'Push token saved' })
    const { eventStore } = harness.context
    const before = await eventStore.end()
    await save()
    expect(await eventStore.end()).toEqual(before)
  })
})
