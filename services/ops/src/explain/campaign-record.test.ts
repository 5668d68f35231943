import { bucketKey } from '@portal/contracts/shared/buckets'
import type { CampaignEvent } from '@portal/notifications/campaign/events'
import { createMemoryLog, decidedSend } from '@portal/notifications/testing/memory-log'
import { notificationIdAt, someText, userIdAt } from '@portal/notifications/testing/samples'
import { describe, expect, it } from 'vitest'
import { loadCampaign } from './campaign-record.ts'

const [notificationId, ada, ben, admin] = [notificationIdAt(1), userIdAt(1), userIdAt(2), userIdAt(9)]
const groupOf = (userId: typeof ada) => [{ bucket: bucketKey(userId), userIds: [userId] }]

const planned: CampaignEvent = { type: 'RecipientsPlanned', data: { planId: 'plan', recipients: groupOf(ada) } }
const accepted = (planId: string): CampaignEvent => ({
  type: 'CampaignPlanned',
  data: { text: someText(1), sentBy: admin, targeted: 1, buckets: [bucketKey(ada)], planId },
})
const failed = (attempt?: number): CampaignEvent => ({
  type: 'RecipientsSettled',
  data: {
    notificationId,
    settled: [
      {
        bucket: bucketKey(ada),
        outcomes: [{ userId: ada, state: 'failed', reason: 'network-error', ...(attempt && { attempt }) }],
      },
    ],
  },
})
const resent = (attempt: number, userId = ada): CampaignEvent => ({
  type: 'ResendRequested',
  data: { notificationId, requestedBy: admin, reason: 'again', attempt, recipients: groupOf(userId) },
})

const recordOf = (...events: readonly CampaignEvent[]) => {
  const memory = createMemoryLog()
  memory.append(`campaign-${notificationId}`, ...events)
  const log = {
    read: async function* () {
      yield* memory.events
    },
  }
  return loadCampaign(log, { userId: ada, notificationId })
}

const { events: sent } = decidedSend(1, [ada, ben])

describe('the record of a campaign', () => {
  it('knows a plan only once it is accepted', async () => {
    expect(await recordOf(planned)).toEqual({ earlierOutcomes: [], actions: [] })
    const record = await recordOf(planned, accepted('plan'))
    expect([record.sent?.isPlanned, record.planned !== undefined, record.targeted]).toEqual([true, true, undefined])
    expect((await recordOf(planned, accepted('another'))).planned).toBeUndefined()
  })

  it('says why a planned recipient did not get it', async () => {
    const reason = 'cancelled by an admin'
    const withheld: CampaignEvent = {
      type: 'RecipientsWithheld',
      data: { notificationId, recipients: groupOf(ada), reason },
    }
    expect((await recordOf(planned, accepted('plan'), withheld)).withheld?.reason).toBe(reason)
  })

  it('keeps the first outcome of each attempt', async () => {
    const record = await recordOf(...sent, failed(), failed(), resent(2), failed(), failed(2))
    expect(record.earlierOutcomes.map(({ attempt }) => attempt)).toEqual([1])
    expect(record.outcome?.attempt).toBe(2)
    expect((await recordOf(...sent, failed(), resent(2))).outcome).toBeUndefined()
  })

  it('names the admins who acted, and only resends to this recipient', async () => {
    const { actions } = await recordOf(
      ...sent,
      { type: 'CancelRequested', data: { notificationId, requestedBy: admin, buckets: [] } },
      resent(2, ben),
      resent(3),
      { type: 'CampaignRecalled', data: { notificationId, recalledBy: admin, buckets: [] } },
    )
    expect(actions.map(({ kind, by, attempt }) => [kind, by, attempt])).toEqual([
      ['cancel', admin, undefined],
      ['resend', admin, 3],
      ['recall', admin, undefined],
    ])
    expect(JSON.stringify(actions)).not.toContain('again')
  })
})
