import type { KafkaMessage } from 'kafkajs'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import { parseKafkaAddress } from '../../../src/bus/kafka/address.ts'
import type { Bounds } from '../../../src/bus/kafka/cursor.ts'
import type { requestOf } from '../../../src/bus/kafka/message-format.ts'
import { createTopicReader } from '../../../src/bus/kafka/topic-reader.ts'
import type { FetchedBatch } from '../../../src/bus/kafka/consumer/partition-consumer.ts'
import type { TopicOffsets } from '../../../src/bus/kafka/producer/topic-truncation.ts'
import { type Ends, partitionKey, topicName, type TopicPartition } from '../../../src/bus/kafka/topics.ts'

const topic: Topic = 'notifications'

/** A message, and the number of the request that wrote it: a response has all messages of a request in the partition. */
type Stored = KafkaMessage & { readonly request: number }
type Log = { low: bigint; readonly messages: Stored[] }

/** An in-memory Kafka with one topic, which can lose its data. */
export const createKafkaModel = (partitions: number) => {
  const address = parseKafkaAddress('kafka://model:9092')
  const name = topicName(address, topic)
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  let logs = new Map<number, Log>()
  let lostConnections = 0
  let requests = 0

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
    /** Writes one request of a producer. */
    write(request: ReturnType<typeof requestOf>) {
      requests++
      for (const { partition, ...message } of request.flatMap(({ messages }) => messages)) {
        const log = logOf(partition)
        log.messages.push({
          key: Buffer.from(message.key),
          value: Buffer.from(message.value),
          timestamp: '0',
          attributes: 0,
          offset: `${boundsOf(log).high}`,
          headers: Object.fromEntries(
            Object.entries(message.headers).map(([header, value]) => [header, Buffer.from(value)]),
          ),
          request: requests,
        })
      }
    },
    /** Simulates a broker that comes back without its data. */
    reset() {
      empty()
      lostConnections++
    },
    /** Simulates a topic that is deleted and created again under open connections. */
    replace: empty,
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
        /** Passes one response to `take`: the messages of at most `max` requests for each partition that is not paused. */
        fetch(max: number, take: (batch: FetchedBatch) => boolean) {
          for (const [partition, state] of states) {
            if (state.isPaused) continue
            const log = logOf(partition)
            const { low, high } = boundsOf(log)
            // Like kafkajs after an out-of-range error.
            if (state.next < low || state.next > high) state.next = low
            const from = Number(state.next - log.low)
            const end = (log.messages[from]?.request ?? 0) + max
            const messages = log.messages.slice(from).filter(({ request }) => request < end)
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
