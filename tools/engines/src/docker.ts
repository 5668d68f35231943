import { docker } from './docker-cli.ts'
import type { Engine, Lifetime } from './engine.ts'
import { eventStoreDbEnvironment, pingEventStoreDb } from './event-store-program.ts'
import { freePort } from './free-port.ts'
import { pingKafka } from './kafka.ts'
import { pingRedis } from './redis.ts'
import { waitUntilAnswers } from './server-process.ts'

/**
 * The engines as containers, used if Docker is available. The versions are those of docker-compose.yml, with the real EventStoreDB.
 * Ports are chosen here, not by Docker: Kafka's settings include its own address, and a restart must not change it.
 */
export type ContainerRecipe = {
  readonly name: string
  readonly image: string
  readonly port: number
  readonly innerPort: number
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly dataFolder: string
  readonly ping: () => Promise<void>
}

const startTimeoutMs = 120_000

export const eventStoreDbImage = 'eventstore/eventstore:24.10.5'

export const eventStoreDbRecipe = async (chosen?: number): Promise<ContainerRecipe> => {
  const port = chosen ?? (await freePort())
  return {
    name: 'EventStoreDB',
    image: eventStoreDbImage,
    port,
    innerPort: 2113,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    environment: { ...eventStoreDbEnvironment, EVENTSTORE_NODE_PORT: '2113' },
    dataFolder: '/var/lib/eventstore',
    ping: () => pingEventStoreDb(port),
  }
}

export const kafkaRecipe = async (chosen?: number): Promise<ContainerRecipe> => {
  const port = chosen ?? (await freePort())
  return {
    name: 'Kafka',
    image: 'apache/kafka:4.1.1',
    port,
    innerPort: 9092,
    url: `kafka://127.0.0.1:${port}`,
    environment: {
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@127.0.0.1:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_BROKER_HEARTBEAT_INTERVAL_MS: '500',
      KAFKA_BROKER_SESSION_TIMEOUT_MS: '3000',
      KAFKA_LOG_DIRS: '/var/lib/kafka/data',
    },
    dataFolder: '/var/lib/kafka/data',
    ping: () => pingKafka(port),
  }
}

export const redisRecipe = async (chosen?: number): Promise<ContainerRecipe> => {
  const port = chosen ?? (await freePort())
  return {
    name: 'Redis',
    image: 'redis:7.4.9-alpine',
    port,
    innerPort: 6379,
    url: `redis://127.0.0.1:${port}`,
    environment: {},
    command: ['redis-server', '--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    dataFolder: '/data',
    ping: () => pingRedis(port),
  }
}

type ContainerEngine = Engine & { readonly container: string }

/** With a volume, the data outlives the container. */
export const startContainer = async (
  recipe: ContainerRecipe,
  { lifetime, volume }: { readonly lifetime?: Lifetime | undefined; readonly volume?: string | undefined },
): Promise<ContainerEngine> => {
  // Ryuk would remove the container when this process ends.
  if (lifetime === 'detached') process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  const { GenericContainer } = await import('testcontainers')
  const container = new GenericContainer(recipe.image)
    .withExposedPorts({ container: recipe.innerPort, host: recipe.port })
    .withEnvironment(recipe.environment)
    .withStartupTimeout(startTimeoutMs)
  if (recipe.command) container.withCommand([...recipe.command])
  if (volume) container.withBindMounts([{ source: volume, target: recipe.dataFolder }])
  const id = (await container.start()).getId()
  const waitUntilReady = () => waitUntilAnswers(recipe.ping, startTimeoutMs)
  await waitUntilReady()
  return {
    name: recipe.name,
    url: recipe.url,
    container: id,
    pid: undefined,
    kill: async () => void (await docker('kill', id)),
    restart: async () => {
      await docker('restart', id)
      await waitUntilReady()
    },
    stop: async () => void (await docker('stop', id)),
  }
}
