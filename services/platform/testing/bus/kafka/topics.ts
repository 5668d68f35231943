import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { type Admin, Partitioners } from 'kafkajs'
import { pino } from 'pino'
import { expect } from 'vitest'
import { parseKafkaAddress } from '../../../src/bus/kafka/address.ts'
import { type KafkaAdmin, openKafkaAdmin } from '../../../src/bus/kafka/admin.ts'
import { createKafkaClient } from '../../../src/bus/kafka/client.ts'
import { recordsOf } from '../../../src/bus/kafka/message-format.ts'
import { createTopics, topicName, topicNames } from '../../../src/bus/kafka/topics.ts'
import { until } from '../../until.ts'

const silent = pino({ level: 'silent' })

/** The number of messages in all topics. A missing topic counts as empty. */
export const messagesInKafka = async (admin: KafkaAdmin, url: string): Promise<number> => {
  const topics = topicNames(parseKafkaAddress(url))
  const bounds = await Promise.all(topics.map((topic) => admin.bounds(topic)))
  return bounds.flatMap((partitions) => [...partitions.values()]).reduce((sum, { high }) => sum + Number(high), 0)
}

export const whenPublished = async (admin: KafkaAdmin, url: string, total: number): Promise<void> => {
  const arePublished = async () => expect(await messagesInKafka(admin, url)).toBeGreaterThanOrEqual(total)
  await until(arePublished)
}

const withAdmin = async (url: string, work: (admin: Admin) => Promise<unknown>): Promise<void> => {
  const admin = createKafkaClient(parseKafkaAddress(url), silent).admin()
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Deletes the topics of a test. */
export const removeTopics = (url: string): Promise<void> =>
  withAdmin(url, (admin) => admin.deleteTopics({ topics: [...topicNames(parseKafkaAddress(url))] }))

/** Deletes the topics and waits until the broker no longer lists them. Nothing may run that creates them again. */
export const removeTopicsAndWait = (url: string): Promise<void> =>
  withAdmin(url, async (admin) => {
    const names = topicNames(parseKafkaAddress(url))
    await admin.deleteTopics({ topics: [...names] })
    const areGone = async () => expect((await admin.listTopics()).filter((name) => names.includes(name))).toEqual([])
    await until(areGone)
  })

export const addPartitions = (url: string, topic: string, count: number): Promise<void> =>
  withAdmin(url, (admin) =>
    admin.createPartitions({ topicPartitions: [{ topic: topicName(parseKafkaAddress(url), topic), count }] }),
  )

/** Writes to a topic without the log publisher. */
export const produce = async (url: string, topic: string, messages: readonly { key: string; value: string }[]) => {
  const producer = createKafkaClient(parseKafkaAddress(url), silent).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  await producer.send({ topic: topicName(parseKafkaAddress(url), topic), messages: [...messages] })
  await producer.disconnect()
}

/** Creates missing topics as a service does. Rejects with Kafka's own error. */
export const prepareTopics = (url: string): Promise<void> =>
  withAdmin(url, (admin) => createTopics(admin, parseKafkaAddress(url)))

/** The first message of a topic, read as a member of a group. */
export const consumeOne = async (url: string, topic: string, groupId: string): Promise<string> => {
  const address = parseKafkaAddress(url)
  const consumer = createKafkaClient(address, silent).consumer({ groupId })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  consumer.on('consumer.crash', ({ payload }) => payload.restart || reject(payload.error))
  try {
    await consumer.connect()
    await consumer.subscribe({ topic: topicName(address, topic), fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message }) => resolve(String(message.value)) })
    return await promise
  } finally {
    await consumer.disconnect()
  }
}

/** Writes messages like a log publisher, but without its headers. */
export const produceEnvelopes = async (url: string, envelopes: readonly Envelope[]) => {
  const address = parseKafkaAddress(url)
  const admin = openKafkaAdmin(address, silent)
  const producer = createKafkaClient(address, silent).producer({ createPartitioner: Partitioners.DefaultPartitioner })
  try {
    const toRecords = recordsOf(address, await admin.prepare())
    await producer.connect()
    for (const { topic, partition, key, value } of toRecords(envelopes)) {
      await producer.send({ topic, messages: [{ partition, key, value }] })
    }
  } finally {
    await producer.disconnect()
    await admin.close()
  }
}

/** Simulates retention: deletes everything before that offset in every partition. */
export const deleteUpTo = (url: string, topic: string, offset: bigint): Promise<void> =>
  withAdmin(url, async (admin) => {
    const name = topicName(parseKafkaAddress(url), topic)
    const ends = await admin.fetchTopicOffsets(name)
    const partitions = ends
      .filter(({ high }) => BigInt(high) >= offset)
      .map(({ partition }) => ({ partition, offset: `${offset}` }))
    await admin.deleteTopicRecords({ topic: name, partitions })
  })

/** The sum of a group's committed offsets. */
export const committedOffsets = async (url: string, group: string, topic: string): Promise<number> => {
  const { prefix } = parseKafkaAddress(url)
  let sum = 0
  await withAdmin(url, async (admin) => {
    const found = await admin.fetchOffsets({ groupId: prefix + group, topics: [prefix + topic] })
    for (const { offset } of found.flatMap(({ partitions }) => partitions)) sum += Math.max(0, Number(offset))
  })
  return sum
}
