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

/** An in-memory Kafka with one topic, which can lose its data. */
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
    /** Writes one producer request. The last message of each partition gets the publisher header if it ends its event. */
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
    /** Simulates a broker that comes back without its data. */
    reset() {
      empty()
      lostConnections++
    },
    /** Simulates retention: deletes the oldest `count` messages of each partition. */
    trim(count: number) {
      for (const partition of numbers) {
        const log = logOf(partition)
        log.low += BigInt(log.messages.splice(0, count).length)
      }
    },
    /** A member's fetcher. Its assigned partitions control it. */
    openFetcher() {
      const states = new Map<number, { next: bigint; isPaused: boolean }>()
      return {
        fetchControl({ partition }: TopicPartition) {
          const state = { next: 0n, isPaused: true }
          states.set(partition, state)
          return {
            seek: (offset: bigint) => void (state.next = offset),
            pause: () => void (state.isPaused = true),
            resume: () => void (state.isPaused = false),
          }
        },
        /** Passes one response to `take`: at most `max` messages of each partition that is not paused. */
        fetch(max: number, take: (batch: FetchedBatch) => boolean) {
          for (const [partition, state] of states) {
            if (state.isPaused) continue
            const log = logOf(partition)
            const { low, high } = boundsOf(log)
            // Like kafkajs after an out-of-range error.
            if (state.next < low || state.next > high) state.next = low
            const from = Number(state.next - log.low)
            const messages = log.messages.slice(from, from + max)
            const last = messages.at(-1)
            if (last === undefined) continue
            const before = state.next
            const lastOffset = () => last.offset
            const isTaken = take({ topic: name, partition, messages, highWatermark: `${high}`, lastOffset })
            if (isTaken && state.next === before) state.next = BigInt(last.offset) + 1n
          }
        },
      }
    },
  }
}
