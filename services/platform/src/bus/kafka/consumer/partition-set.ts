import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff, retryUntilAborted } from '../../../async/backoff.ts'
import type { FoundDiscontinuity } from '../../../discontinuity/discontinuity.ts'
import { UnknownPositionError } from '../../../event-store/errors.ts'
import type { Consumer } from '../../port.ts'
import { type ConsumerPosition, fromLogPosition } from '../cursor.ts'
import type { TopicReader } from '../topic-reader.ts'
import type { TopicPartition } from '../topics.ts'
import type { ConsumerState } from './consumer-state.ts'
import {
  catchUpPartitions,
  type CatchUpPartition,
  findMissingPosition,
  type LogSource,
  type Retry,
} from './log-catch-up.ts'
import { type AssignedPartition, type FetchControl, startPartition } from './partition-consumer.ts'
import {
  type AssignedFacts,
  type BreakPlace,
  type Discrepancy,
  type KnownPositions,
  knownPositions,
  liveStartsOf,
  readFacts,
  type Start,
  startsOf,
} from './start-position.ts'

export type PartitionSetOptions = {
  readonly consumer: Consumer
  readonly assigned: readonly TopicPartition[]
  readonly state: ConsumerState
  readonly logger: Logger
  readonly topicReader: TopicReader
  /** Undefined in a process without an event store. */
  readonly source: LogSource | undefined
  /** Where a consumer with startAt 'now' begins a partition of which it has handled nothing. */
  beginning(busPartition: string): ConsumerPosition | undefined
  topicOf(topic: string): Topic
  fetchControl(topicPartition: TopicPartition): FetchControl
  /** Where partitions could not continue before this start. */
  readonly breaks: ReadonlyMap<string, BreakPlace>
  /** The partition has handled something, or has reached the end of the log. */
  onHandled(busPartition: string): void
  /** The partitions have started or made progress. */
  onProgress(): void
  onBreak(busPartition: string, place: BreakPlace): void
}

/** The assigned partitions, until their positions are compared with Kafka's offsets again. */
export type PartitionSet = {
  partitions(): ReadonlyMap<string, AssignedPartition>
  /** The end of each partition at the comparison; undefined before. */
  ends(): ReadonlyMap<string, bigint> | undefined
  /** Delivers nothing more. Batches in flight continue, and are added to the in-flight batches of the consumer. */
  stop(): void
}

const createRetry = ({ consumer, state: { health }, logger }: PartitionSetOptions, signal: AbortSignal): Retry => {
  return (step, work) =>
    retryUntilAborted(
      async () => {
        const result = await work()
        health.recovered(step)
        return result
      },
      {
        signal,
        backoff: createBackoff({ firstMs: 20, maxMs: 5_000 }),
        onFailure(error) {
          // A retry does not help: the log is older than the checkpoint.
          if (error instanceof UnknownPositionError) throw error
          const failures = health.failed(step, error)
          logger.warn({ err: error, consumer: consumer.group, failures, step }, 'consumer cannot start, retrying')
        },
      },
    )
}

type Starts = ReadonlyMap<string, Start>

const findStarts = (
  { consumer, source, topicOf, logger }: PartitionSetOptions,
  facts: readonly AssignedFacts[],
  known: KnownPositions,
): Starts => {
  if (consumer.startAt !== 'now') {
    const assigned = facts.map(({ busPartition }) => busPartition)
    return startsOf(facts, {
      readsLogFirst: consumer.readsLogFirst === true && source !== undefined,
      positionsOf: (topic) => known.getAll(`${topicOf(topic)}-`, assigned),
    })
  }
  let hasGap = false
  const onGap = (busPartition: string, because: Discrepancy) => {
    hasGap = true
    const context = { consumer: consumer.group, busPartition, because }
    logger.warn(context, 'kafka lost messages, live consumer continues at the end of the partition')
  }
  const starts = liveStartsOf(facts, onGap)
  if (hasGap) consumer.onGap?.()
  return starts
}

const findDiscontinuity = async (
  { consumer, source }: PartitionSetOptions,
  facts: readonly AssignedFacts[],
  starts: Starts,
  retry: Retry,
): Promise<FoundDiscontinuity | undefined> => {
  if (source === undefined) {
    const lost = facts.filter(({ busPartition }) => starts.get(busPartition)?.kind === 'catch-up')
    if (lost.length === 0) return undefined
    const names = lost.map(({ busPartition }) => busPartition).join(', ')
    return { cause: 'bus-lost', missing: `messages of ${names} are no longer in Kafka` }
  }
  if (consumer.startAt === 'now') return undefined
  const positions = facts.map(({ position }) => position)
  const missing = await retry('checking its position in the log', () => findMissingPosition(source, positions))
  if (missing === undefined) return undefined
  return { cause: 'log-older', missing: `events up to position ${missing} are missing from the log` }
}

/** Everything up to this position has been handled. */
const positionBefore = (at: ConsumerPosition | undefined, start: Start): ConsumerPosition => {
  if (start.kind === 'catch-up') return fromLogPosition(start.from)
  return at !== undefined && at.offset === start.next - 1n ? at : { offset: start.next - 1n }
}

export const startPartitions = (options: PartitionSetOptions): PartitionSet => {
  const { consumer, assigned, logger, topicReader, source, topicOf } = options
  const { health, inFlight, handled } = options.state
  const { group } = consumer
  const stopping = new AbortController()
  const { signal } = stopping
  const partitions = new Map<string, AssignedPartition>()
  let ends: ReadonlyMap<string, bigint> | undefined

  const busPartitionOf = ({ topic, partition }: TopicPartition): string => `${topicOf(topic)}-${partition}`

  const retry = createRetry(options, signal)

  const stopConsuming = (found: FoundDiscontinuity, error?: unknown) => {
    // Only a rebuild with other cursors helps, and these positions must not override them.
    handled.clear()
    health.stuck('a discontinuity', new Error(found.missing, { cause: error }))
    logger.error({ err: error, consumer: group, missing: found.missing }, 'consumer found a discontinuity, halted')
    consumer.onDiscontinuity?.(found)
  }

  const startAt = (
    { topicPartition, busPartition, bounds, position }: AssignedFacts,
    start: Start,
  ): AssignedPartition => {
    const partition = startPartition({
      busPartition,
      consumer,
      health,
      logger,
      start,
      bounds,
      fetchControl: options.fetchControl(topicPartition),
      after: positionBefore(position, start),
      isGapKnown: options.breaks.get(busPartition)?.next === start.next,
      onHandled() {
        const reached = partition.position()
        if (reached.offset !== undefined || reached.position !== undefined) handled.set(busPartition, reached)
        options.onHandled(busPartition)
        options.onProgress()
      },
      onBreak: (place) => options.onBreak(busPartition, place),
    })
    partitions.set(busPartition, partition)
    return partition
  }

  /** Starts all partitions, and returns those that have to catch up from the log. */
  const startAll = (facts: readonly AssignedFacts[], starts: Starts): readonly CatchUpPartition[] =>
    facts.flatMap((each) => {
      const start = starts.get(each.busPartition)
      if (start === undefined) return []
      const into = startAt(each, start)
      return start.kind === 'catch-up'
        ? [{ topicPartition: each.topicPartition, topic: topicOf(each.topicPartition.topic), start, into }]
        : []
    })

  const run = async () => {
    const saved = await retry('loading its cursors', () => consumer.loadCursors())
    await Promise.all(assigned.map((topicPartition) => inFlight.whenDone(busPartitionOf(topicPartition))))
    if (saved === undefined) return
    const known = knownPositions(saved, handled)
    const { beginning, breaks } = options
    const facts = await retry('fetching offsets', () =>
      readFacts({ assigned, topicReader, known, breaks, busPartitionOf, beginning }),
    )
    if (facts === undefined || signal.aborted) return
    ends = new Map(facts.map(({ busPartition, bounds }) => [busPartition, bounds.high]))
    const starts = findStarts(options, facts, known)
    const found = await findDiscontinuity(options, facts, starts, retry)
    if (found !== undefined) return stopConsuming(found)
    if (signal.aborted) return
    health.recovered('a discontinuity')
    const catchingUp = startAll(facts, starts)
    options.onProgress()
    if (source === undefined || catchingUp.length === 0) return
    await catchUpPartitions(catchingUp, { source, topicReader, group, signal, retry, logger })
  }

  run().catch((error: unknown) => {
    if (signal.aborted) return
    if (error instanceof UnknownPositionError) stopConsuming({ cause: 'log-older', missing: error.message }, error)
    else {
      health.stuck('starting', error)
      logger.error({ err: error, consumer: group }, 'consumer could not start')
    }
  })

  return {
    partitions: () => partitions,
    ends: () => ends,
    stop() {
      if (signal.aborted) return
      stopping.abort()
      for (const [name, partition] of partitions) inFlight.add(name, partition.stop())
    },
  }
}
