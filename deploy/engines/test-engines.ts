import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { dockerAnswers } from './docker-cli.ts'
import { EngineError, type EngineKind } from './engine.ts'
import { startEngines } from './engines.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `redis://127.0.0.1:6379` */
    redisUrl: string
    /** `kafka://127.0.0.1:9092` */
    kafkaUrl: string
    /** A real EventStoreDB, where one was given or Docker can run it; tests start the stand-in for themselves else. */
    eventStoreDbUrl: string | undefined
  }
}

/** An engine that is given must not be started; the others are started for this run, and stopped after it. */
const given = {
  eventStore: process.env['TEST_EVENT_STORE_URL'],
  bus: process.env['TEST_KAFKA_URL'],
  readModel: process.env['TEST_REDIS_URL'],
}

const missing = (): readonly EngineKind[] => {
  const needed: readonly EngineKind[] = dockerAnswers() ? ['eventStore', 'bus', 'readModel'] : ['bus', 'readModel']
  return needed.filter((kind) => !given[kind])
}

/** The engines that the adapters' tests share. Each test keeps to namespaces and topics of its own. Fails if one cannot start. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const kinds = missing()
  const folder = await mkdtemp(join(tmpdir(), 'test-engines-'))
  const started: Partial<Awaited<ReturnType<typeof startEngines>>> = await startEngines({ folder, kinds }).catch(
    async (error: unknown) => {
      await rm(folder, { recursive: true, force: true })
      if (error instanceof EngineError)
        throw new Error(`The engines' tests cannot run. ${error.message.replaceAll('\n', '; ')}`, { cause: error })
      throw error
    },
  )
  const addressOf = (kind: EngineKind): string | undefined => given[kind] || started[kind]?.url
  project.provide('redisUrl', addressOf('readModel') ?? '')
  project.provide('kafkaUrl', addressOf('bus') ?? '')
  project.provide('eventStoreDbUrl', addressOf('eventStore'))
  return async () => {
    await Promise.all(Object.values(started).map((engine) => engine.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}
