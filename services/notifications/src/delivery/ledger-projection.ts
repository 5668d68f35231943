import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, Entry, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

/**
 * What the delivery worker has to see to: per bucket, the sends with recipients who have no outcome yet, in the order in which
 * they were sent. A read model of its own and no part of a replay. It is kept per chunk, not per recipient, and an open send
 * lives for seconds, so that it stays small. Were it lost, it would come back from the log with exactly those for
 * whom no outcome is recorded.
 */
export const ledgerProjectionName = 'ledger'

/** Members are notification ids, scores number the sends of the bucket. */
export const openList = 'open'

const lastOrdinalRef = (bucket: string): DocumentRef => ({ partition: bucket, collection: 'open-ordinal', key: 'last' })
const ordinalSchema = z.number().int().default(0)

const openSchema = z.object({
  /** When it was sent; ISO 8601. */
  sentAt: z.string(),
  pending: z.array(z.string().brand<'UserId'>()),
})

/** Recipients of one send in one bucket who have no outcome yet. */
export type OpenDelivery = {
  readonly notificationId: NotificationId
  readonly bucket: string
  readonly sentAt: string
  readonly pending: readonly UserId[]
}

export const openDeliveryOf = (bucket: string, { member, value }: Entry): OpenDelivery => ({
  notificationId: notificationIdSchema.parse(member),
  bucket,
  ...openSchema.parse(value),
})

const putOpen = ({ notificationId, sentAt, pending }: OpenDelivery, ordinal: number): Write => ({
  op: 'add',
  list: openList,
  member: notificationId,
  score: ordinal,
  value: { sentAt, pending },
})

const applyTargeted = async (
  { text, bucket, userIds }: NotificationsEventOf<'RecipientsTargeted'>['data'],
  sentAt: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { notificationId } = text
  const entry = await view.entry(bucket, openList, notificationId)
  if (entry) {
    const open = openDeliveryOf(bucket, entry)
    return [putOpen({ ...open, pending: [...open.pending, ...userIds] }, entry.score)]
  }
  const ref = lastOrdinalRef(bucket)
  const ordinal = ordinalSchema.parse(await view.get(ref)) + 1
  return [putOpen({ notificationId, bucket, sentAt, pending: userIds }, ordinal), put(ref, ordinal)]
}

const applySettled = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const entry = await view.entry(bucket, openList, notificationId)
  if (!entry) return []
  const open = openDeliveryOf(bucket, entry)
  const settled = new Set(outcomes.map(({ userId }) => userId))
  const pending = open.pending.filter((userId) => !settled.has(userId))
  if (pending.length === open.pending.length) return []
  if (pending.length === 0) return [{ op: 'remove', list: openList, member: notificationId }]
  return [putOpen({ ...open, pending }, entry.score)]
}

export const ledgerProjection: Projection = {
  name: ledgerProjectionName,
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type === 'RecipientsTargeted' || type === 'RecipientsSettled' ? key : undefined),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted':
        return applyTargeted(event.data, envelope.at, view)
      case 'RecipientsSettled':
        return applySettled(event.data, view)
      default:
        return []
    }
  },
}
