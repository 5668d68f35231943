import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { EngineKind } from '@portal/ops/dev-engines/addresses'
import { missingCommands } from '@portal/ops/dev-engines/required-commands'
import { dockerAnswers } from './docker-cli.ts'
import { type ContainerRecipe, eventStoreDbRecipe, kafkaRecipe, redisRecipe, startContainer } from './docker.ts'
import { type Engine, EngineError, type EngineOptions, type Lifetime } from './engine.ts'
import { startEventStoreStandIn } from './event-store-stand-in.ts'
import { areJarsFetched } from './kafka/jars.ts'
import { isFree } from './free-port.ts'
import { startKafka } from './kafka.ts'
import { startRedis } from './redis.ts'

const onThisMachine: Readonly<Record<EngineKind, (options: EngineOptions) => Promise<Engine>>> = {
  eventStore: startEventStoreStandIn,
  bus: startKafka,
  readModel: startRedis,
}

const inContainers: Readonly<Record<EngineKind, (port?: number) => Promise<ContainerRecipe>>> = {
  eventStore: eventStoreDbRecipe,
  bus: kafkaRecipe,
  readModel: redisRecipe,
}

/** The name of the volume that keeps an engine's data, the same for the same folder. */
export const volumeOf = (folder: string, kind: EngineKind): string =>
  `portal-engines-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}-${kind.toLowerCase()}`

const nameOf: Readonly<Record<EngineKind, string>> = { eventStore: 'EventStoreDB', bus: 'Kafka', readModel: 'Redis' }

type One = { readonly kind: EngineKind; readonly folder: string; readonly lifetime: Lifetime; readonly port?: number }

const startOne = async ({ kind, folder, lifetime, port }: One, hasDocker: boolean): Promise<Engine> => {
  if (port !== undefined && !(await isFree(port)))
    throw new EngineError(
      `${nameOf[kind]} cannot start: another process uses its port ${port}. Stop that process, then run make engines-up again`,
    )
  if (!hasDocker) return onThisMachine[kind]({ folder: join(folder, kind), lifetime, port })
  const volume = lifetime === 'detached' ? volumeOf(folder, kind) : undefined
  return startContainer(await inContainers[kind](port), { lifetime, volume })
}

/** What has to be installed before engines can run here without Docker, one line each. */
const missingForEngines = (): readonly string[] =>
  missingCommands(['redis-server', 'java', ...(areJarsFetched() ? [] : (['mvn'] as const))])

type StartEngines<K extends EngineKind> = {
  readonly folder: string
  readonly kinds: readonly K[]
  readonly lifetime?: Lifetime
  /** Where they listened before: a portal that runs has these addresses. A free port for each other one. */
  readonly ports?: Readonly<Partial<Record<EngineKind, number>>>
}

/**
 * Starts the engines asked for: as containers where a Docker engine answers, else as processes. All or none: what was started
 * is stopped when another one fails.
 */
export const startEngines = async <K extends EngineKind>({
  folder,
  kinds,
  lifetime = 'caller',
  ports = {},
}: StartEngines<K>): Promise<Readonly<Record<K, Engine>>> => {
  const hasDocker = dockerAnswers()
  const missing = hasDocker ? [] : missingForEngines()
  if (missing.length > 0) throw new EngineError(missing.join('\n'))
  const outcomes = await Promise.allSettled(
    kinds.map(async (kind) => {
      const port = ports[kind]
      return [kind, await startOne({ kind, folder, lifetime, ...(port !== undefined && { port }) }, hasDocker)] as const
    }),
  )
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) {
    await Promise.allSettled(started.map(([, engine]) => engine.stop()))
    throw failure.reason
  }
  // One entry for each of `kinds`: none was rejected.
  return Object.fromEntries(started) as Record<K, Engine>
}
