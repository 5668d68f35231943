import { existsSync } from 'node:fs'
import { findLostStore } from '@portal/platform/backup/lost-store'
import { createLogger } from '@portal/platform/observability/logger'
import {
  allStream,
  type EventStoreReport,
  inspectEventStore,
  keyStreams,
  writerStream,
  type Right,
} from '@portal/platform/operations/inspect-event-store'
import type { RedisNode } from '@portal/platform/operations/inspect-redis'
import type { KafkaReport, TopicReport } from '@portal/platform/operations/inspect-kafka'
import type { ErasedKeysOnDisk } from '@portal/platform/operations/scavenge/erased-keys-tally'
import type { Config } from '@portal/platform/settings/config'
import { erasedKeysOnDisk, erasedKeysText } from '../scavenge/erased-keys.ts'
import { truncatedStreams, truncatedStreamsText, truncationTodo } from '../scavenge/truncated-streams.ts'
import { openLog } from '../settings/open-engines.ts'
import { errorLine, fileOf, isFile, isKafka, isRedis, displayAddressOf } from '../settings/engine-addresses.ts'
import { checkEngine } from '../status/engines-status.ts'
import { fail, type Finding, type Findings, info, ok, warn } from './finding.ts'

const eventStore = 'event store'
const erasedKeys = 'erased keys'

const truncationTimeoutMs = 3_000

/** The server's time is known to about a second. */
const maxStoreSkewMs = 2_000

/** The streams of keys and of the writer have names of their own; the others begin with their category. */
const prefixOf = ({ of }: Right): string => (of === keyStreams || of === writerStream ? of : `${of}-`)

/** One finding for each action, because all streams get their rights in one place. */
const missingRights = (missing: readonly Right[], user: string): Finding[] => {
  const ofAll = missing.some(({ of }) => of === allStream)
  const byAction = Map.groupBy(
    missing.filter(({ of }) => of !== allStream),
    ({ action }) => action,
  )
  return [
    ...(ofAll
      ? [
          fail(
            eventStore,
            `the user ${user} may not read ${allStream}`,
            `make grant-event-store USER_NAME=${user} ADMIN_URL=esdb://admin:…@host:2113`,
          ),
        ]
      : []),
    ...[...byAction].map(([action, rights]) =>
      fail(
        eventStore,
        `the user ${user} may not ${action} streams that begin with ${rights.map(prefixOf).join(', ')}`,
        `let ${user} read, write and delete by $userStreamAcl of $settings: see docs/eventstoredb.md`,
      ),
    ),
  ]
}

/** Reports missing rights and clock skew. */
export const findingsOfEventStore = ({ user = '(no user)', rights, clockAheadMs }: EventStoreReport): Findings => {
  const missing = rights.filter(({ isGranted }) => !isGranted)
  const found = missingRights(missing, user)
  if (missing.length === 0) found.push(ok(eventStore, `the user ${user} has all rights that the portal needs`))
  if (clockAheadMs !== undefined && Math.abs(clockAheadMs) > maxStoreSkewMs) {
    const how = clockAheadMs > 0 ? 'ahead of' : 'behind'
    const seconds = Math.round(Math.abs(clockAheadMs) / 1_000)
    found.push(warn('clocks', `EventStoreDB’s clock is ${seconds} s ${how} this machine’s`, 'synchronize both (NTP)'))
  }
  return found
}

/** Reports keys of erased users that are still on disk. */
export const findingOfErasedKeys = (found: ErasedKeysOnDisk, isSqlite: boolean): Finding => {
  const { keys, isAtLeast, scavengedAt } = found
  if (keys > 0) {
    const last = scavengedAt === undefined ? '' : `; the last scavenge was ${scavengedAt}`
    const todo = isSqlite ? 'make scavenge' : 'make scavenge ADMIN_URL=esdb://admin:…@host:2113, or enable its schedule'
    return warn(erasedKeys, `${erasedKeysText(found)} still on disk${last}`, todo)
  }
  return isAtLeast
    ? info(erasedKeys, 'the log since the last scavenge is too long to search here; make scavenge counts them')
    : ok(erasedKeys, 'none is left on disk')
}

const certificate = 'set tlsCAFile in EVENT_STORE_URL to the certificate of its authority'
const isAboutCertificate = /certificate|self.signed/i
const isDenied = /denies access/
/** What the error itself says at its end. */
const remedy = /: (?:correct (?:them|the path)|make doctor names the missing right)$/

const todoOf = (error: string): string => {
  if (/cannot be read/.test(error)) return 'correct the path in EVENT_STORE_URL'
  if (/rejects the user/.test(error)) return 'correct the user and the password in EVENT_STORE_URL'
  return isAboutCertificate.test(error) ? certificate : 'start it (make engines-up), or correct EVENT_STORE_URL'
}

const checkEventStore = async (config: Config): Promise<Findings> => {
  const { eventStoreUrl: url } = config
  if (isFile(url) && !existsSync(fileOf(url))) {
    const lost = await findLostStore(config)
    return [
      lost
        ? fail(eventStore, lost.says, lost.todo)
        : info(eventStore, `${fileOf(url)} does not exist yet: the first start creates it`),
    ]
  }
  const connect = () => openLog(config)
  const { status, at, latencyMs, error } = await checkEngine(eventStore, url, connect, (log) => log.check())
  if (status === 'ok')
    return [
      ok(eventStore, `${at} answers (${latencyMs} ms)`),
      ...(await checkRights(url)),
      ...(await checkErasedKeys(config)),
      ...(await checkTruncation(config)),
    ]
  // A missing right is not an outage: the right says what to do.
  const rights = isDenied.test(error ?? '') ? await checkRights(url) : []
  if (rights.some(({ result }) => result === 'fail')) return rights
  return [fail(eventStore, `${at} is unavailable: ${(error ?? '').replace(remedy, '')}`, todoOf(error ?? ''))]
}

const checkErasedKeys = async (config: Config): Promise<Findings> => {
  try {
    const found = await erasedKeysOnDisk(config)
    return found === undefined ? [] : [findingOfErasedKeys(found, isFile(config.eventStoreUrl))]
  } catch (error) {
    return [info(erasedKeys, `they could not be counted: ${errorLine(error, config.eventStoreUrl)}`)]
  }
}

const checkTruncation = async (config: Config): Promise<Findings> => {
  try {
    const found = await truncatedStreams(config, truncationTimeoutMs)
    if (found === undefined) return []
    const text = truncatedStreamsText(found)
    if (text !== undefined) return [fail(eventStore, text, truncationTodo)]
    return found.isComplete
      ? [ok(eventStore, 'no metadata truncates the portal’s streams')]
      : [info(eventStore, 'the log is too long to search all of it for metadata that truncates streams')]
  } catch (error) {
    return [info(eventStore, `metadata of its streams could not be read: ${errorLine(error, config.eventStoreUrl)}`)]
  }
}

const checkRights = async (url: string): Promise<Findings> => {
  if (isFile(url)) return []
  try {
    return findingsOfEventStore(await inspectEventStore(url))
  } catch (error) {
    return [info(eventStore, `its rights could not be checked: ${errorLine(error, url)}`)]
  }
}

const maxSkewMs = 1_000

/** Reports risky settings of a Redis server. */
export const findingsOfRedis = (node: RedisNode): Findings => {
  const { version, isPersistent, replicas, needsReplica, memoryLimitBytes, evictionPolicy, clockAheadMs } = node
  const major = Number.parseInt(version, 10)
  const found: Finding[] = []
  if (major < 7) found.push(fail('Redis', `version ${version}`, 'version 7 or newer'))
  if (!isPersistent)
    found.push(warn('Redis', 'it loses its data at a restart: read models would need make replay', 'appendonly yes'))
  if (replicas > 0 && !needsReplica) {
    const says =
      'it acknowledges writes before a replica has them: after a failover, read models may be older and need make replay'
    found.push(warn('Redis', says, 'min-replicas-to-write 1 and min-replicas-max-lag 10'))
  }
  if (evictionPolicy !== 'noeviction') {
    const says = `maxmemory-policy is ${evictionPolicy}: when memory is full, it evicts read model data`
    const finding = memoryLimitBytes > 0 ? fail : warn
    found.push(finding('Redis', says, 'maxmemory-policy noeviction'))
  }
  if (Math.abs(clockAheadMs) > maxSkewMs) {
    const says = `its clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine’s`
    found.push(warn('clocks', says, 'synchronize both (NTP)'))
  }
  return found
}

const checkReadModels = async ({ readModelUrl: url }: Config): Promise<Findings> => {
  if (!isRedis(url)) return [ok('read models', `files in ${displayAddressOf(url)}`)]
  try {
    const { inspectRedis } = await import('@portal/platform/operations/inspect-redis')
    const nodes = await inspectRedis(url)
    const versions = [...new Set(nodes.map(({ version }) => version))].join(', ')
    return [ok('read models', `${displayAddressOf(url)} answers: Redis ${versions}`), ...nodes.flatMap(findingsOfRedis)]
  } catch (error) {
    const says = `${displayAddressOf(url)} does not answer: ${errorLine(error, url)}`
    return [fail('read models', says, 'start it (make engines-up), or correct READ_MODEL_URL')]
  }
}

const hourMs = 3_600_000

const findingsOfTopic = (
  { topic, partitions, replicas, retentionMs, cleanupPolicy }: TopicReport,
  { configured }: KafkaReport,
): Findings => {
  const found: Finding[] = []
  if (cleanupPolicy !== 'delete')
    found.push(
      fail(topic, `cleanup.policy is ${cleanupPolicy}: it would remove single messages`, 'cleanup.policy=delete'),
    )
  if (partitions < configured.partitions)
    found.push(
      warn(
        topic,
        `${partitions} partitions, but BUS_URL sets ${configured.partitions}`,
        'a topic keeps the number it was created with: see docs/settings.md',
      ),
    )
  if (replicas < configured.replication)
    found.push(
      warn(topic, `${replicas} replicas, but BUS_URL sets ${configured.replication}`, 'reassign its partitions'),
    )
  if (retentionMs !== -1 && retentionMs < configured.retentionHours * hourMs)
    found.push(
      warn(
        topic,
        `kept for ${Math.round(retentionMs / hourMs)} h, but BUS_URL sets ${configured.retentionHours} h`,
        'retention.ms',
      ),
    )
  return found
}

/** Reports the topics and risky settings of Kafka. */
export const findingsOfKafka = (report: KafkaReport, isProduction: boolean): Findings => {
  const { brokers, topics, missing, configured } = report
  const layout = topics.map(({ topic, partitions }) => `${topic} (${partitions})`).join(', ')
  return [
    ok('Kafka', `${brokers} brokers; topics, with their partitions: ${layout || 'none yet'}`),
    ...(missing.length > 0 ? [info('Kafka', `${missing.join(', ')}: created by the first start`)] : []),
    ...(isProduction && configured.replication < 2
      ? [
          warn(
            'Kafka',
            'one replica of each message: losing a disk requires a replay',
            'replication=3 in BUS_URL, before the first start',
          ),
        ]
      : []),
    ...topics.flatMap((topic) => findingsOfTopic(topic, report)),
  ]
}

const checkBus = async ({ busUrl: url, environment }: Config): Promise<Findings> => {
  if (!isKafka(url)) return [ok('bus', displayAddressOf(url))]
  try {
    const { inspectTopics } = await import('@portal/platform/operations/inspect-kafka')
    const report = await inspectTopics(url, createLogger({ level: 'silent' }))
    return [ok('bus', `${displayAddressOf(url)} answers`), ...findingsOfKafka(report, environment === 'production')]
  } catch (error) {
    const says = `${displayAddressOf(url)} does not answer: ${errorLine(error, url)}`
    return [fail('bus', says, 'start it (make engines-up), or correct BUS_URL')]
  }
}

/** Checks the availability and the settings of the engines. */
export const checkEngines = async (config: Config): Promise<Findings> =>
  (await Promise.all([checkEventStore(config), checkBus(config), checkReadModels(config)])).flat()
