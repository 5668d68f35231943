import type { CatalogEvent } from '@portal/contracts/catalog/events'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { universityDecider } from './decider.ts'

/** All universities are one list, so they keep one order. */
export const universitiesKey = 'universities'

const message = ({ type, data }: CatalogEvent): OutgoingMessage => ({
  topic: 'catalog',
  key: universitiesKey,
  type,
  data,
})

export const universityPublisher: Publisher = {
  category: universityDecider.category,
  topics: ['catalog'],
  publish: (recorded) => [message(universityDecider.parse(recorded))],
}
