import type { EventStore } from '@portal/platform/event-store/port'
import type { LogPublisherProgress } from '@portal/platform/operations/inspect-kafka'
import { type Topic, topics } from '@portal/contracts/shared/event-envelope'
import { type Lag, lagInLog, relayOf } from './lag.ts'

/** Who carries a service's events from the event store to the bus, and how far that is. */
export type LogPublisherStatus = {
  readonly service: string
  /** Up to where the log has been carried over. */
  readonly position?: string
  /** The process that does; absent when none does. */
  readonly leader?: string
  readonly lag: Lag
}

const isTopic = (service: string): service is Topic => topics.some((topic) => topic === service)

export const logPublishersStatus = (
  log: Pick<EventStore, 'subscribe'>,
  standings: readonly LogPublisherProgress[],
  nowMs: number,
): Promise<readonly LogPublisherStatus[]> =>
  Promise.all(
    standings.map(async ({ service, position, leader }) => {
      const relay = relayOf(isTopic(service) ? [service] : [])
      const lag = await lagInLog({ log, relay, after: position ?? 'start', isWaiting: () => true, nowMs })
      return {
        service,
        ...(position !== undefined && { position }),
        ...(leader !== undefined && { leader }),
        lag,
      }
    }),
  )
