import { bucketKey } from '@portal/contracts/shared/buckets'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { knownUsers, someText, userIdAt } from '@portal/notifications/testing/samples'
import { campaignDecider, type SendCampaign } from './decider.ts'
import type { CampaignEvent } from './events.ts'

const { given } = specification(campaignDecider)
const text = someText(1)
const [ada, ben] = [userIdAt(1), userIdAt(2)]
const admin = userIdAt(900)

const sendTo = (userIds: SendCampaign['userIds'], more: Partial<SendCampaign> = {}): SendCampaign => ({
  type: 'SendCampaign',
  text,
  sentBy: admin,
  userIds,
  knownUserIds: new Set(userIds),
  ...more,
})

const sentTo = (userId: typeof ada, fingerprint?: string): readonly CampaignEvent[] => [
  { type: 'RecipientsTargeted', data: { text, recipients: [{ bucket: bucketKey(userId), userIds: [userId] }] } },
  {
    type: 'CampaignSent',
    data: {
      text,
      sentBy: admin,
      targeted: 1,
      buckets: [bucketKey(userId)],
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  },
]

describe('sending a campaign', () => {
  it('records the recipients, then the campaign', () => {
    given([])
      .when(sendTo([ada]))
      .then(sentTo(ada))
  })

  it('rejects duplicate recipients and names them', () => {
    given([])
      .when(sendTo([ada, ben, ada]))
      .thenRejected({ reason: 'selected-twice', userIds: [ada] })
  })

  it('rejects unknown recipients and names them', () => {
    const unknown = Array.from({ length: 12 }, (_, n) => userIdAt(n + 100))
    given([])
      .when(sendTo([ada, ...unknown], { knownUserIds: knownUsers(ada) }))
      .thenRejected({ reason: 'unknown-users', userIds: unknown })
  })

  it('rejects an empty selection', () => {
    given([]).when(sendTo([])).thenRejected({ reason: 'none-selected' })
  })

  it('changes nothing for a repeated request, even if a recipient was erased meanwhile', () => {
    given(sentTo(ada, 'f1'))
      .when(sendTo([ada], { fingerprint: 'f1', knownUserIds: knownUsers() }))
      .thenNothing()
  })

  it('rejects another request with the same key', () => {
    given(sentTo(ada, 'f1'))
      .when(sendTo([ada], { fingerprint: 'f2' }))
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('rejects another request without a key, even if it is identical', () => {
    given(sentTo(ada))
      .when(sendTo([ada]))
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('records the fingerprint of a request with a key, and none without', () => {
    given([])
      .when(sendTo([ada], { fingerprint: 'f1' }))
      .then(sentTo(ada, 'f1'))
    const decided = campaignDecider.decide(sendTo([ada]), campaignDecider.initial)
    expect(decided.ok && Object.keys(decided.value.at(-1)?.data ?? {})).toEqual([
      'text',
      'sentBy',
      'targeted',
      'buckets',
    ])
  })

  it('targets each of 10,000 recipients once, in chunks of at most 500, within 1 MiB with the longest text', () => {
    const userIds = Array.from({ length: 10_000 }, (_, n) => userIdAt(n))
    const longest = { ...text, title: '₹'.repeat(200), message: '₹'.repeat(5_000) }
    const decided = campaignDecider.decide(sendTo(userIds, { text: longest }), campaignDecider.initial)
    if (!decided.ok) throw new Error(decided.error.reason)
    const chunks = decided.value.flatMap((event) => (event.type === 'RecipientsTargeted' ? [event.data] : []))
    expect(new Set(chunks.flatMap((chunk) => chunk.recipients.flatMap((part) => part.userIds)))).toEqual(
      new Set(userIds),
    )
    for (const { recipients } of chunks) {
      expect(recipients.flatMap((part) => part.userIds).length).toBeLessThanOrEqual(500)
      for (const { bucket, userIds: inBucket } of recipients)
        for (const userId of inBucket) expect(bucketKey(userId)).toBe(bucket)
    }
    expect(Buffer.byteLength(JSON.stringify(decided.value))).toBeLessThan(900_000)
  })
})

describe('the response to the sender', () => {
  const notificationId = text.notificationId

  it('is recorded', () => {
    given(sentTo(ada, 'f1'))
      .when({ type: 'RecordAnswer', notificationId, successCount: 3 })
      .then([{ type: 'SenderAnswered', data: { notificationId, successCount: 3 } }])
  })

  it('is recorded once: the first response wins', () => {
    given([...sentTo(ada, 'f1'), { type: 'SenderAnswered', data: { notificationId, successCount: 3 } }])
      .when({ type: 'RecordAnswer', notificationId, successCount: 5 })
      .thenNothing()
  })
})

it('recipients and their outcomes do not affect decisions', () => {
  const state = { sent: { targeted: 1 } }
  const [targeted] = sentTo(ada)
  if (!targeted) throw new Error('no recipients were targeted')
  const settled: CampaignEvent = {
    type: 'RecipientsSettled',
    data: { notificationId: text.notificationId, settled: [] },
  }
  expect(campaignDecider.evolve(state, targeted)).toBe(state)
  expect(campaignDecider.evolve(state, settled)).toBe(state)
})

it('keeps the category in the name of every stream', () => expect(campaignDecider.category).toBe('campaign'))
