/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogPublishers } from '@portal/catalog/projections'
import { universitiesProjection } from '@portal/catalog/university/projection'
import { startStandIn } from '@portal/engines/event-store/start'
import { removeTopics } from '@portal/platform/testing/bus/kafka/topics'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { runProjection } from '@portal/platform/generations/run-projection'
import { firstGeneration } from '@portal/platform/generations/generations'
import { loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { dropReadModel, openBus, openReadModel, startLogPublisher } from '@portal/platform/adapters/open-adapters'
import { expect, inject, it, onTestFinished } from 'vitest'
import { projections } from '../settings/consumers.ts'
import { collectStatus } from './collect-status.ts'
import { until } from '@portal/platform/testing/until'

const logger = createLogger({ level: 'silent' })

/** A portal with its log in a file, its bus on Kafka and its read models on Redis, started step by step. */
const openPortal = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'status-'))
  const name = `ops-${randomUUID().slice(0, 8)}`
  const config = loadConfig({
    DATA_DIR: dataDir,
    BUS_URL: `${inject('kafkaUrl')}?partitions=2&prefix=${name}.`,
    READ_MODEL_URL: `${inject('redisUrl')}?prefix=${name}`,
  })
  const { busUrl, readModelUrl } = config
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const control = await openReadModel(readModelUrl, 'control')
  const readModel = await openReadModel(readModelUrl, 'universities-main')
  const bus = await openBus(busUrl, { eventStore, publishers: catalogPublishers, logger })
  onTestFinished(async () => {
    await bus.close()
    await Promise.all([control.close(), readModel.close(), eventStore.close()])
    // make status opens the read models of all projections.
    const namespaces = ['control', ...projections.map((projection) => firstGeneration(projection.name))]
    await Promise.all(namespaces.map((namespace) => dropReadModel(readModelUrl, namespace)))
    await removeTopics(busUrl)
    rmSync(dataDir, { recursive: true })
  })
  return {
    config,
    append: async (count: number) => {
      for (let n = 0; n < count; n++) {
        const data = { universityId: randomUUID(), name: `University ${randomUUID()}` }
        await eventStore.append('university-directory', 'any', [{ id: randomUUID(), type: 'UniversityAdded', data }])
      }
    },
    feed: () =>
      startLogPublisher(busUrl, {
        service: 'catalog',
        eventStore,
        publishers: catalogPublishers,
        control,
        logger,
      }),
    project: () => runProjection({ projection: universitiesProjection, bus, readModel, logger }),
    look: async () => {
      const status = await collectStatus(config, new Date())
      return {
        status,
        feed: status.feeds.find(({ service }) => service === 'catalog'),
        universities: status.consumers.find(({ consumer }) => consumer === 'universities'),
      }
    },
  }
}

it('distinguishes messages in Kafka from unpublished events, and names the leader', async () => {
  const { append, feed: startIt, project, look } = await openPortal()
  await append(4)
  const feeding = await startIt()
  const projecting = await project()
  await until(
    async () => {
      const { feed, universities } = await look()
      expect(feed?.leader).toEqual(expect.any(String))
      expect(feed?.lag.events).toBe(0)
      expect(universities?.lag.events).toBe(0)
      expect(universities?.position).toBeDefined()
    },
    { timeoutMs: 30_000 },
  )

  await projecting.stop()
  await append(3)
  await until(
    async () => {
      const { feed, universities } = await look()
      expect(feed?.lag.events).toBe(0)
      expect(universities?.lag).toMatchObject({ events: 3, isAtLeast: false })
      expect(universities?.lag.ms).toBeGreaterThan(0)
    },
    { timeoutMs: 30_000 },
  )

  await feeding?.stop()
  await append(2)
  const { status, feed, universities } = await look()
  expect(feed).not.toHaveProperty('leader')
  expect(feed?.lag.events).toBe(2)
  expect(universities?.lag.events).toBe(5)
  expect(status.engines.map(({ engine, status: state }) => [engine, state])).toEqual([
    ['event store', 'ok'],
    ['bus', 'ok'],
    ['read models', 'ok'],
  ])
  expect(status.problems).toContain('No process publishes the log of catalog')
})

it('looks for the end of EventStoreDB’s log once for many consumers', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'status-'))
  const standIn = await startStandIn()
  onTestFinished(async () => {
    await standIn.stop()
    rmSync(dataDir, { recursive: true })
  })
  const config = loadConfig({ DATA_DIR: dataDir, EVENT_STORE_URL: standIn.url })
  const { consumers } = await collectStatus(config, new Date())
  expect(consumers.length).toBeGreaterThan(12)
  // Two for the engine's check, one for the end, and those that the consumers share.
  expect((await standIn.counts()).readsOfEnd).toBeLessThan(consumers.length / 2)
})

it('names the unavailable engine without its password, and reports the rest', async () => {
  const { config, append } = await openPortal()
  await append(1)
  const busUrl = 'kafka://user:secret@127.0.0.1:1?sasl=plain'
  const status = await collectStatus({ ...config, busUrl }, new Date())
  expect(status.isHealthy).toBe(false)
  expect(status.engines.find(({ engine }) => engine === 'bus')).toMatchObject({
    at: 'kafka://127.0.0.1:1',
    status: 'down',
  })
  expect(status.logEnd).toBeDefined()
  expect(JSON.stringify(status)).not.toContain('secret')
})
