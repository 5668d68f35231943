import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDockerAvailable } from './docker-cli.ts'
import type { TestProject } from 'vitest/node'
import { type EngineKind, engineKinds } from './engine-kinds.ts'
import { EngineError } from './engine.ts'
import { startEngines } from './engines.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `redis://127.0.0.1:6379` */
    redisUrl: string
    /** `kafka://127.0.0.1:9092` */
    kafkaUrl: string
    /** A real EventStoreDB, if one is configured or Docker can run it. Otherwise tests start the stand-in themselves. */
    eventStoreDbUrl: string | undefined
  }
}

/** The variables with addresses of engines to use instead of starting them for the tests. */
export const testSettingOf: Readonly<Record<EngineKind, string>> = {
  eventStore: 'TEST_EVENT_STORE_URL',
  bus: 'TEST_KAFKA_URL',
  readModel: 'TEST_REDIS_URL',
}

export type EnginesForTests = {
  /** Has no event store without Docker: tests then start the stand-in themselves. */
  readonly urls: Readonly<Partial<Record<EngineKind, string>>>
  /** Stops the started engines and deletes their data. */
  stop(): Promise<void>
}

const start = async <K extends EngineKind>(kinds: readonly K[], folder: string) => {
  try {
    return await startEngines({ folder, kinds })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!(error instanceof EngineError)) throw error
    throw new Error(`The engine tests cannot run. ${error.message.replaceAll('\n', '; ')}`, { cause: error })
  }
}

/** Uses the engines that the environment names, and starts the others. */
export const enginesForTests = async (environment: NodeJS.ProcessEnv): Promise<EnginesForTests> => {
  const given = engineKinds.flatMap((kind) => {
    const url = environment[testSettingOf[kind]]
    return url ? [[kind, url] as const] : []
  })
  const needed = engineKinds.filter((kind) => kind !== 'eventStore' || isDockerAvailable())
  const kinds = needed.filter((kind) => !given.some(([named]) => named === kind))
  if (kinds.length === 0) return { urls: Object.fromEntries(given), stop: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'test-engines-'))
  const started = await start(kinds, folder)
  return {
    urls: Object.fromEntries([...given, ...kinds.map((kind) => [kind, started[kind].url] as const)]),
    stop: async () => {
      await Promise.all(kinds.map((kind) => started[kind].stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Provides the engines that adapter tests share. Each test uses its own namespaces and topics. Fails if an engine cannot start.
 * `make test` starts them once for all projects and passes their addresses.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { urls, stop } = await enginesForTests(process.env)
  project.provide('redisUrl', urls.readModel ?? '')
  project.provide('kafkaUrl', urls.bus ?? '')
  project.provide('eventStoreDbUrl', urls.eventStore)
  return stop
}
