import type { Logger } from 'pino'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/** What a replay works on. Nothing here can send anything, and nothing is written but read models. */
export type ReplayPorts = {
  readonly log: Pick<EventStore, 'subscribe' | 'end'>
  readonly publishers: readonly Publisher[]
  /** Opens a namespace of the read models. Whoever opens it here closes it. */
  open(namespace: string): Promise<ReadModel>
  drop(namespace: string): Promise<void>
  /** The serving bus is the log's own tail: a place in the log is a cursor of it. */
  readonly busIsLog: boolean
  readonly logger: Logger
}
