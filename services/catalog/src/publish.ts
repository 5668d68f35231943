import type { CatalogEvent } from '@portal/contracts/catalog/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { enrollmentDecider } from './enrollment/decider.ts'
import { programDecider } from './program/decider.ts'
import { programsPartition } from './program/projection.ts'
import { universityDecider } from './university/decider.ts'
import { universitiesPartition } from './university/projection.ts'

/**
 * Messages with the same key stay in order: one key for all universities, one for all programs, one per bucket of
 * learners.
 */
const message = (key: string, { type, data }: CatalogEvent): OutgoingMessage => ({ topic: 'catalog', key, type, data })

export const universityPublisher: Publisher = {
  category: universityDecider.category,
  topics: ['catalog'],
  publish: (recorded) => [message(universitiesPartition, universityDecider.parse(recorded))],
}

/** Consumers receive the complete program, not the part that changed. */
export const programPublisher: Publisher = {
  category: programDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const event = programDecider.parse(recorded)
    if (event.type !== 'ProgramRemoved')
      return [message(programsPartition, { type: 'ProgramSaved', data: { program: event.data.program } })]
    const { programId, removedAt } = event.data
    return [message(programsPartition, { type: 'ProgramRemoved', data: { programId, removedAt } })]
  },
}

export const enrollmentPublisher: Publisher = {
  category: enrollmentDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const event = enrollmentDecider.parse(recorded)
    return [message(bucketKey(event.data.userId), event)]
  },
}
