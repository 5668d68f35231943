import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { yieldToEventLoop } from '../../../async/event-loop-budget.ts'
import type { EventStore, Position } from '../../../event-store/port.ts'
import { type LogPosition, logPositionAfter, positionOf } from '../../log-cursor.ts'
import type { Relay } from '../../relay.ts'
import { checkpointOf, type ConsumerPosition, fromLogPosition } from '../cursor.ts'
import type { TopicReader } from '../topic-reader.ts'
import { partitionOf, type TopicPartition } from '../topics.ts'
import { fromLog, type QueuedMessage } from './delivery-queue.ts'
import type { AssignedPartition } from './partition-consumer.ts'
import { type CatchUpStart, earliest } from './start-position.ts'

/** How long a full partition may delay the others. */
const maxDelayMs = 5_000

export type Log = Pick<EventStore, 'subscribe' | 'end' | 'holds'>

/** The log, and the relay that translates its events into messages. */
export type LogSource = { readonly log: Log; readonly relay: Relay }

/** Repeats `work` until it succeeds. Resolves with undefined if stopped first. */
export type Retry = <T>(step: string, work: () => Promise<T>) => Promise<T | undefined>

/** A partition that catches up from the log. */
type CatchUpTarget = {
  readonly topic: Topic
  readonly partition: number
  /** The number of partitions that the log publisher spreads the topic's keys over. */
  readonly layout: number
  /** Messages up to this position have been handled. */
  readonly from: LogPosition
  readonly into: Pick<AssignedPartition, 'push' | 'isFull' | 'hasRoom' | 'endCatchUp'>
}

/** Returns the first of the positions that the log does not have. */
export const findMissingPosition = async (
  { log }: LogSource,
  positions: readonly (ConsumerPosition | undefined)[],
): Promise<string | undefined> => {
  const checkpoints = positions.flatMap((at) => (at && checkpointOf(at)) ?? [])
  for (const checkpoint of new Map(checkpoints.map((each) => [each.eventId, each])).values()) {
    if (!(await log.holds(checkpoint))) return checkpoint.position
  }
  return undefined
}

const isAfter = (position: Position | 'start', reached: LogPosition): boolean => {
  const reachedPosition = positionOf(reached)
  return position !== 'start' && (reachedPosition === 'start' || position > reachedPosition)
}

/** The messages of one event for each target. The last one of each target ends the event there. */
const routeToTargets = <Target extends Pick<CatchUpTarget, 'topic' | 'partition' | 'layout' | 'from'>>(
  targets: Iterable<Target>,
  position: Position,
  envelopes: readonly Envelope[],
): ReadonlyMap<Target, readonly QueuedMessage[]> => {
  const routed = new Map<Target, readonly QueuedMessage[]>()
  for (const target of targets) {
    if (!isAfter(position, target.from)) continue
    const own = envelopes.filter(
      ({ topic, key }) => topic === target.topic && partitionOf(key, target.layout) === target.partition,
    )
    if (own.length > 0) {
      routed.set(
        target,
        own.map((envelope, index) => fromLog(envelope, index === own.length - 1)),
      )
    }
  }
  return routed
}

type CatchUpOptions = LogSource & {
  readonly targets: readonly CatchUpTarget[]
  /** All messages that Kafka had when the partitions started are at or before this position. */
  readonly until: Position | 'start'
  readonly signal: AbortSignal
  readonly retry: Retry
}

/** Waits until all targets have room. After a timeout, returns those that are still full. */
const waitForRoom = async (targets: readonly CatchUpTarget[], timeoutMs: number): Promise<readonly CatchUpTarget[]> => {
  const full = new Set(targets.filter(({ into }) => into.isFull()))
  if (full.size === 0) return []
  const waiting = new AbortController()
  const allHaveRoom = Promise.all(
    [...full].map(async (target) => {
      await target.into.hasRoom()
      full.delete(target)
    }),
  )
  const timeout = delay(timeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)
  await Promise.race([allHaveRoom, timeout])
  waiting.abort()
  return [...full]
}

/**
 * Reads the log once for all targets, each from its own position, up to the end. The partitions then continue in Kafka. A target
 * that stays full is separated from the others, and reads the rest of the log in its own pass.
 */
const catchUpFromLog = async (options: CatchUpOptions): Promise<void> => {
  const { log, relay, targets, until, signal, retry } = options
  const topics = [...new Set(targets.map(({ topic }) => topic))]
  const active = new Set(targets)
  const separate: Promise<void>[] = []
  let reached: LogPosition = earliest(targets.map(({ from }) => from))

  const continueSeparately = async (target: CatchUpTarget) => {
    const rest = { ...target, from: reached }
    await target.into.hasRoom()
    if (!signal.aborted) await catchUpFromLog({ ...options, targets: [rest] })
  }

  const waitForTargets = async () => {
    const [only] = active
    if (targets.length === 1) return only?.into.hasRoom()
    for (const full of await waitForRoom([...active], maxDelayMs)) {
      active.delete(full)
      const continued = continueSeparately(full)
      // Awaited at the end, so that its failure rejects the whole catch-up.
      continued.catch(() => undefined)
      separate.push(continued)
    }
    return undefined
  }

  /** Returns the end of the log once it has been read that far; undefined if no target is left. */
  const readToEnd = async (): Promise<LogPosition | undefined> => {
    const attempt = new AbortController()
    try {
      const either = AbortSignal.any([signal, attempt.signal])
      for await (const item of log.subscribe(reached, { categories: relay.categories }, either)) {
        await yieldToEventLoop()
        if (signal.aborted) return undefined
        if (item.kind === 'caught-up') {
          if (until !== 'start' && isAfter(until, item.position)) continue
          return logPositionAfter(item, reached)
        }
        const routed = routeToTargets(active, item.position, relay.translate(item, topics))
        for (const [target, messages] of routed) target.into.push(messages)
        reached = logPositionAfter(item, reached)
        await waitForTargets()
        if (active.size === 0) return undefined
      }
      if (signal.aborted) return undefined
      throw new Error('The event store ended the subscription')
    } finally {
      attempt.abort()
    }
  }

  const end = await retry('reading the log', readToEnd)
  if (end !== undefined && !signal.aborted) {
    await Promise.all([...active].map((target) => target.into.endCatchUp(fromLogPosition(end))))
  }
  await Promise.all(separate)
}

/** An assigned partition that has to catch up. */
export type CatchUpPartition = {
  readonly topicPartition: TopicPartition
  readonly topic: Topic
  readonly start: CatchUpStart
  readonly into: AssignedPartition
}

const targetsOf = async (
  partitions: readonly CatchUpPartition[],
  topicReader: Pick<TopicReader, 'layout'>,
): Promise<readonly CatchUpTarget[]> => {
  const names = [...new Set(partitions.map(({ topicPartition }) => topicPartition.topic))]
  const layouts = new Map(await Promise.all(names.map(async (name) => [name, await topicReader.layout(name)] as const)))
  return partitions.map(({ topicPartition, topic, start: { from }, into }) => {
    const layout = layouts.get(topicPartition.topic)
    if (layout === undefined) throw new Error(`The layout of ${topicPartition.topic} is unknown`)
    return { topic, partition: topicPartition.partition, layout, from, into }
  })
}

type CatchUpContext = {
  readonly source: LogSource
  readonly topicReader: Pick<TopicReader, 'layout'>
  readonly group: string
  readonly signal: AbortSignal
  readonly retry: Retry
  readonly logger: Logger
}

/** Catches the partitions up to the end of the log, and logs the causes. */
export const catchUpPartitions = async (
  partitions: readonly CatchUpPartition[],
  { source, topicReader, group, signal, retry, logger }: CatchUpContext,
): Promise<void> => {
  const targets = await retry('reading the layout', () => targetsOf(partitions, topicReader))
  // Read after Kafka's offsets, so that everything Kafka had then is at or before this end.
  const until = await retry('reading the end of the log', () => source.log.end())
  if (targets === undefined || until === undefined || targets.length === 0) return
  const causes = new Set(partitions.map(({ start }) => start.because))
  const context = { consumer: group, partitions: targets.length, because: [...causes].join(', ') }
  const isLoss = causes.has('kafka was reset') || causes.has('retention has passed the cursor')
  if (isLoss) logger.warn(context, 'kafka lost messages, reading them from the log')
  else logger.info(context, 'reading the log before kafka')
  await catchUpFromLog({ ...source, targets, until, signal, retry })
  if (!signal.aborted) logger.info(context, 'log read to its end, following kafka')
}
