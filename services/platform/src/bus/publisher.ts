import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Recorded } from '../event-store/port.ts'

/** An integration event on its way out, before the relay gives it its id and position. */
export type OutgoingMessage = {
  readonly topic: Topic
  /** Messages of one key keep their order. */
  readonly key: string
  readonly type: string
  readonly data: object
}

/** Translates one category's recorded events into integration events. Pure; throws on an event it does not know. */
export type Publisher = {
  /** The stream category, as in the decider. */
  readonly category: string
  /** The topics of its messages. Consumers of others do not depend on it. */
  readonly topics: readonly Topic[]
  publish(recorded: Recorded): readonly OutgoingMessage[]
}
