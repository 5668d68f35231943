/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { Kafka, logLevel } from 'kafkajs'
import { createClient } from 'redis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { startEventStoreStandIn } from './event-store-stand-in.ts'
import { startKafka } from './kafka.ts'
import { startRedis } from './redis.ts'

/** The purpose of each engine, tested in three steps: store something, kill the engine, read it again. */
type Keeping = { keep(url: string): Promise<void>; isKept(url: string): Promise<boolean> }

const redisAt = async (url: string) => createClient({ url }).connect()

const redis: Keeping = {
  keep: async (url) => {
    const client = await redisAt(url)
    await client.set('kept', 'yes')
    client.destroy()
  },
  isKept: async (url) => {
    const client = await redisAt(url)
    const kept = await client.get('kept')
    client.destroy()
    return kept === 'yes'
  },
}

const kafkaAt = (url: string) => new Kafka({ brokers: [new URL(url).host], logLevel: logLevel.NOTHING })

const kafka: Keeping = {
  keep: async (url) => {
    const admin = kafkaAt(url).admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }], waitForLeaders: true })
    await admin.disconnect()
    const producer = kafkaAt(url).producer()
    await producer.connect()
    await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'yes' }] })
    await producer.disconnect()
  },
  isKept: async (url) => {
    const admin = kafkaAt(url).admin()
    await admin.connect()
    const [partition] = await admin.fetchTopicOffsets('kept')
    await admin.disconnect()
    return partition?.high === '1'
  },
}

const event = { id: '0b8f1d5e-6a55-4d0b-9c43-2f1a3a6f7d10', type: 'Kept', data: {} }

const eventStore: Keeping = {
  keep: async (url) => {
    const client = EventStoreDBClient.connectionString(url)
    await client.appendToStream('kept-1', jsonEvent(event), { expectedRevision: NO_STREAM })
    await client.dispose()
  },
  isKept: async (url) => {
    const client = EventStoreDBClient.connectionString(url)
    const ids: (string | undefined)[] = []
    for await (const resolved of client.readStream('kept-1')) ids.push(resolved.event?.id)
    await client.dispose()
    return ids.length === 1 && ids[0] === event.id
  },
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // no such process
  }
}

let folder: string
let engine: Engine | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-'))
})

afterEach(async () => {
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  { start: startRedis, keeping: redis },
  { start: startKafka, keeping: kafka },
  { start: startEventStoreStandIn, keeping: eventStore },
])('an engine without Docker', ({ start, keeping }) => {
  it(
    `${start.name}: is back at the same address, with its data, after it was killed`,
    { timeout: 120_000 },
    async () => {
      engine = await start({ folder })
      const { url, pid } = engine
      await keeping.keep(url)
      await engine.kill()
      expect({ pid: engine.pid, isAlive: isAlive(pid ?? 0) }).toEqual({ pid: undefined, isAlive: false })
      await engine.restart()
      expect(engine.url).toBe(url)
      expect(engine.pid).not.toBe(pid)
      expect(await keeping.isKept(url)).toBe(true)
    },
  )
})
