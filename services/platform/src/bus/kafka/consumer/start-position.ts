import type { Cursors } from '../../port.ts'
import { type LogPosition, positionOf } from '../../log-cursor.ts'
import { type Bounds, type ConsumerPosition, laterOf, logPositionOf, parseCursor } from '../cursor.ts'
import type { TopicReader } from '../topic-reader.ts'
import type { TopicPartition } from '../topics.ts'

/**
 * Why a fetched batch does not continue a partition. 'gap': it does not start at the next offset. 'other fill': it belongs to another
 * fill than the message before. 'first fill': there was no message before, so that an earlier one may have been lost unseen.
 */
export type Break = 'gap' | 'other fill' | 'first fill'

/** Where a partition could not continue. */
export type BreakPlace = { readonly next: bigint; readonly because: Break }

/** What is known about an assigned partition before it starts. */
export type PartitionFacts = {
  readonly busPartition: string
  readonly topic: string
  /** How far the consumer has read. Undefined if it has handled nothing. */
  readonly position: ConsumerPosition | undefined
  readonly bounds: Bounds
  /** The position of the message that Kafka has at the consumer's offset, if it has one there. */
  readonly found: string | undefined
  /** The fill of the message at the consumer's offset, and of the last message, as far as Kafka has them. */
  readonly fillAtPosition?: string | undefined
  readonly fillAtEnd?: string | undefined
  /** Why the consumer could not continue before this start. */
  readonly brokenBy?: Break | undefined
}

export type AssignedFacts = PartitionFacts & { readonly topicPartition: TopicPartition }

export type Discrepancy =
  'no cursor' | 'kafka was reset' | 'retention has passed the cursor' | 'the log is being read' | 'its fill is unknown'

/** Why a consumer cannot continue in Kafka. Undefined if it can. */
export const discrepancyOf = ({
  position: at,
  bounds,
  found,
  brokenBy,
}: Omit<PartitionFacts, 'topic' | 'busPartition'>): Discrepancy | undefined => {
  if (brokenBy === 'other fill') return 'kafka was reset'
  if (brokenBy === 'first fill') return 'its fill is unknown'
  if (at === undefined) return 'no cursor'
  if (at.offset === undefined) return 'the log is being read'
  const next = at.offset + 1n
  if (next > bounds.high) return 'kafka was reset'
  if (next < bounds.low) return 'retention has passed the cursor'
  if (at.position === undefined) return undefined
  // Without the message, nothing shows that this is the same Kafka.
  if (at.offset < bounds.low) return 'retention has passed the cursor'
  return found === at.position ? undefined : 'kafka was reset'
}

export type CatchUpStart = {
  readonly kind: 'catch-up'
  readonly because: Discrepancy | 'the log is read first'
  /** Everything up to this position has been handled. */
  readonly from: LogPosition
  /** The offset to continue at in Kafka after the catch-up. */
  readonly next: bigint
  readonly fill: string | undefined
}
/** Continues in Kafka at `next`. `fill` is that of the messages before it, as far as it is known. */
type FollowStart = { readonly kind: 'follow'; readonly next: bigint; readonly fill: string | undefined }
export type Start = FollowStart | CatchUpStart

const earlier = (a: LogPosition, b: LogPosition): LogPosition => {
  if (a === 'start' || b === 'start') return 'start'
  return positionOf(a) <= positionOf(b) ? a : b
}
export const earliest = (positions: readonly LogPosition[]): LogPosition =>
  positions.length === 0 ? 'start' : positions.reduce(earlier)

const follow = ({ position: at, fillAtPosition: fill }: PartitionFacts): Start => ({
  kind: 'follow',
  next: (at?.offset ?? -1n) + 1n,
  fill,
})

type StartOptions = {
  readonly readsLogFirst: boolean
  /** How far the consumer has read each partition of a topic, including those of other members. */
  readonly positionsOf: (topic: string) => readonly (ConsumerPosition | undefined)[]
}

/**
 * Where each partition starts. After a reset, a topic may have another number of partitions, which moves keys between them. All
 * partitions of the topic then start after the earliest of their positions.
 */
export const startsOf = (
  facts: readonly PartitionFacts[],
  { readsLogFirst, positionsOf }: StartOptions,
): ReadonlyMap<string, Start> => {
  const discrepancies = new Map(facts.map((each) => [each.busPartition, discrepancyOf(each)]))
  const resetTopics = new Set(
    facts.filter(({ busPartition }) => discrepancies.get(busPartition) === 'kafka was reset').map(({ topic }) => topic),
  )
  const startOf = (each: PartitionFacts): Start => {
    const { busPartition, topic, position, bounds, fillAtEnd: fill } = each
    const discrepancy = discrepancies.get(busPartition)
    const because = discrepancy ?? (readsLogFirst ? 'the log is read first' : undefined)
    if (because === undefined) return follow(each)
    const from = resetTopics.has(topic) ? earliest(positionsOf(topic).map(logPositionOf)) : logPositionOf(position)
    return { kind: 'catch-up', because, from, next: bounds.high, fill }
  }
  return new Map(facts.map((each) => [each.busPartition, startOf(each)]))
}

/** A consumer with startAt 'now' continues at the end of a partition where it cannot continue at its position. */
export const liveStartsOf = (
  facts: readonly PartitionFacts[],
  onGap: (busPartition: string, because: Discrepancy) => void,
): ReadonlyMap<string, Start> =>
  new Map(
    facts.map((each) => {
      const because = discrepancyOf(each)
      if (because === undefined) return [each.busPartition, follow(each)]
      onGap(each.busPartition, because)
      return [each.busPartition, { kind: 'follow', next: each.bounds.high, fill: each.fillAtEnd }]
    }),
  )

/** The cursors that the consumer has saved, and what this process has handled since. */
export type KnownPositions = {
  get(busPartition: string): ConsumerPosition | undefined
  /** The known positions of all bus partitions whose name starts with `prefix`, and of those in `others`. */
  getAll(prefix: string, others: readonly string[]): readonly (ConsumerPosition | undefined)[]
}

export const knownPositions = (saved: Cursors, handled: ReadonlyMap<string, ConsumerPosition>): KnownPositions => {
  const get = (busPartition: string) => {
    const cursor = saved[busPartition]
    return laterOf(handled.get(busPartition), cursor === undefined ? undefined : parseCursor(cursor))
  }
  return {
    get,
    getAll: (prefix, others) =>
      [...new Set([...others, ...Object.keys(saved)])].filter((name) => name.startsWith(prefix)).map(get),
  }
}

type FactsOptions = {
  readonly assigned: readonly TopicPartition[]
  readonly topicReader: Pick<TopicReader, 'bounds' | 'messageAt'>
  readonly known: KnownPositions
  readonly breaks: ReadonlyMap<string, BreakPlace>
  busPartitionOf(topicPartition: TopicPartition): string
  beginning(busPartition: string): ConsumerPosition | undefined
}

/** Compares the consumer's positions with what Kafka has now. */
export const readFacts = async (options: FactsOptions): Promise<readonly AssignedFacts[]> => {
  const { assigned, topicReader, known, breaks, busPartitionOf, beginning } = options
  const topics = [...new Set(assigned.map(({ topic }) => topic))]
  const allBounds = new Map(
    await Promise.all(topics.map(async (topic) => [topic, await topicReader.bounds(topic)] as const)),
  )
  return Promise.all(
    assigned.map(async (topicPartition) => {
      const busPartition = busPartitionOf(topicPartition)
      const bounds = allBounds.get(topicPartition.topic)?.get(topicPartition.partition)
      if (bounds === undefined) throw new Error(`Kafka does not know ${busPartition}`)
      const at = known.get(busPartition) ?? beginning(busPartition)
      const { topic, partition } = topicPartition
      const messageAt = async (offset: bigint | undefined) =>
        offset !== undefined && offset >= bounds.low && offset < bounds.high
          ? topicReader.messageAt(topic, partition, offset)
          : undefined
      const found = await messageAt(at?.offset)
      const lastOffset = bounds.high - 1n
      const last = at?.offset === lastOffset ? found : await messageAt(lastOffset)
      return {
        topicPartition,
        busPartition,
        topic,
        position: at,
        bounds,
        found: found?.envelope.position,
        fillAtPosition: found?.fill,
        fillAtEnd: last?.fill,
        brokenBy: breaks.get(busPartition)?.because,
      }
    }),
  )
}
