import { UnhealthyConsumerError } from '../../unhealthy-consumer.ts'
import type { ConsumerPosition } from '../cursor.ts'

/** With this many failures in a row, the consumer counts as unhealthy. */
const maxFailures = 5

/** The failures of a consumer, by activity: 'connecting', or the name of a partition that it handles. */
export type ConsumerHealth = {
  /** Returns the number of failures in a row. */
  failed(activity: string, error: unknown): number
  /** A retry of the activity cannot succeed, so the consumer is unhealthy at once. */
  stuck(activity: string, error: unknown): void
  recovered(activity: string): void
  /** Throws while the consumer is unhealthy. */
  check(): void
}

export const createConsumerHealth = (group: string): ConsumerHealth => {
  const problems = new Map<string, { readonly failures: number; readonly error: unknown }>()

  const record = (activity: string, failures: number, error: unknown): number => {
    problems.set(activity, { failures, error })
    return failures
  }

  return {
    failed: (activity, error) => record(activity, (problems.get(activity)?.failures ?? 0) + 1, error),
    stuck: (activity, error) => void record(activity, Number.POSITIVE_INFINITY, error),
    recovered: (activity) => void problems.delete(activity),
    check() {
      for (const [activity, { failures, error }] of problems) {
        if (failures < maxFailures) continue
        const problem = Number.isFinite(failures) ? `failing after ${failures} attempts` : 'halted'
        throw new UnhealthyConsumerError(group, `${problem} (${activity})`, error)
      }
    },
  }
}

/** The batches of revoked partitions that the consumer is still handling. */
type InFlightBatches = {
  add(busPartition: string, done: Promise<void>): void
  /** Resolves when no batch of the partition is in flight. */
  whenDone(busPartition: string): Promise<void>
  whenAllDone(): Promise<void>
}

export const createInFlightBatches = (): InFlightBatches => {
  /** One entry for each partition that was ever revoked. */
  const batches = new Map<string, Promise<unknown>>()
  return {
    add: (busPartition, done) => void batches.set(busPartition, Promise.all([batches.get(busPartition), done])),
    async whenDone(busPartition) {
      await batches.get(busPartition)
    },
    async whenAllDone() {
      await Promise.all(batches.values())
    },
  }
}

/** What a consumer keeps across connections and rebalances. */
export type ConsumerState = {
  readonly health: ConsumerHealth
  readonly inFlight: InFlightBatches
  /** How far this process has handled each partition. It may be ahead of the saved cursors. */
  readonly handled: Map<string, ConsumerPosition>
}

export const createConsumerState = (group: string): ConsumerState => ({
  health: createConsumerHealth(group),
  inFlight: createInFlightBatches(),
  handled: new Map(),
})
