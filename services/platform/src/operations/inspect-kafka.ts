import { type Envelope, type Topic, topics } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { type KafkaAddress, parseKafkaAddress } from '../bus/kafka/address.ts'
import { openKafkaAdmin } from '../bus/kafka/admin.ts'
import { feedName, loadCheckpoint } from '../bus/kafka/checkpoint.ts'
import { causeOf } from '../bus/kafka/client.ts'
import { type Bounds, placeOf } from '../bus/kafka/cursor.ts'
import { outgoingOf } from '../bus/kafka/producing.ts'
import { topicName } from '../bus/kafka/topics.ts'
import { whoLeads } from '../bus/lease.ts'
import type { Cursor } from '../bus/port.ts'
import type { Position } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/** For operations: what Kafka holds, and how far consumers and feeds are in it. Changes nothing there. */
export type KafkaInspector = {
  check(): Promise<void>
  /** What each bus partition (`notifications-3`) holds. Asked once. */
  bounds(): Promise<ReadonlyMap<string, Bounds>>
  /** How many messages of a partition lie behind a cursor. */
  behind(cursor: string | undefined, bounds: Bounds): bigint
  /** The position of the message that a cursor stands at. */
  positionOf(cursor: string | undefined): string | undefined
  /** Tells the bus partition that a message goes to. */
  partitioning(): Promise<(envelope: Envelope) => string>
  close(): Promise<void>
}

const layoutOf = (address: KafkaAddress, bounds: ReadonlyMap<string, Bounds>): ReadonlyMap<string, number> =>
  new Map(
    topics.map((topic: Topic) => [
      topicName(address, topic),
      [...bounds.keys()].filter((name) => name.slice(0, name.lastIndexOf('-')) === topic).length,
    ]),
  )

export const inspectKafka = (busUrl: string, logger: Logger): KafkaInspector => {
  const address = parseKafkaAddress(busUrl)
  const admin = openKafkaAdmin(address, logger)
  let asked: Promise<ReadonlyMap<string, Bounds>> | undefined

  /** A topic that nobody has made yet holds nothing. */
  const boundsOf = async (topic: Topic): Promise<ReadonlyMap<number, Bounds>> => {
    try {
      return await admin.bounds(topicName(address, topic))
    } catch (error) {
      const cause = causeOf(error)
      if (cause instanceof Error && 'type' in cause && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION') return new Map()
      throw error
    }
  }

  const look = async (): Promise<ReadonlyMap<string, Bounds>> => {
    const found = new Map<string, Bounds>()
    for (const topic of topics) {
      for (const [partition, held] of await boundsOf(topic)) found.set(`${topic}-${partition}`, held)
    }
    return found
  }
  const bounds = () => (asked ??= look())
  // Only ever given what was loaded as a consumer's cursors.
  const place = (cursor: string | undefined) => (cursor === undefined ? undefined : placeOf(cursor as Cursor))

  return {
    check: admin.check,
    bounds,
    behind: (cursor, { low, high }) => {
      const next = (place(cursor)?.offset ?? -1n) + 1n
      return high - (next < low || next > high ? low : next)
    },
    positionOf: (cursor) => place(cursor)?.position,
    partitioning: async () => {
      const outgoing = outgoingOf(address, layoutOf(address, await bounds()))
      return (envelope) => `${envelope.topic}-${outgoing(envelope).partition}`
    },
    close: admin.close,
  }
}

/** How long nobody has led before it counts as nobody. */
const leaseLengthMs = 3_000

export type FeedStanding = {
  readonly service: string
  /** Up to there, what the service has recorded is in Kafka. Undefined before the first start. */
  readonly position: Position | 'start' | undefined
  /** Who carries it over; undefined when nobody does. */
  readonly leader: string | undefined
}

/** How far the feed of each service is. They are named after the topics that they fill. */
export const feedStandings = (busUrl: string, control: ReadModel): Promise<readonly FeedStanding[]> => {
  const address = parseKafkaAddress(busUrl)
  return Promise.all(
    topics.map(async (service) => {
      const feed = feedName(address, service)
      const [checkpoint, leader] = await Promise.all([
        loadCheckpoint(control, feed),
        whoLeads(control, feed, leaseLengthMs),
      ])
      return { service, position: checkpoint?.position, leader }
    }),
  )
}
