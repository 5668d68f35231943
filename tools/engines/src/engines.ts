import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { EngineKind } from './engine-kinds.ts'
import { missingCommands } from './required-commands.ts'
import { isDockerAvailable } from './docker-cli.ts'
import { type ContainerRecipe, eventStoreDbRecipe, kafkaRecipe, redisRecipe, startContainer } from './docker.ts'
import { type Engine, EngineError, type EngineOptions, type Lifetime } from './engine.ts'
import { startEventStoreStandIn } from './event-store-stand-in.ts'
import { areJarsFetched } from './kafka/jars.ts'
import { isFree } from './free-port.ts'
import { startKafka } from './kafka.ts'
import { startRedis } from './redis.ts'

const localEngines: Readonly<Record<EngineKind, (options: EngineOptions) => Promise<Engine>>> = {
  eventStore: startEventStoreStandIn,
  bus: startKafka,
  readModel: startRedis,
}

const containerRecipes: Readonly<Record<EngineKind, (port?: number) => Promise<ContainerRecipe>>> = {
  eventStore: eventStoreDbRecipe,
  bus: kafkaRecipe,
  readModel: redisRecipe,
}

/** The name of the volume with an engine's data. Depends only on folder and kind. */
export const volumeOf = (folder: string, kind: EngineKind): string =>
  `portal-engines-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}-${kind.toLowerCase()}`

const engineNames: Readonly<Record<EngineKind, string>> = {
  eventStore: 'EventStoreDB',
  bus: 'Kafka',
  readModel: 'Redis',
}

type EngineStart = {
  readonly kind: EngineKind
  readonly folder: string
  readonly lifetime: Lifetime
  readonly port?: number
}

const startOne = async ({ kind, folder, lifetime, port }: EngineStart, hasDocker: boolean): Promise<Engine> => {
  if (port !== undefined && !(await isFree(port)))
    throw new EngineError(
      `${engineNames[kind]} cannot start: another process uses its port ${port}. Stop that process, then run make engines-up again`,
    )
  if (!hasDocker) return localEngines[kind]({ folder: join(folder, kind), lifetime, port })
  const volume = lifetime === 'detached' ? volumeOf(folder, kind) : undefined
  return startContainer(await containerRecipes[kind](port), { lifetime, volume })
}

/** The commands that engines need without Docker and that are not installed, one line each. */
const missingForEngines = (): readonly string[] =>
  missingCommands(['redis-server', 'java', ...(areJarsFetched() ? [] : (['mvn'] as const))])

type StartEngines<K extends EngineKind> = {
  readonly folder: string
  readonly kinds: readonly K[]
  readonly lifetime?: Lifetime
  /** The previous ports, which a running portal still uses. Other engines get free ports. */
  readonly ports?: Readonly<Partial<Record<EngineKind, number>>>
}

/**
 * Starts the engines as containers if Docker is available, otherwise as local processes. If one fails to start, stops the others
 * and rejects.
 */
export const startEngines = async <K extends EngineKind>({
  folder,
  kinds,
  lifetime = 'caller',
  ports = {},
}: StartEngines<K>): Promise<Readonly<Record<K, Engine>>> => {
  const hasDocker = isDockerAvailable()
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
  // Has an entry for each of `kinds`, because none was rejected.
  return Object.fromEntries(started) as Record<K, Engine>
}
