import type { Lag } from './lag.ts'

/** Who carries a service's events from the event store to the bus, and how far that is. */
export type FeedStatus = {
  readonly service: string
  /** Up to where the log has been carried over. */
  readonly position?: string
  /** The process that does. */
  readonly leader?: string
  readonly lag: Lag
}
