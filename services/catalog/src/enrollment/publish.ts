import type { CatalogEvent } from '@portal/contracts/catalog/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Publisher } from '@portal/platform/bus/publisher'
import { enrollmentDecider } from './decider.ts'

/** What concerns one learner keeps its order. */
export const enrollmentPublisher: Publisher = {
  category: enrollmentDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const { type, data } = enrollmentDecider.parse(recorded) satisfies CatalogEvent
    return [{ topic: 'catalog', key: bucketKey(data.userId), type, data }]
  },
}
