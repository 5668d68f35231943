import { randomUUID } from 'node:crypto'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import type { CampaignEvent } from '@portal/notifications/campaign/events'
import type { DomainEvent } from '@portal/platform/decider/decider'
import { streamOf } from '@portal/platform/event-store/stream-name'

export const newUserId = (): UserId => userIdSchema.parse(randomUUID())

type MadeUpSend = {
  readonly notificationId: NotificationId
  readonly stream: string
  readonly events: readonly DomainEvent[]
}

/** What a send to these people records. They need not exist: projections of inboxes ask nobody. */
export const madeUpSend = (n: number, sentBy: UserId, userIds: readonly UserId[]): MadeUpSend => {
  const notificationId = notificationIdSchema.parse(randomUUID())
  const text = { notificationId, title: `Number ${n}`, message: 'The hall is closed.', type: 'General' } as const
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy, userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  return { notificationId, stream: streamOf(campaignDecider.category, notificationId), events: decided.value }
}

/** That nobody of these had a tab open or a device, as it is recorded when a send is through. */
export const madeUpOutcomes = (notificationId: NotificationId, userIds: readonly UserId[]): CampaignEvent => ({
  type: 'RecipientsSettled',
  data: {
    notificationId,
    settled: [...Map.groupBy(userIds, bucketKey)].map(([bucket, users]) => ({
      bucket,
      outcomes: users.map((userId) => ({ userId, state: 'skipped', reason: 'no device' })),
    })),
  },
})
