import type { Logger } from 'pino'
import type { Feed, FeedParts } from '../bus/feed.ts'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/**
 * The only file that names a backend. Adapters are loaded when an address asks for them, so that one machine loads none of
 * the clients of the others.
 */
const addressOf = (url: string): { readonly scheme: string; readonly rest: string } => {
  const colon = url.indexOf(':')
  return { scheme: url.slice(0, Math.max(colon, 0)), rest: url.slice(colon + 1) }
}

// Only the scheme is repeated: an address may hold a password.
const unknownScheme = (variable: string, what: string, scheme: string, known: string): Error =>
  new Error(`${variable}: no ${what} is known by the scheme '${scheme}'; use ${known}`)

const eventStoreDbSchemes: readonly string[] = ['esdb', 'esdb+discover']
const redisSchemes: readonly string[] = ['redis', 'rediss']
const kafkaSchemes: readonly string[] = ['kafka', 'kafka+ssl']

const fileOf = (rest: string): string => {
  if (rest === '') throw new Error("EVENT_STORE_URL: 'sqlite:' names no file")
  return rest
}
const noEventStore = (scheme: string): Error =>
  unknownScheme('EVENT_STORE_URL', 'event store', scheme, 'sqlite:FILE or esdb://HOST')

/** `sqlite:FILE`, or the address of EventStoreDB as its clients take it. */
export const openEventStore = async (url: string): Promise<EventStore> => {
  const { scheme, rest } = addressOf(url)
  if (eventStoreDbSchemes.includes(scheme)) {
    const { openEventStoreDb } = await import('../event-store/eventstoredb.ts')
    return openEventStoreDb({ url })
  }
  if (scheme !== 'sqlite') throw noEventStore(scheme)
  const { openSqliteEventStore } = await import('../event-store/sqlite.ts')
  return openSqliteEventStore({ path: fileOf(rest) })
}

/** The log as whoever only reads it may open it, also while a portal has it open. */
export const openEventLog = async (url: string): Promise<Omit<EventStore, 'append'>> => {
  const { scheme, rest } = addressOf(url)
  if (eventStoreDbSchemes.includes(scheme)) return openEventStore(url)
  if (scheme !== 'sqlite') throw noEventStore(scheme)
  const { openSqliteEventLog } = await import('../event-store/sqlite.ts')
  return openSqliteEventLog(fileOf(rest))
}

/**
 * `sqlite:FOLDER`, with one file per namespace; `memory:` forgets at the end of the process; `redis://…` with a prefix per
 * namespace.
 */
export const openReadModel = async (url: string, namespace: string): Promise<ReadModel> => {
  const { scheme, rest } = addressOf(url)
  if (redisSchemes.includes(scheme)) {
    const { openRedisReadModel } = await import('../read-model/redis.ts')
    return openRedisReadModel({ url, namespace })
  }
  if (scheme !== 'sqlite' && scheme !== 'memory') {
    throw unknownScheme('READ_MODEL_URL', 'read model', scheme, 'sqlite:FOLDER, redis://HOST or memory:')
  }
  if (scheme === 'sqlite' && rest === '') throw new Error("READ_MODEL_URL: 'sqlite:' names no folder")
  const { openSqliteReadModel } = await import('../read-model/sqlite.ts')
  return openSqliteReadModel({ path: scheme === 'memory' ? ':memory:' : rest, namespace })
}

/** Removes a namespace with all that it holds. Nobody may have it open. */
export const dropReadModel = async (url: string, namespace: string): Promise<void> => {
  const { scheme, rest } = addressOf(url)
  if (redisSchemes.includes(scheme)) {
    const { dropRedisReadModel } = await import('../read-model/redis.ts')
    return dropRedisReadModel({ url, namespace })
  }
  if (scheme !== 'sqlite') return
  const { dropSqliteReadModel } = await import('../read-model/sqlite.ts')
  await dropSqliteReadModel({ path: rest, namespace })
}

export type BusParts = {
  readonly eventStore: Pick<EventStore, 'subscribe' | 'end' | 'check'>
  /** All that anything in the portal publishes, for a bus that is the log's own tail. */
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/** `memory:` is the bus within one process, as durable as the event store it reads; `kafka://HOST:PORT,…` is Kafka. */
export const openBus = async (url: string, parts: BusParts): Promise<Bus> => {
  const { scheme } = addressOf(url)
  if (kafkaSchemes.includes(scheme)) {
    const { openKafkaBus } = await import('../bus/kafka.ts')
    return openKafkaBus({ url, logger: parts.logger })
  }
  if (scheme !== 'memory') throw unknownScheme('BUS_URL', 'bus', scheme, 'memory: or kafka://HOST:PORT')
  const { openInProcessBus } = await import('../bus/in-process.ts')
  return openInProcessBus(parts)
}

/** Starts to carry a service's events to the bus; undefined where the bus is the log's own tail. */
export const startFeed = async (url: string, parts: FeedParts): Promise<Feed | undefined> => {
  const { scheme } = addressOf(url)
  if (!kafkaSchemes.includes(scheme)) return undefined
  const { startKafkaFeed } = await import('../bus/kafka-feed.ts')
  return startKafkaFeed({ url, ...parts })
}

export type VaultParts = {
  /** The database of user keys, where they are kept in a file. */
  readonly keysFile: string
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
}

/** User keys live where the event store lives: in a file beside SQLite's, in streams of their own in EventStoreDB. */
export const openVault = async (eventStoreUrl: string, parts: VaultParts): Promise<PersonalDataVault> => {
  if (eventStoreDbSchemes.includes(addressOf(eventStoreUrl).scheme)) {
    const { openEventStoreDbVault } = await import('../personal-data/eventstoredb-vault.ts')
    return openEventStoreDbVault({ url: eventStoreUrl, ...parts })
  }
  const { openSqliteVault } = await import('../personal-data/sqlite-vault.ts')
  return openSqliteVault(parts)
}
