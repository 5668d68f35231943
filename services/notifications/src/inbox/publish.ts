import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { inboxCategory, type InboxEvent, inboxEventSchema } from './events.ts'

/** Arrivals a slice: some milliseconds of work. */
const sliceSize = 500
/** Of one mark-all: with the mark itself, as many messages as one event may become. Slices of a large one are larger … */
const maxSlices = 99
/** … but stay within a commit. Beyond 495,000 arrivals between two mark-alls the oldest are left out of the sends' counts. */
const maxSliceSize = 5_000

const message = (key: string, { type, data }: NotificationsEvent): OutgoingMessage => ({
  topic: 'notifications',
  key,
  type,
  data,
})

/** What follows from a mark-all, as messages of their own; see applyCovered. */
const slicesOf = ({ userId, readUpTo, arrivals }: Extract<InboxEvent, { type: 'AllNotificationsRead' }>['data']) => {
  const take = Math.min(Math.max(sliceSize, Math.ceil(arrivals / maxSlices)), maxSliceSize)
  const slices = Math.min(Math.ceil(arrivals / take), maxSlices)
  return Array.from({ length: slices }, (_, index): NotificationsEvent => ({
    type: 'ArrivalsCovered',
    data: { userId, readUpTo, skip: index * take, take },
  }))
}

export const inboxPublisher: Publisher = {
  category: inboxCategory,
  publish: (recorded) => {
    const event = inboxEventSchema.parse({ type: recorded.type, data: recorded.data })
    const { userId } = event.data
    const key = bucketKey(userId)
    switch (event.type) {
      case 'NotificationRead':
        return [message(key, event)]
      case 'AllNotificationsRead': {
        const { readUpTo } = event.data
        return [{ type: 'AllNotificationsRead' as const, data: { userId, readUpTo } }, ...slicesOf(event.data)].map(
          (published) => message(key, published),
        )
      }
    }
  },
}
