import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { dockerAnswers } from './docker-cli.ts'
import { type ContainerRecipe, eventStoreDbRecipe, kafkaRecipe, redisRecipe, startContainer } from './docker.ts'
import { type Engine, EngineError, type EngineKind, type EngineOptions, type Lifetime } from './engine.ts'
import { startEventStoreStandIn } from './event-store-stand-in.ts'
import { areJarsFetched } from './kafka/jars.ts'
import { startKafka } from './kafka.ts'
import { startRedis } from './redis.ts'
import { missingCommands } from './required.ts'

const onThisMachine: Readonly<Record<EngineKind, (options: EngineOptions) => Promise<Engine>>> = {
  eventStore: startEventStoreStandIn,
  bus: startKafka,
  readModel: startRedis,
}

const inContainers: Readonly<Record<EngineKind, () => Promise<ContainerRecipe>>> = {
  eventStore: eventStoreDbRecipe,
  bus: kafkaRecipe,
  readModel: redisRecipe,
}

/** The name of the volume that keeps an engine's data, the same for the same folder. */
export const volumeOf = (folder: string, kind: EngineKind): string =>
  `portal-engines-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}-${kind.toLowerCase()}`

const startOne = async (kind: EngineKind, folder: string, lifetime: Lifetime, hasDocker: boolean): Promise<Engine> => {
  if (!hasDocker) return onThisMachine[kind]({ folder: join(folder, kind), lifetime })
  const volume = lifetime === 'detached' ? volumeOf(folder, kind) : undefined
  return startContainer(await inContainers[kind](), { lifetime, volume })
}

/** What has to be installed before engines can run here without Docker, one line each. */
export const missingForEngines = (): readonly string[] =>
  missingCommands(['redis-server', 'java', ...(areJarsFetched() ? [] : (['mvn'] as const))])

export type StartEngines<K extends EngineKind> = {
  readonly folder: string
  readonly kinds: readonly K[]
  readonly lifetime?: Lifetime
}

/**
 * Starts the engines asked for: as containers where a Docker engine answers, else as processes. All or none: what was started
 * is stopped when another one fails.
 */
export const startEngines = async <K extends EngineKind>({
  folder,
  kinds,
  lifetime = 'caller',
}: StartEngines<K>): Promise<Readonly<Record<K, Engine>>> => {
  const hasDocker = dockerAnswers()
  const missing = hasDocker ? [] : missingForEngines()
  if (missing.length > 0) throw new EngineError(missing.join('\n'))
  const outcomes = await Promise.allSettled(
    kinds.map(async (kind) => [kind, await startOne(kind, folder, lifetime, hasDocker)] as const),
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
