import { type LogPosition, positionOf } from '../log-cursor.ts'
import { type Bounds, logPlaceOf, type Place } from './cursor.ts'

/** What is known of a partition when it has been assigned. */
export type PartitionFacts = {
  readonly busPartition: string
  readonly topic: string
  /** How far the consumer is. Undefined where it has handled nothing. */
  readonly place: Place | undefined
  readonly bounds: Bounds
  /** The position of the message that Kafka holds at the place's offset, if it holds one there. */
  readonly found: string | undefined
}

export type Discrepancy = 'no cursor' | 'kafka was reset' | 'retention has passed the cursor' | 'the log is being read'

/** Why a consumer cannot simply go on in Kafka; undefined where it can. */
export const discrepancyOf = ({ place, bounds, found }: Omit<PartitionFacts, 'topic' | 'busPartition'>) => {
  const because = (discrepancy: Discrepancy) => discrepancy
  if (place === undefined) return because('no cursor')
  if (place.offset === undefined) return because('the log is being read')
  const next = place.offset + 1n
  if (next > bounds.high) return because('kafka was reset')
  if (next < bounds.low) return because('retention has passed the cursor')
  if (place.position === undefined) return undefined
  // Whether Kafka is still the one that the cursor was made in cannot be seen any more.
  if (place.offset < bounds.low) return because('retention has passed the cursor')
  return found === place.position ? undefined : because('kafka was reset')
}

export type Crossing = {
  readonly kind: 'cross'
  readonly because: Discrepancy | 'the log is read first'
  /** Everything up to there is handled. */
  readonly from: LogPosition
  /** Where Kafka goes on once the log has been read. */
  readonly next: bigint
}
export type Start = { readonly kind: 'follow'; readonly next: bigint } | Crossing

const earlier = (a: LogPosition, b: LogPosition): LogPosition => {
  if (a === 'start' || b === 'start') return 'start'
  return positionOf(a) <= positionOf(b) ? a : b
}
export const earliest = (places: readonly LogPosition[]): LogPosition =>
  places.length === 0 ? 'start' : places.reduce(earlier)

export type StartOptions = {
  readonly readsLogFirst: boolean
  /** Of each topic, how far the consumer is in all its partitions, also in those of other members; undefined where it is nowhere yet. */
  readonly placesOf: (topic: string) => readonly (Place | undefined)[]
}

/**
 * Where each partition goes on. After a reset the topic may have another number of partitions, and a key be in another one than
 * before, so that all of the topic begin behind what has been handled in every partition.
 */
export const startsOf = (
  facts: readonly PartitionFacts[],
  { readsLogFirst, placesOf }: StartOptions,
): ReadonlyMap<string, Start> => {
  const discrepancies = new Map(facts.map((each) => [each.busPartition, discrepancyOf(each)]))
  const reset = new Set(
    facts.filter(({ busPartition }) => discrepancies.get(busPartition) === 'kafka was reset').map(({ topic }) => topic),
  )
  const startOf = ({ busPartition, topic, place, bounds }: PartitionFacts): Start => {
    const discrepancy = discrepancies.get(busPartition)
    const because = discrepancy ?? (readsLogFirst ? 'the log is read first' : undefined)
    if (because === undefined) return { kind: 'follow', next: (place?.offset ?? -1n) + 1n }
    const from = reset.has(topic) ? earliest(placesOf(topic).map(logPlaceOf)) : logPlaceOf(place)
    return { kind: 'cross', because, from, next: bounds.high }
  }
  return new Map(facts.map((each) => [each.busPartition, startOf(each)]))
}
