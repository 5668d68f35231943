import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Publisher } from '@portal/platform/bus/publisher'
import { deviceDecider } from './decider.ts'

export const devicePublisher: Publisher = {
  category: deviceDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event: NotificationsEvent = deviceDecider.parse(recorded)
    return [{ topic: 'notifications', key: bucketKey(event.data.userId), ...event }]
  },
}
