import type { KafkaMessage } from 'kafkajs'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { fillHeader } from '../message-format.ts'
import { type FetchedBatch, startPartition } from './partition-consumer.ts'
import type { BreakPlace } from './start-position.ts'
import { createConsumerHealth } from './consumer-state.ts'

const message = (offset: number, fill?: string): KafkaMessage => ({
  key: null,
  value: Buffer.from('{}'),
  timestamp: '0',
  attributes: 0,
  offset: `${offset}`,
  ...(fill !== undefined && { headers: { [fillHeader]: fill } }),
})

const fetched = (...messages: readonly KafkaMessage[]): FetchedBatch => ({
  topic: 'auth',
  partition: 0,
  messages: [...messages],
  highWatermark: '100',
  lastOffset: () => messages.at(-1)?.offset ?? '',
})

/** A partition that follows Kafka from offset 0; `lost` collects the offsets of rejected batches. */
const following = (fill?: string) => {
  const lost: BreakPlace[] = []
  const partition = startPartition({
    busPartition: 'auth-0',
    consumer: { group: 'test', topics: ['auth'], loadCursors: async () => ({}), handle: async () => undefined },
    health: createConsumerHealth('test'),
    logger: pino({ level: 'silent' }),
    start: { kind: 'follow', next: 0n, fill },
    bounds: { low: 0n, high: 0n },
    after: {},
    isGapKnown: false,
    fetchControl: { seek: () => undefined, pause: () => undefined, resume: () => undefined },
    onHandled: () => undefined,
    onBreak: (place) => lost.push(place),
  })
  return { partition, lost }
}

it('BUS-43 rejects another fill at the next offset: the topic was created again and has outgrown the old one', async () => {
  const { partition, lost } = following('first')
  expect(partition.take(fetched(message(0), message(1, 'first')))).toBe(true)
  expect(partition.take(fetched(message(2), message(3, 'second')))).toBe(false)
  expect(lost).toEqual([{ next: 2n, because: 'other fill' }])
  await partition.stop()
})

it('BUS-43 rejects another fill than that of its last message before the start, and within one response', async () => {
  const { partition, lost } = following('first')
  expect(partition.take(fetched(message(0, 'second')))).toBe(false)
  expect(lost).toEqual([{ next: 0n, because: 'other fill' }])
  await partition.stop()

  const other = following('first')
  expect(other.partition.take(fetched(message(0, 'first'), message(1, 'second')))).toBe(false)
  await other.partition.stop()
})

it('BUS-43 accepts messages of a log publisher of an older release, which writes no fill', async () => {
  const { partition, lost } = following('first')
  expect(partition.take(fetched(message(0), message(1, 'first')))).toBe(true)
  expect(partition.take(fetched(message(2)))).toBe(true)
  expect(lost).toEqual([])
  await partition.stop()
})

it('BUS-43 rejects the first message of a partition that was empty: the topic may have been created again before', async () => {
  const { partition, lost } = following()
  expect(partition.take(fetched(message(0, 'second')))).toBe(false)
  expect(lost).toEqual([{ next: 0n, because: 'first fill' }])
  await partition.stop()
})
