import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { DeliveryStatus } from '@portal/contracts/notifications/notification'
import { groupOf } from '@portal/notifications/recipients/person-deliveries'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { headOf, headRef, isRead, itemList, itemOf, recipientsRef, resentRef } from '@portal/notifications/read-model'
import { counted, moment, table } from '../output/format.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

const maxListed = 10

type RecentDelivery = {
  readonly notificationId: NotificationId
  readonly deliveredAt: string
  readonly status: DeliveryStatus
  readonly reason?: string
  readonly reading: 'read' | 'unread' | 'withdrawn'
}

type RecentDeliveries = {
  readonly userId: UserId
  /** Number of notifications in the inbox. */
  readonly total: number
  /** The newest ten, newest first. */
  readonly deliveries: readonly RecentDelivery[]
}

/** The newest notifications in a user's inbox with their status: ids and times, no texts. */
export const loadRecentDeliveries = async (
  readModels: ServingReadModels,
  userId: UserId,
): Promise<RecentDeliveries> => {
  const readModel = (await readModels.of(inboxProjection))?.readModel
  if (readModel === undefined) return { userId, total: 0, deliveries: [] }
  const bucket = bucketKey(userId)
  const head = headOf(await readModel.get(headRef(userId)))
  const entries = await readModel.range(bucket, itemList(userId), { order: 'descending', limit: maxListed })
  const deliveries = entries.map(async ({ member, value }): Promise<RecentDelivery> => {
    const notificationId = notificationIdSchema.parse(member)
    const item = itemOf(value)
    const [recipients, resent] = await readModel.getMany([
      recipientsRef(bucket, notificationId),
      resentRef(bucket, notificationId),
    ])
    const { status, reason } = groupOf(recipients, resent, userId)
    return {
      notificationId,
      deliveredAt: item.deliveredAt,
      status,
      ...(reason !== undefined && { reason }),
      reading: item.withdrawnAt !== undefined ? 'withdrawn' : isRead(item, head) ? 'read' : 'unread',
    }
  })
  return { userId, total: head.total, deliveries: await Promise.all(deliveries) }
}

export const recentDeliveriesText = ({ userId, total, deliveries }: RecentDeliveries): string => {
  const [newest] = deliveries
  if (newest === undefined) return `No notifications in the inbox of user ${userId}.`
  const rows = deliveries.map(({ notificationId, deliveredAt, status, reason, reading }) => [
    notificationId,
    moment(deliveredAt),
    reason === undefined ? status : `${status} (${reason})`,
    reading,
  ])
  const shown = deliveries.length < total ? `, the newest ${deliveries.length}` : ''
  return [
    `${counted(total, 'notification')} in the inbox of user ${userId}${shown}:`,
    '',
    table(['notification', 'arrived', 'status', 'reading'], rows),
    '',
    `To explain one: make why USER=${userId} NOTIFICATION=${newest.notificationId}`,
  ].join('\n')
}
