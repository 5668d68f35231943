import { bucketKey } from '@portal/contracts/shared/buckets'
import { eventTime } from '@portal/contracts/shared/event-envelope'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, Entry, Range, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authEventOf, type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

/**
 * The projection of pending deliveries: per bucket, the campaigns with recipients without an outcome, in the order
 * sent. One entry per chunk keeps it small, because a campaign is pending for seconds. A rebuild from the log
 * restores it exactly. Recorded as 'ledger'.
 */
const projectionName = 'ledger'

/** Members are notification ids, scores are the campaigns' ordinals in the bucket. */
const openList = 'open'

const lastOrdinalRef = (bucket: string): DocumentRef => ({ partition: bucket, collection: 'open-ordinal', key: 'last' })
const ordinalSchema = z.number().int().default(0)

const userIdsSchema = z.array(z.string().brand<'UserId'>())

const openSchema = z.object({
  /** When the campaign was sent; ISO 8601. */
  sentAt: z.string(),
  pending: userIdsSchema,
  /** Pending recipients who have read some notification since, perhaps this one. */
  active: userIdsSchema,
})

/** The recipients of one campaign in one bucket who have no outcome yet. */
export type PendingDelivery = z.infer<typeof openSchema> & {
  readonly notificationId: NotificationId
  readonly bucket: string
}

const parseEntry = (bucket: string, { member, value }: Entry): PendingDelivery => ({
  notificationId: notificationIdSchema.parse(member),
  bucket,
  ...openSchema.parse(value),
})

/** Maximum number of deliveries per read. */
export const pendingPageSize = 200

export type NumberedPendingDelivery = PendingDelivery & { readonly ordinal: number }

const readRange = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  range: Omit<Range, 'limit'>,
): Promise<readonly NumberedPendingDelivery[]> => {
  const entries = await pendingDeliveries.range(bucket, openList, { ...range, limit: pendingPageSize })
  return entries.map((entry) => ({ ...parseEntry(bucket, entry), ordinal: entry.score }))
}

/** Reads the newest page, oldest first. Fewer than `pendingPageSize` means that it is the whole list. */
export const readNewestPending = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
): Promise<readonly NumberedPendingDelivery[]> => {
  const newest = await readRange(pendingDeliveries, bucket, { order: 'descending' })
  return newest.toReversed()
}

/** Reads a page that starts at an ordinal. Fewer than `pendingPageSize` means that it is the last page. */
export const readPendingFrom = (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  ordinal: number,
): Promise<readonly NumberedPendingDelivery[]> =>
  readRange(pendingDeliveries, bucket, { from: ordinal, order: 'ascending' })

/** Reads the oldest and the newest page, oldest first. That is the whole list unless very many cannot be settled. */
export const readPending = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
): Promise<readonly NumberedPendingDelivery[]> => {
  const newest = await readNewestPending(pendingDeliveries, bucket)
  const [first] = newest
  if (first === undefined || newest.length < pendingPageSize) return newest
  const oldest = await readPendingFrom(pendingDeliveries, bucket, 0)
  return [...oldest.filter(({ ordinal }) => ordinal < first.ordinal), ...newest]
}

/** Removes the entry when no recipient is left. */
const putPending = ({ notificationId, sentAt, pending, active }: PendingDelivery, ordinal: number): Write =>
  pending.length + active.length === 0
    ? { op: 'remove', list: openList, member: notificationId }
    : { op: 'add', list: openList, member: notificationId, score: ordinal, value: { sentAt, pending, active } }

const applyTargeted = async (
  { text, bucket, userIds }: NotificationsEventOf<'RecipientsTargeted'>['data'],
  sentAt: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { notificationId } = text
  const entry = await view.entry(bucket, openList, notificationId)
  if (entry) {
    const open = parseEntry(bucket, entry)
    return [putPending({ ...open, pending: [...open.pending, ...userIds] }, entry.score)]
  }
  const ref = lastOrdinalRef(bucket)
  const ordinal = ordinalSchema.parse(await view.get(ref)) + 1
  return [putPending({ notificationId, bucket, sentAt, pending: userIds, active: [] }, ordinal), put(ref, ordinal)]
}

const applySettled = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const entry = await view.entry(bucket, openList, notificationId)
  if (!entry) return []
  const open = parseEntry(bucket, entry)
  const settled = new Set(outcomes.map(({ userId }) => userId))
  const rest = (userIds: readonly UserId[]) => userIds.filter((userId) => !settled.has(userId))
  return [putPending({ ...open, pending: rest(open.pending), active: rest(open.active) }, entry.score)]
}

/**
 * A user who reads one notification has probably seen the others, so all their pending deliveries move to `active`.
 */
const applyRead = async (userId: UserId, view: ReadModelView): Promise<readonly Write[]> => {
  const all = await readPending(view, bucketKey(userId))
  return all
    .filter(({ pending }) => pending.includes(userId))
    .map(({ ordinal, ...open }) => {
      const pending = open.pending.filter((id) => id !== userId)
      return putPending({ ...open, pending, active: [...open.active, userId] }, ordinal)
    })
}

/** Recently erased accounts of a bucket. A few suffice, because deliveries are pending for seconds. */
const erasedRef = (bucket: string): DocumentRef => ({
  partition: erasedPartition(bucket),
  collection: 'erased-accounts',
  key: 'newest',
})
const erasedKept = 500

/** A separate partition: messages of the topics 'auth' and 'notifications' have no common order. */
const erasedPartition = (bucket: string): string => `erased-${bucket}`

export const readErased = async (
  pendingDeliveries: Pick<ReadStore, 'get'>,
  bucket: string,
): Promise<ReadonlySet<UserId>> =>
  new Set(userIdsSchema.default([]).parse(await pendingDeliveries.get(erasedRef(bucket))))

const applyErased = async (userId: UserId, bucket: string, view: ReadModelView): Promise<readonly Write[]> => {
  const erased = await readErased(view, bucket)
  return [put(erasedRef(bucket), [...erased, userId].slice(-erasedKept))]
}

const consumedTypes: ReadonlySet<string> = new Set([
  'RecipientsTargeted',
  'RecipientsSettled',
  'NotificationRead',
  'AllNotificationsRead',
])

export const pendingDeliveriesProjection: Projection = {
  name: projectionName,
  topics: ['notifications', 'auth'],
  partitionOf: ({ type, key }) => {
    if (type === 'UserErased') return erasedPartition(key)
    return consumedTypes.has(type) ? key : undefined
  },
  apply: async (envelope, view) => {
    if (envelope.topic === 'auth') {
      const event = authEventOf(envelope)
      return event.type === 'UserErased' ? applyErased(event.data.userId, envelope.key, view) : []
    }
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted':
        return applyTargeted(event.data, eventTime(envelope), view)
      case 'RecipientsSettled':
        return applySettled(event.data, view)
      case 'NotificationRead':
      case 'AllNotificationsRead':
        return applyRead(event.data.userId, view)
      default:
        return []
    }
  },
}
