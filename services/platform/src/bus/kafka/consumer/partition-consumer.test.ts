import type { KafkaMessage } from 'kafkajs'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { fillHeader } from '../message-format.ts'
import { type FetchedBatch, startPartition } from './partition-consumer.ts'
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
const following = () => {
  const lost: bigint[] = []
  const partition = startPartition({
    busPartition: 'auth-0',
    consumer: { group: 'test', topics: ['auth'], loadCursors: async () => ({}), handle: async () => undefined },
    health: createConsumerHealth('test'),
    logger: pino({ level: 'silent' }),
    start: { kind: 'follow', next: 0n },
    bounds: { low: 0n, high: 0n },
    after: {},
    isGapKnown: false,
    fetchControl: { seek: () => undefined, pause: () => undefined, resume: () => undefined },
    onHandled: () => undefined,
    onLost: (next) => lost.push(next),
  })
  return { partition, lost }
}

it('BUS-43 rejects another fill at the next offset: the topic was created again and has outgrown the old one', async () => {
  const { partition, lost } = following()
  expect(partition.take(fetched(message(0), message(1, 'first')))).toBe(true)
  expect(partition.take(fetched(message(2), message(3, 'second')))).toBe(false)
  expect(lost).toEqual([2n])
  await partition.stop()
})

it('BUS-43 accepts one response in which a log publisher has started another fill', async () => {
  const { partition, lost } = following()
  expect(partition.take(fetched(message(0, 'first'), message(1, 'second')))).toBe(true)
  expect(partition.take(fetched(message(2), message(3, 'second')))).toBe(true)
  expect(partition.take(fetched(message(4)))).toBe(true)
  expect(lost).toEqual([])
  await partition.stop()
})
