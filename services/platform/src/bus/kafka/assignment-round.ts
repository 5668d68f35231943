import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff } from '../../async/backoff.ts'
import type { FoundDiscontinuity } from '../../discontinuity/discontinuity.ts'
import { UnknownPositionError } from '../../event-store/errors.ts'
import type { Consumer, Cursors } from '../port.ts'
import type { Relay } from '../relay.ts'
import { cross, type Lane, type Log } from './crossing.ts'
import { atLogPlace, checkpointOf, further, type Place, placeOf } from './cursor.ts'
import type { KafkaState } from './kafka-state.ts'
import { type AssignedPartition, type Fetching, startPartition } from './partition.ts'
import type { Standing } from './standing.ts'
import { discrepancyOf, type PartitionFacts, type Start, startsOf } from './start.ts'
import type { UnderWay } from './under-way.ts'

export type TopicPartition = { readonly topic: string; readonly partition: number }

/** The log, as the bus may read it, and what makes messages of its events. */
export type LogSource = { readonly log: Log; readonly relay: Relay }

export type RoundOptions = {
  readonly consumer: Consumer
  readonly assigned: readonly TopicPartition[]
  readonly standing: Standing
  readonly logger: Logger
  readonly kafka: KafkaState
  /** Undefined in a process that has no event store. */
  readonly source: LogSource | undefined
  /** What this member still has under way from before: of a partition that comes back, it is waited for. */
  readonly underWay: UnderWay
  /** What this member itself has handled of each partition, also before it was assigned anew. */
  readonly handledHere: Map<string, Place>
  /** Where a partition begins of which nothing has been handled, for a consumer that starts 'now'. */
  beginning(busPartition: string): Place | undefined
  topicOf(topic: string): Topic
  fetching(of: TopicPartition): Fetching
  /** The next offsets of partitions that Kafka was found to have no message at. */
  readonly knownGaps: ReadonlyMap<string, bigint>
  /** The partitions have been started, or have got further. */
  onProgress(): void
  onLost(busPartition: string, next: bigint): void
}

/** The partitions of an assignment from one look at Kafka to the next. */
export type Round = {
  partitions(): ReadonlyMap<string, AssignedPartition>
  /** What Kafka held when this looked; undefined before. */
  ends(): ReadonlyMap<string, bigint> | undefined
  /** Hands over nothing any more. What is being handled goes on, and is under way until it is done. */
  stop(): void
}

type Facts = PartitionFacts & { readonly of: TopicPartition }

/** Up to where everything has been handled: of a crossing that begins further back, up to there. */
const afterStart = (place: Place | undefined, start: Start): Place => {
  if (start.kind === 'cross') return atLogPlace(start.from)
  return place !== undefined && place.offset === start.next - 1n ? place : { offset: start.next - 1n }
}

const missingFromKafka = (facts: readonly PartitionFacts[]): string =>
  `messages of ${facts.map(({ busPartition }) => busPartition).join(', ')} are no longer in Kafka`

export const startRound = (options: RoundOptions): Round => {
  const { consumer, assigned, standing, logger, kafka, source, underWay, handledHere, topicOf } = options
  const abort = new AbortController()
  const { signal } = abort
  const partitions = new Map<string, AssignedPartition>()
  let ends: ReadonlyMap<string, bigint> | undefined

  const nameOf = ({ topic, partition }: TopicPartition): string => `${topicOf(topic)}-${partition}`

  /** Tries for ever: nothing can be skipped. That the log is an older one does not pass by trying again. */
  const persist = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    const backoff = createBackoff({ firstMs: 20, maxMs: 5_000 })
    while (!signal.aborted) {
      try {
        const result = await work()
        standing.well(what)
        return result
      } catch (error) {
        if (signal.aborted) return undefined
        if (error instanceof UnknownPositionError) throw error
        const failures = standing.failed(what, error)
        logger.warn({ err: error, consumer: consumer.group, failures }, `Consumer cannot start: ${what}`)
        await backoff.pause(signal)
      }
    }
    return undefined
  }

  const standStill = (found: FoundDiscontinuity, error?: unknown) => {
    // Only other cursors can help, which are then not to be outdone by what was handled before.
    handledHere.clear()
    standing.stuck('a discontinuity', new Error(found.missing, { cause: error }))
    logger.error(
      { err: error, consumer: consumer.group, missing: found.missing },
      'consumer found a gap, standing still',
    )
    consumer.onDiscontinuity?.(found)
  }

  const savedPlace = (saved: Cursors, busPartition: string): Place | undefined => {
    const cursor = saved[busPartition]
    return further(handledHere.get(busPartition), cursor === undefined ? undefined : placeOf(cursor))
  }

  const factsOf = async (saved: Cursors): Promise<readonly Facts[]> => {
    const topics = [...new Set(assigned.map(({ topic }) => topic))]
    const bounds = new Map(await Promise.all(topics.map(async (topic) => [topic, await kafka.bounds(topic)] as const)))
    return Promise.all(
      assigned.map(async (of) => {
        const busPartition = nameOf(of)
        const held = bounds.get(of.topic)?.get(of.partition)
        if (held === undefined) throw new Error(`Kafka does not know ${busPartition}`)
        const place = savedPlace(saved, busPartition) ?? options.beginning(busPartition)
        const { offset, position } = place ?? {}
        const isThere = offset !== undefined && position !== undefined && offset >= held.low && offset < held.high
        const found = isThere ? await kafka.positionAt(of.topic, of.partition, offset) : undefined
        return { of, busPartition, topic: of.topic, place, bounds: held, found }
      }),
    )
  }

  /** What lies before is in the read models: on another Kafka, or behind a gap, such a consumer goes on at the end. */
  const startsNow = (facts: readonly Facts[]): ReadonlyMap<string, Start> => {
    let hasGap = false
    const starts = new Map<string, Start>()
    for (const each of facts) {
      const discrepancy = discrepancyOf(each)
      if (discrepancy === undefined)
        starts.set(each.busPartition, { kind: 'follow', next: (each.place?.offset ?? -1n) + 1n })
      else {
        hasGap = true
        starts.set(each.busPartition, { kind: 'follow', next: each.bounds.high })
        const context = { consumer: consumer.group, busPartition: each.busPartition, because: discrepancy }
        logger.warn(context, 'kafka lost messages of a live consumer, going on at the end')
      }
    }
    if (hasGap) consumer.onGap?.()
    return starts
  }

  const startsFromBeginning = (facts: readonly Facts[], saved: Cursors) =>
    startsOf(facts, {
      readsLogFirst: consumer.readsLogFirst === true && source !== undefined,
      placesOf(topic) {
        const prefix = `${topicOf(topic)}-`
        const names = new Set([...facts.map(({ busPartition }) => busPartition), ...Object.keys(saved)])
        return [...names].filter((name) => name.startsWith(prefix)).map((name) => savedPlace(saved, name))
      },
    })

  /** The first place that the log does not hold. */
  const findUnknown = async ({ log }: LogSource, facts: readonly Facts[]): Promise<string | undefined> => {
    const asked = new Map(
      facts.flatMap(({ place }) => {
        const checkpoint = place && checkpointOf(place)
        return checkpoint === undefined ? [] : [[checkpoint.eventId, checkpoint] as const]
      }),
    )
    for (const checkpoint of asked.values()) {
      if (!(await log.holds(checkpoint))) return checkpoint.position
    }
    return undefined
  }

  const startAt = (each: Facts, start: Start): AssignedPartition => {
    const { of, busPartition, bounds, place } = each
    const partition = startPartition({
      busPartition,
      consumer,
      standing,
      logger,
      start,
      bounds,
      fetching: options.fetching(of),
      after: afterStart(place, start),
      isGapKnown: options.knownGaps.get(busPartition) === start.next,
      onHandled() {
        const reached = partition.place()
        if (reached.offset !== undefined || reached.position !== undefined) handledHere.set(busPartition, reached)
        options.onProgress()
      },
      onLost: (next) => options.onLost(busPartition, next),
    })
    partitions.set(busPartition, partition)
    return partition
  }

  const lanesOf = async (facts: readonly Facts[], starts: ReadonlyMap<string, Start>): Promise<readonly Lane[]> => {
    const layouts = new Map<string, Promise<number>>()
    const lanes: Lane[] = []
    for (const { of, busPartition } of facts) {
      const start = starts.get(busPartition)
      const into = partitions.get(busPartition)
      if (start?.kind !== 'cross' || into === undefined) continue
      const layout = layouts.get(of.topic) ?? kafka.layout(of.topic)
      layouts.set(of.topic, layout)
      lanes.push({ topic: topicOf(of.topic), partition: of.partition, layout: await layout, from: start.from, into })
    }
    return lanes
  }

  const crossByLog = async ({ log, relay }: LogSource, facts: readonly Facts[], starts: ReadonlyMap<string, Start>) => {
    const lanes = await persist('asking for the layout', () => lanesOf(facts, starts))
    // After Kafka was looked at: what Kafka held then lies at or before it.
    const until = await persist("asking for the log's end", () => log.end())
    if (lanes === undefined || until === undefined || lanes.length === 0) return
    const causes = new Set([...starts.values()].flatMap((start) => (start.kind === 'cross' ? [start.because] : [])))
    const context = { consumer: consumer.group, partitions: lanes.length, because: [...causes].join(', ') }
    const isLoss = causes.has('kafka was reset') || causes.has('retention has passed the cursor')
    if (isLoss) logger.warn(context, 'kafka lost messages, reading the gap from the log')
    else logger.info(context, 'reading the log before kafka')
    await cross({ log, relay, lanes, until, signal, persist })
    if (!signal.aborted) logger.info(context, 'log read up to its end, following kafka')
  }

  const start = async () => {
    const saved = await persist('loading its cursors', () => consumer.loadCursors())
    await Promise.all(assigned.map((of) => underWay.endOf(nameOf(of))))
    if (saved === undefined) return
    const facts = await persist('asking for offsets', () => factsOf(saved))
    if (facts === undefined || signal.aborted) return
    ends = new Map(facts.map(({ busPartition, bounds }) => [busPartition, bounds.high]))
    const starts = consumer.startAt === 'now' ? startsNow(facts) : startsFromBeginning(facts, saved)
    const crossing = facts.filter(({ busPartition }) => starts.get(busPartition)?.kind === 'cross')
    if (source === undefined && crossing.length > 0) {
      standStill({ cause: 'bus-lost', missing: missingFromKafka(crossing) })
      return
    }
    if (source !== undefined && consumer.startAt !== 'now') {
      const unknown = await persist('looking for its place in the log', () => findUnknown(source, facts))
      if (unknown !== undefined) {
        standStill({ cause: 'log-older', missing: `events up to position ${unknown} are missing from the log` })
        return
      }
    }
    if (signal.aborted) return
    standing.well('a discontinuity')
    for (const each of facts) {
      const begin = starts.get(each.busPartition)
      if (begin !== undefined) startAt(each, begin)
    }
    options.onProgress()
    if (source !== undefined) await crossByLog(source, facts, starts)
  }

  start().catch((error: unknown) => {
    if (signal.aborted) return
    if (error instanceof UnknownPositionError) standStill({ cause: 'log-older', missing: error.message }, error)
    else {
      standing.stuck('starting', error)
      logger.error({ err: error, consumer: consumer.group }, 'Consumer could not start')
    }
  })

  return {
    partitions: () => partitions,
    ends: () => ends,
    stop() {
      if (signal.aborted) return
      abort.abort()
      for (const [name, partition] of partitions) underWay.add(name, partition.stop())
    },
  }
}
