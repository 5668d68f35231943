import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PushSender } from '../port.ts'
import { anyTokens, pushContract } from '@portal/platform/testing/outbound/push-contract'
import { fcmPush } from './fcm-push.ts'
import { maxDataBytes } from './message.ts'
import { type FcmStandIn, refusal, startFcmStandIn } from '@portal/platform/testing/outbound/fcm/stand-in'

const now = () => new Date('2026-03-01T10:00:00.000Z')
const message = {
  notificationId: '0199a7c0-0000-7000-8000-000000000001',
  title: 'Exam',
  body: 'On Monday',
  url: '/notification/0199a7c0-0000-7000-8000-000000000001',
  type: 'Exam',
}

pushContract('FCM', async () => {
  const standIn = await startFcmStandIn()
  const sender = fcmPush({ ...standIn, now })
  return {
    sender,
    tokens: anyTokens,
    delivered: async () =>
      standIn.sent.map(({ token, data }) => ({ token, title: data['title'] ?? '', url: data['url'] ?? '' })),
    dispose: async () => {
      await sender.close()
      await standIn.stop()
    },
  }
})

let standIn: FcmStandIn
let sender: PushSender
beforeEach(async () => {
  standIn = await startFcmStandIn()
  sender = fcmPush({ ...standIn, now, timeoutMs: 2_000 })
})
afterEach(async () => {
  await sender.close()
  await standIn.stop()
})

describe('an FCM message', () => {
  it('has only data, so that it is shown once, under its id', async () => {
    await sender.send(['t1'], message)
    expect(standIn.sent).toEqual([
      {
        token: 't1',
        data: { ...message, icon: '/icons/icon-192.png' },
        webpush: { headers: { TTL: '259200', Urgency: 'high', Topic: '0199a7c0000070008000000000000001' } },
      },
    ])
  })
  it('stays below the size limit with any text', async () => {
    await sender.send(['t1'], { ...message, title: '"'.repeat(200), body: '\u{1F9D1}\u200D\u{1F393}'.repeat(2_000) })
    const data = standIn.sent[0]?.data ?? {}
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(maxDataBytes)
    expect(data['body']).toMatch(/^(?:\u{1F9D1}\u200D\u{1F393})+…$/u)
  })
})

describe('an FCM outcome', () => {
  const outcomeFor = async (answer: ReturnType<FcmStandIn['answer']>) => {
    standIn.answer = () => answer
    return (await sender.send(['t1'], message))[0]
  }

  it("is 'unregistered' only for the typed error", async () => {
    expect(await outcomeFor(refusal(404, 'NOT_FOUND', 'UNREGISTERED'))).toEqual({ kind: 'unregistered' })
    expect(await outcomeFor(refusal(404, 'NOT_FOUND'))).toMatchObject({ kind: 'failed' })
    expect(await outcomeFor(refusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'))).toEqual({
      kind: 'failed',
      reason: 'invalid-argument',
    })
    expect(await outcomeFor(refusal(403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH'))).toEqual({
      kind: 'failed',
      reason: 'mismatched-credential',
    })
  })
  it('is retryable if the provider is busy, after the requested delay', async () => {
    expect(await outcomeFor(refusal(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'))).toEqual({
      kind: 'unavailable',
      reason: 'message-rate-exceeded',
    })
    expect(standIn.sent).toHaveLength(1)
    const inSeconds = refusal(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED', { 'retry-after': '7' })
    expect(await outcomeFor(inSeconds)).toMatchObject({ kind: 'unavailable', retryAfterMs: 7_000 })
    const asDate = refusal(500, 'INTERNAL', 'INTERNAL', { 'retry-after': 'Sun, 01 Mar 2026 10:00:09 GMT' })
    expect(await outcomeFor(asDate)).toEqual({ kind: 'unavailable', reason: 'internal-error', retryAfterMs: 9_000 })
    expect(await outcomeFor({ status: 502, body: '' })).toMatchObject({ kind: 'unavailable' })
  })
  it('is separate for each token', async () => {
    standIn.answer = (token) =>
      token === 'gone' ? refusal(404, 'NOT_FOUND', 'UNREGISTERED') : { status: 200, body: { name: token } }
    expect(await sender.send(['t1', 'gone', 't2'], message)).toEqual([
      { kind: 'accepted' },
      { kind: 'unregistered' },
      { kind: 'accepted' },
    ])
  })
  it('is limited by the timeout of the call', async () => {
    const hasty = fcmPush({ ...standIn, now, timeoutMs: 1_000 })
    standIn.answer = (token) => (token === 'slow' ? 'silence' : { status: 200, body: { name: token } })
    expect(await hasty.send(['t1', 'slow'], message)).toEqual([
      { kind: 'accepted' },
      { kind: 'unavailable', reason: 'no answer in time' },
    ])
    await hasty.close()
  })
  it('is "unavailable" if the provider is unreachable', async () => {
    await standIn.stop()
    expect(await sender.send(['t1'], message)).toEqual([{ kind: 'unavailable', reason: expect.any(String) }])
    standIn = await startFcmStandIn()
  })
})
