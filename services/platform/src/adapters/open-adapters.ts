import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { LogPublisher, LogPublisherOptions, Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { RememberedAnswers } from '../idempotency/port.ts'
import type { AttemptLimiters } from '../limits/port.ts'
import type { LimitObservers } from '../observability/observability.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import { recordEarlierErasures, recordErasures } from '../personal-data/erasure-log.ts'
import type { ReadModel } from '../read-model/port.ts'
import { wrapDatabaseErrors } from '../files/database-file.ts'
import { createLockWait } from '../files/lock-wait.ts'
import { controlNamespace } from '../generations/open-generations.ts'

/**
 * Chooses adapters by the scheme of an address. Each is imported on first use, so that a portal on one machine loads no client of
 * an engine.
 */
const addressOf = (url: string): { readonly scheme: string; readonly rest: string } => {
  const colon = url.indexOf(':')
  return { scheme: url.slice(0, Math.max(colon, 0)), rest: url.slice(colon + 1) }
}

// Shows only the scheme, because an address may contain a password.
const unknownScheme = (variable: string, kind: string, scheme: string, known: string): Error =>
  new Error(`${variable}: unknown ${kind} scheme '${scheme}'; use ${known}`)

const eventStoreDbSchemes: readonly string[] = ['esdb', 'esdb+discover']
const redisSchemes: readonly string[] = ['redis', 'rediss']
const kafkaSchemes: readonly string[] = ['kafka', 'kafka+ssl']

const fileOf = (rest: string): string => {
  if (rest === '') throw new Error("EVENT_STORE_URL: 'sqlite:' names no file")
  return rest
}
const noEventStore = (scheme: string): Error =>
  unknownScheme('EVENT_STORE_URL', 'event store', scheme, 'sqlite:FILE or esdb://HOST')

const restoreLog = 'restore it from a backup, and then run make replay'
const rebuild = 'remove it while the portal is stopped; the next start builds it from the event store'
const restoreKeys = 'restore it from a backup that is not older than the last erasure'

/** Waits while another process holds the lock of the database. */
const openFile = <T>(file: string, repair: string, open: () => T): Promise<T> =>
  createLockWait(file).run(() => wrapDatabaseErrors(file, repair, open))

export type EventStoreOptions = {
  /** Called if the log is older than what this process has read. `missing` names the missing event. */
  readonly onOlder?: (missing: string) => void
  /** Called before the first append after a lost connection. If it rejects, nothing is appended. */
  readonly verify?: () => Promise<void>
}

/** `url` is `sqlite:FILE` or an EventStoreDB connection string. SQLite calls neither option: an open file cannot be replaced. */
export const openEventStore = async (url: string, options: EventStoreOptions = {}): Promise<EventStore> => {
  const { scheme, rest } = addressOf(url)
  if (eventStoreDbSchemes.includes(scheme)) {
    const { openEventStoreDb } = await import('../event-store/eventstoredb.ts')
    return openEventStoreDb({ url, ...options })
  }
  if (scheme !== 'sqlite') throw noEventStore(scheme)
  const { openSqliteEventStore } = await import('../event-store/sqlite.ts')
  const path = fileOf(rest)
  return openFile(path, restoreLog, () => openSqliteEventStore({ path }))
}

/** Opens the log read-only, even while a portal has it open. */
export const openEventLog = async (url: string): Promise<Omit<EventStore, 'append'>> => {
  const { scheme, rest } = addressOf(url)
  if (eventStoreDbSchemes.includes(scheme)) return openEventStore(url)
  if (scheme !== 'sqlite') throw noEventStore(scheme)
  const { openSqliteEventLog } = await import('../event-store/sqlite.ts')
  const path = fileOf(rest)
  return wrapDatabaseErrors(path, restoreLog, () => openSqliteEventLog(path))
}

/**
 * `url` is `sqlite:FOLDER` (one file per namespace), `redis://…` (one prefix per namespace), or `memory:`.
 *
 * If Redis comes back with older data, the control namespace calls `onOlder` and continues, because its users compare and set. Other
 * namespaces reject their consumer's reads and writes until `acceptOlder`.
 */
export const openReadModel = async (
  url: string,
  namespace: string,
  onOlder: (missing: string) => void = () => undefined,
): Promise<ReadModel> => {
  const { scheme, rest } = addressOf(url)
  if (redisSchemes.includes(scheme)) {
    const { openRedisReadModel } = await import('../read-model/redis.ts')
    return openRedisReadModel({ url, namespace, onOlder: namespace === controlNamespace ? onOlder : undefined })
  }
  if (scheme !== 'sqlite' && scheme !== 'memory') {
    throw unknownScheme('READ_MODEL_URL', 'read model', scheme, 'sqlite:FOLDER, redis://HOST or memory:')
  }
  if (scheme === 'sqlite' && rest === '') throw new Error("READ_MODEL_URL: 'sqlite:' names no folder")
  const { openSqliteReadModel } = await import('../read-model/sqlite.ts')
  if (scheme === 'memory') return openSqliteReadModel({ path: ':memory:', namespace })
  return openFile(`${rest}/${namespace}.db`, rebuild, () => openSqliteReadModel({ path: rest, namespace }))
}

export type LimitersParts = {
  /** A keyed hash of keys that leave the process. */
  readonly hashOf: (key: string) => string
  readonly elapsedMs: () => number
  readonly now: () => Date
  readonly logger: Logger
} & LimitObservers

/**
 * Counts in Redis if the read models are there, so that all processes share the counts. Otherwise counts in memory, and keeps the counts
 * in the folder of the read models.
 */
export const openLimiters = async (
  readModelUrl: string,
  parts: LimitersParts,
): Promise<AttemptLimiters & { close(): Promise<void> }> => {
  const { scheme, rest } = addressOf(readModelUrl)
  if (redisSchemes.includes(scheme)) {
    const { openRedisLimiters } = await import('../limits/redis.ts')
    return openRedisLimiters({ url: readModelUrl, ...parts })
  }
  if (scheme === 'sqlite') {
    const { openFileLimiters } = await import('../limits/file.ts')
    return openFileLimiters({ file: join(rest, 'limits.json'), ...parts })
  }
  const { createMemoryLimiters } = await import('../limits/memory.ts')
  return { ...createMemoryLimiters(parts), close: async () => undefined }
}

/** Remembers in Redis if the read models are there, so that all processes share the answers. Otherwise in memory. */
export const openAnswers = async (
  readModelUrl: string,
  { logger }: Pick<LimitersParts, 'logger'>,
): Promise<RememberedAnswers & { close(): Promise<void> }> => {
  if (redisSchemes.includes(addressOf(readModelUrl).scheme)) {
    const { openRedisAnswers } = await import('../idempotency/redis.ts')
    return openRedisAnswers({ url: readModelUrl, logger })
  }
  const { createMemoryAnswers } = await import('../idempotency/memory.ts')
  return { ...createMemoryAnswers(), close: async () => undefined }
}

/** Removes a namespace and its data. No process may have it open. */
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
  /** Required for `memory:`. With Kafka, a process that only consumes from now on does not need it. */
  readonly eventStore?: Pick<EventStore, 'subscribe' | 'end' | 'holds' | 'check'> | undefined
  /** The publishers of everything that is consumed here, to read from the log what the bus does not have. */
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/** `url` is `kafka://HOST:PORT,…`, or `memory:` for the in-process bus, which is as durable as the event store it reads. */
export const openBus = async (url: string, parts: BusParts): Promise<Bus> => {
  const { scheme } = addressOf(url)
  if (kafkaSchemes.includes(scheme)) {
    const { openKafkaBus } = await import('../bus/kafka.ts')
    const { eventStore: log, publishers, logger } = parts
    return openKafkaBus({ url, publishers, logger, ...(log && { log }) })
  }
  if (scheme !== 'memory') throw unknownScheme('BUS_URL', 'bus', scheme, 'memory: or kafka://HOST:PORT')
  const { openInProcessBus } = await import('../bus/in-process.ts')
  const { eventStore, publishers, logger } = parts
  if (eventStore === undefined) throw new Error('BUS_URL: memory: needs an event store in the same process')
  return openInProcessBus({ eventStore, publishers, logger })
}

/** Starts to publish a service's events to the bus. Undefined if the bus reads the log itself. */
export const startLogPublisher = async (url: string, parts: LogPublisherOptions): Promise<LogPublisher | undefined> => {
  const { scheme } = addressOf(url)
  if (!kafkaSchemes.includes(scheme)) return undefined
  const { startKafkaLogPublisher } = await import('../bus/kafka/producer/log-publisher.ts')
  return startKafkaLogPublisher({ url, ...parts })
}

export type VaultParts = {
  /** The database of user keys. Used only with SQLite. */
  readonly keysFile: string
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
  /** Records each erasure. It is not part of backups. */
  readonly erasuresFile: string
}

/** Stores user keys with the event store: in a file next to SQLite's, or in separate streams of EventStoreDB. */
export const openVault = async (
  eventStoreUrl: string,
  { erasuresFile, ...parts }: VaultParts,
): Promise<PersonalDataVault> => {
  if (eventStoreDbSchemes.includes(addressOf(eventStoreUrl).scheme)) {
    const { openEventStoreDbVault } = await import('../personal-data/eventstoredb-vault.ts')
    return recordErasures(await openEventStoreDbVault({ url: eventStoreUrl, ...parts }), erasuresFile)
  }
  const { openSqliteVault } = await import('../personal-data/sqlite-vault.ts')
  const vault = await openFile(parts.keysFile, restoreKeys, () => openSqliteVault(parts))
  recordEarlierErasures(parts.keysFile, erasuresFile)
  return recordErasures(vault, erasuresFile)
}
