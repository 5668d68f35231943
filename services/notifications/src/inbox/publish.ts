import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Publisher } from '@portal/platform/bus/publisher'
import { notificationsMessage } from '../bus-messages.ts'
import { inboxCategory, type InboxEvent, parseInboxEvent } from './events.ts'

/** Arrivals a slice: some milliseconds of work. */
const sliceSize = 500
/** Of one mark-all: with the mark itself, as many messages as one event may become. Slices of a large one are larger … */
const maxSlices = 99
/** … but stay within a commit. Beyond 495,000 arrivals between two mark-alls the oldest are left out of the sends' counts. */
const maxSliceSize = 5_000

type MarkAll = Extract<InboxEvent, { type: 'AllNotificationsRead' }>['data']

/** Which mark-all it is. */
const markOf = ({ userId, readUpTo, newestId }: MarkAll) => ({
  userId,
  readUpTo,
  ...(newestId !== undefined && { newestId }),
})

/**
 * What follows from a mark-all, as messages of their own; see applyCovered. The last slice takes as much as a commit does: the
 * number of arrivals was counted by the projection of that time, and a rebuild may find more.
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
        return [notificationsMessage(key, event)]
      case 'AllNotificationsRead':
        return [{ type: event.type, data: markOf(event.data) }, ...slicesOf(event.data)].map((published) =>
          notificationsMessage(key, published),
        )
    }
  },
}
