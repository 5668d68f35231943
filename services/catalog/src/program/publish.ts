import type { CatalogEvent } from '@portal/contracts/catalog/events'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { programDecider } from './decider.ts'

/** All programmes are one list, so they keep one order. */
export const programsKey = 'programs'

const message = ({ type, data }: CatalogEvent): OutgoingMessage => ({ topic: 'catalog', key: programsKey, type, data })

/** What part of a programme changed is of no concern to others: they are told what it is now. */
export const programPublisher: Publisher = {
  category: programDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const event = programDecider.parse(recorded)
    return event.type === 'ProgramRemoved'
      ? [message(event)]
      : [message({ type: 'ProgramSaved', data: { program: event.data.program } })]
  },
}
