import type { EventStore } from '@portal/platform/event-store/port'
import type { LogPublisherProgress } from '@portal/platform/operations/inspect-kafka'
import { type Topic, topics } from '@portal/contracts/shared/event-envelope'
import { type Lag, lagInLog, relayOf } from './lag.ts'

/** The log publisher of a service. */
export type LogPublisherStatus = {
  readonly service: string
  /** The position up to which the log is published. */
  readonly position?: string
  /** The process that publishes; absent if there is none. */
  readonly leader?: string
  readonly lag: Lag
}

const isTopic = (service: string): service is Topic => topics.some((topic) => topic === service)

export const logPublishersStatus = (
  log: Pick<EventStore, 'subscribe'>,
  publishers: readonly LogPublisherProgress[],
  nowMs: number,
): Promise<readonly LogPublisherStatus[]> =>
  Promise.all(
    publishers.map(async ({ service, position, leader }) => {
      const relay = relayOf(isTopic(service) ? [service] : [])
      const lag = await lagInLog({ log, relay, after: position ?? 'start', isPending: () => true, nowMs })
      return {
        service,
        ...(position !== undefined && { position }),
        ...(leader !== undefined && { leader }),
        lag,
      }
    }),
  )
