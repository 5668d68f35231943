import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Recorded } from '../event-store/port.ts'

/** An integration event before the relay assigns its id and position. */
export type OutgoingMessage = {
  readonly topic: Topic
  /** Messages with the same key stay in order. */
  readonly key: string
  readonly type: string
  readonly data: object
}

/** Translates one category's recorded events into integration events. Pure; throws on an unknown event type. */
export type Publisher = {
  /** The stream category, as in the decider. */
  readonly category: string
  /** The topics of its messages. Consumers of other topics do not depend on it. */
  readonly topics: readonly Topic[]
  publish(recorded: Recorded): readonly OutgoingMessage[]
}
