/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { parseKafkaAddress } from '../bus/kafka/address.ts'
import { openKafkaAdmin } from '../bus/kafka/admin.ts'
import { deleteUpTo, messagesInKafka, removeTopics, whenPublished } from '@portal/platform/testing/bus/kafka/topics'
import { openKafkaBus } from '../bus/kafka.ts'
import { startKafkaLogPublisher } from '../bus/kafka/producer/log-publisher.ts'
import type { Publisher } from '../bus/publisher.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { openReadModels } from './read-models.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { runProjection } from './run-projection.ts'
import { noteSchema, numbersOf, tally } from '@portal/platform/testing/projection/tally'

const logger = pino({ level: 'silent' })
const publisher: Publisher = {
  category: 'note',
  topics: ['notifications'],
  publish({ data, type }) {
    const note = noteSchema.parse(data)
    return [{ topic: 'notifications', key: note.key, type, data: note }]
  },
}
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('a projection on Kafka after its retention has passed', { timeout: 90_000 }, () => {
  let url: string
  let folder: string
  let eventStore: ReturnType<typeof openSqliteEventStore>
  let last: string
  const undo: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    url = `${inject('kafkaUrl')}?prefix=${randomUUID()}.&partitions=1`
    folder = await mkdtemp(join(tmpdir(), 'kafka-retention-'))
    eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
    undo.push(
      () => removeTopics(url),
      () => rm(folder, { recursive: true }),
      () => eventStore.close(),
    )
  })
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  })

  const note = async (n: number) => {
    const event = { id: randomUUID(), type: 'Noted', data: { key: 'a0', n } }
    const done = await eventStore.append('note-1', 'any', [event])
    if (done.kind === 'appended') last = `${done.position}:00`
  }

  /** A process with a log publisher and a projection. Its read models outlive it, unless their engine loses them. */
  const startProcess = async (engine: string) => {
    const readModels = await openReadModels({
      projections: ['tally'],
      open: async (namespace) => openSqliteReadModel({ path: join(folder, engine), namespace }),
      logger,
    })
    const parts = { url, eventStore, publishers: [publisher], logger }
    const feed = await startKafkaLogPublisher({ ...parts, service: 'test', readModel: readModels.control })
    const bus = await openKafkaBus({ url, log: eventStore, publishers: [publisher], logger })
    const serving = readModels.of(tally())
    const running = await runProjection({ projection: tally(), bus, readModel: serving, logger })
    return {
      whenApplied: async () => expect(await serving.whenApplied('tally', 'a', last, 40_000)).toBe(true),
      shown: () => numbersOf(serving, 'a0'),
      stopProjection: running.stop,
      check: async () => {
        await bus.check()
        await readModels.check()
      },
      stop: async () => {
        await running.stop()
        await feed.stop()
        await bus.close()
        await readModels.close()
      },
    }
  }
  const openAdmin = () => {
    const admin = openKafkaAdmin(parseKafkaAddress(url), logger)
    undo.push(() => admin.close())
    return admin
  }

  it('BUS-44 misses no message after a stop that is longer than the retention', async () => {
    const first = await startProcess('engine')
    for (const n of numbers(10)) await note(n)
    await first.whenApplied()
    await first.stopProjection()
    for (const n of numbers(10)) await note(10 + n)
    await whenPublished(openAdmin(), url, 20)
    await first.stop()
    await deleteUpTo(url, 'notifications', 15n)
    const second = await startProcess('engine')
    await note(20)
    await second.whenApplied()
    expect(await second.shown()).toEqual(numbers(21))
    await second.check()
    await second.stop()
  })

  it("BUS-44 FD-17 builds everything from the log after the engine has lost its data and the log publisher's checkpoint", async () => {
    const admin = openAdmin()
    const first = await startProcess('engine')
    for (const n of numbers(10)) await note(n)
    await first.whenApplied()
    await whenPublished(admin, url, 10)
    await note(10)
    await first.whenApplied()
    await whenPublished(admin, url, 11)
    await first.stop()
    await deleteUpTo(url, 'notifications', 6n)
    const second = await startProcess('engine-without-data')
    for (const n of [11, 12]) await note(n)
    await second.whenApplied()
    expect(await second.shown()).toEqual(numbers(13))
    // Only the last event in Kafka is published again.
    await whenPublished(admin, url, 14)
    expect(await messagesInKafka(admin, url)).toBe(14)
    await second.check()
    await second.stop()
  })
})
