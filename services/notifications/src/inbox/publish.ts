import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Publisher } from '@portal/platform/bus/publisher'
import { notificationsMessage } from '../bus-messages.ts'
import { inboxCategory, type InboxEvent, parseInboxEvent } from './events.ts'

/** Arrivals per slice: some milliseconds of work. */
const sliceSize = 500
/**
 * Maximum slices per mark-all: together with the mark, the maximum number of messages per event. A large mark-all
 * has larger slices, …
 */
const maxSlices = 99
/**
 * … which still fit into a commit. Beyond 495,000 arrivals between two mark-alls, the oldest are not counted for
 * their campaigns.
 */
const maxSliceSize = 5_000

type MarkAll = Extract<InboxEvent, { type: 'AllNotificationsRead' }>['data']

/** Identifies the mark-all. */
const markOf = ({ userId, readUpTo, newestId }: MarkAll) => ({
  userId,
  readUpTo,
  ...(newestId !== undefined && { newestId }),
})

/**
 * Splits the effects of a mark-all into messages; see applyCovered. The last slice is as large as a commit allows:
 * the number of arrivals is from the projection of that time, and a rebuild may find more.
 */
const slicesOf = (mark: MarkAll) => {
  const { arrivals, newestId } = mark
  const take = Math.min(Math.max(sliceSize, Math.ceil(arrivals / maxSlices)), maxSliceSize)
  const slices = Math.min(Math.ceil(arrivals / take), maxSlices)
  const lastTake = newestId === undefined ? take : maxSliceSize
  return Array.from({ length: slices }, (_, index): NotificationsEvent => ({
    type: 'ArrivalsCovered',
    data: { ...markOf(mark), skip: index * take, take: index === slices - 1 ? lastTake : take },
  }))
}

export const inboxPublisher: Publisher = {
  category: inboxCategory,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = parseInboxEvent(recorded)
    const { userId } = event.data
    const key = bucketKey(userId)
    switch (event.type) {
      case 'NotificationRead':
      case 'NotificationMarkedUnread':
      case 'ButtonClicked':
        return [notificationsMessage(key, event)]
      case 'AllNotificationsRead':
        return [{ type: event.type, data: markOf(event.data) }, ...slicesOf(event.data)].map((published) =>
          notificationsMessage(key, published),
        )
    }
  },
}
