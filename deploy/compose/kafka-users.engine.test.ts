/** @module-tag verify */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@portal/engines/engine'
import { freePort } from '@portal/engines/free-port'
import { startKafka } from '@portal/engines/kafka'
import { repositoryRoot } from '@portal/ops/repository-root'
import { createLogger } from '@portal/platform/observability/logger'
import { grantKafkaRights, kafkaUserNames } from '@portal/platform/operations/grant-kafka-rights'
import { inspectTopics } from '@portal/platform/operations/inspect-kafka'
import { consumeOne, prepareTopics, produce } from '@portal/platform/testing/bus/kafka/topics'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { type KafkaLoginName, kafkaUsersFile } from './kafka-users.ts'

const logger = createLogger({ level: 'silent' })
const passwordOf = (user: string): string => `${user}-password`
const services = ['auth', 'catalog', 'notifications'] as const

/** The broker of docker-compose.yml, on addresses of this machine. */
const { KAFKA_OPTS: jvmOption = '', ...environment } = z
  .object({ services: z.object({ kafka: z.object({ environment: z.record(z.string(), z.string()) }) }) })
  .parse(parse(readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8'), { merge: true })).services
  .kafka.environment
const ownProperties = /^(log\.dirs|node\.id|process\.roles|heap\.opts|.*replication\.factor|.*min\.isr)$/

let folder: string
let kafka: Engine
let clientPort: number
const urlOf = (user: KafkaLoginName, password = passwordOf(user)) =>
  `kafka://${user}:${password}@127.0.0.1:${clientPort}?sasl=plain&partitions=2`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafka-users-'))
  const usersFile = join(folder, 'users.jaas')
  await writeFile(usersFile, kafkaUsersFile(passwordOf))
  clientPort = await freePort()
  kafka = await startKafka({
    folder: join(folder, 'kafka'),
    jvmOptions: [jvmOption.replace('/etc/kafka-users.jaas', usersFile)],
    properties: ({ port, controllerPort }) => {
      const here = (value: string) =>
        value
          .replaceAll(/(0\.0\.0\.0|kafka):9092/g, `127.0.0.1:${clientPort}`)
          .replaceAll('localhost:9094', `127.0.0.1:${port}`)
          .replaceAll('localhost:9093', `127.0.0.1:${controllerPort}`)
      const properties = Object.entries(environment).map(([name, value]) => [
        name
          .replace(/^KAFKA_/, '')
          .toLowerCase()
          .replaceAll('_', '.'),
        here(value),
      ])
      return Object.fromEntries(properties.filter(([name = '']) => !ownProperties.test(name)))
    },
  })
}, 120_000)
afterAll(async () => {
  await kafka.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('the users of Kafka in Docker Compose', () => {
  it('have no rights until these are granted, and nobody connects without a login', async () => {
    await expect(prepareTopics(urlOf('auth'))).rejects.toThrow('Topic creation errors')
    await expect(prepareTopics(urlOf('auth', 'wrong-password'))).rejects.toThrow(/authentication/i)
    await expect(prepareTopics(`kafka://127.0.0.1:${clientPort}`)).rejects.toThrow('Closed connection')
    await grantKafkaRights(urlOf('admin'), logger)
    await grantKafkaRights(urlOf('admin'), logger)
    await prepareTopics(urlOf('auth'))
  })

  it('publish to the topic of their service alone', async () => {
    for (const user of kafkaUserNames) {
      const sent = services.map((topic) => produce(urlOf(user), topic, [{ key: 'a', value: `by ${user}` }]))
      const outcomes = await Promise.allSettled(sent)
      const isRefused = (reason: unknown) => /authoriz/i.test(String(reason))
      const done = outcomes.map((one) =>
        one.status === 'fulfilled' ? 'sent' : isRefused(one.reason) ? 'refused' : String(one.reason),
      )
      expect([user, done]).toEqual([user, services.map((topic) => (topic === user ? 'sent' : 'refused'))])
    }
  })

  it('read all topics, the gateway only in groups of its own', async () => {
    for (const user of kafkaUserNames) {
      const group = user === 'gateway' ? 'gateway-1' : `projection-${user}`
      for (const topic of services) expect(await consumeOne(urlOf(user), topic, group)).toBe(`by ${topic}`)
    }
    await expect(consumeOne(urlOf('gateway'), 'auth', 'projection-auth')).rejects.toThrow(
      'Failed to find group coordinator',
    )
  })

  it('cannot grant themselves rights, and ops sees the topics', async () => {
    for (const user of kafkaUserNames) await expect(grantKafkaRights(urlOf(user), logger)).rejects.toThrow(/authoriz/i)
    expect(await inspectTopics(urlOf('ops'), logger)).toMatchObject({ missing: [] })
  })
})
