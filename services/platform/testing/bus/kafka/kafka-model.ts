import type { KafkaMessage } from 'kafkajs'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import { parseKafkaAddress } from '../../../src/bus/kafka/address.ts'
import type { Bounds } from '../../../src/bus/kafka/cursor.ts'
import { type OutgoingRecord, publisherHeader } from '../../../src/bus/kafka/message-format.ts'
import { createTopicReader } from '../../../src/bus/kafka/topic-reader.ts'
import type { FetchedBatch } from '../../../src/bus/kafka/consumer/partition-consumer.ts'
import type { TopicOffsets } from '../../../src/bus/kafka/producer/topic-truncation.ts'
import { type Ends, partitionKey, topicName, type TopicPartition } from '../../../src/bus/kafka/topics.ts'

const topic: Topic = 'notifications'

type Log = { low: bigint; readonly messages: KafkaMessage[] }

/** One topic of a Kafka in memory, that can lose what it has. */
export const createKafkaModel = (partitions: number) => {
  const address = parseKafkaAddress('kafka://model:9092')
  const name = topicName(address, topic)
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  let logs = new Map<number, Log>()
  let lostConnections = 0

  const empty = () => {
    logs = new Map(numbers.map((partition) => [partition, { low: 0n, messages: [] }]))
  }
  empty()

  const logOf = (partition: number): Log => {
    const log = logs.get(partition)
    if (log === undefined) throw new Error(`No partition ${partition}`)
    return log
  }
  const boundsOf = ({ low, messages }: Log): Bounds => ({ low, high: low + BigInt(messages.length) })
  const read = async (_topic: string, partition: number, offset: bigint) => {
    const { low, messages } = logOf(partition)
    return offset < low ? undefined : messages[Number(offset - low)]
  }
  const bounds = async () => new Map(numbers.map((partition) => [partition, boundsOf(logOf(partition))] as const))
  const endsNow = (): Ends =>
    new Map(numbers.map((partition) => [partitionKey(name, partition), boundsOf(logOf(partition)).high]))

  return {
    address,
    topic,
    name,
    numbers,
    topicReader: createTopicReader({ admin: { bounds }, reader: { read } }),
    lostConnections: () => lostConnections,
    ends: endsNow,
    offsets: (): TopicOffsets => ({ ends: endsNow(), layout: new Map([[name, partitions]]) }),
    lastMessages: () => numbers.map((partition) => logOf(partition).messages.at(-1)),
    /** As a producer's one request: the last message of each partition is marked, where it ends its event. */
    write(messages: readonly OutgoingRecord[], mark: string) {
      for (const [partition, own] of Map.groupBy(messages, (message) => message.partition)) {
        const log = logOf(partition)
        for (const [index, { key, value, endsEvent }] of own.entries()) {
          const isMarked = endsEvent && index === own.length - 1
          log.messages.push({
            key: Buffer.from(key),
            value: Buffer.from(value),
            timestamp: '0',
            attributes: 0,
            offset: `${boundsOf(log).high}`,
            headers: isMarked ? { [publisherHeader]: Buffer.from(mark) } : {},
          })
        }
      }
    },
    /** The broker comes back without its data. */
    reset() {
      empty()
      lostConnections++
    },
    /** As retention: so many of the oldest messages of each partition are gone. */
    trim(count: number) {
      for (const partition of numbers) {
        const log = logOf(partition)
        log.low += BigInt(log.messages.splice(0, count).length)
      }
    },
    /** What a member fetches from; it is told where to by the partitions it was assigned. */
    openFetcher() {
      const places = new Map<number, { next: bigint; isPaused: boolean }>()
      return {
        fetchControl({ partition }: TopicPartition) {
          const place = { next: 0n, isPaused: true }
          places.set(partition, place)
          return {
            seek: (offset: bigint) => void (place.next = offset),
            pause: () => void (place.isPaused = true),
            resume: () => void (place.isPaused = false),
          }
        },
        /** One answer: at most so many messages of each partition that is not paused. */
        fetch(most: number, take: (batch: FetchedBatch) => boolean) {
          for (const [partition, place] of places) {
            if (place.isPaused) continue
            const log = logOf(partition)
            const { low, high } = boundsOf(log)
            // As kafkajs does when it is told that there is no such offset.
            if (place.next < low || place.next > high) place.next = low
            const from = Number(place.next - log.low)
            const messages = log.messages.slice(from, from + most)
            const last = messages.at(-1)
            if (last === undefined) continue
            const before = place.next
            const lastOffset = () => last.offset
            const isTaken = take({ topic: name, partition, messages, highWatermark: `${high}`, lastOffset })
            if (isTaken && place.next === before) place.next = BigInt(last.offset) + 1n
          }
        },
      }
    },
  }
}
