import { systemTimers, type Timers } from '@portal/platform/async/timers'
import { withTimeout } from '@portal/platform/async/timeout'
import { mixedOwnersIn } from '@portal/platform/files/own-files'
import { findMasterKey } from '../backup/master-key.ts'
import { lostStoreIn } from '@portal/platform/backup/lost-store'
import { loadBackupsStatus } from '@portal/platform/backup/backups-status'
import type { KafkaInspector } from '@portal/platform/operations/inspect-kafka'
import type { Config } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { erasedKeysOnDisk } from '../scavenge/erased-keys.ts'
import { truncatedStreams, truncatedStreamsText, truncationTodo } from '../scavenge/truncated-streams.ts'
import { isDataFolderInUse } from '../settings/operator-config.ts'
import { type EventLog, openLog } from '../settings/open-engines.ts'
import { errorLine, isFile, isKafka } from '../settings/engine-addresses.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import { type Sample, watchLate } from './catching-up.ts'
import { consumersStatus } from './consumers-status.ts'
import { checkEngine, type EngineStatus } from './engines-status.ts'
import { logPublishersStatus } from './log-publishers-status.ts'
import { lagByKafka, lagByLog } from './lag.ts'
import { judge, type PortalStatus } from './portal-status.ts'
import { continuityProblems, processesStatus } from './processes-status.ts'

const collectTimeoutMs = 20_000
/** Leaves time to end before the time limit. */
const watchWithinMs = collectTimeoutMs - 2_000
const closeTimeoutMs = 2_000

type Opened<T> = { readonly status: EngineStatus; readonly opened: T | undefined }

/** Opens and checks an engine. An unavailable engine is part of the result and not an error. */
const open = async <T extends { close(): Promise<void> }>(
  engine: EngineStatus['engine'],
  url: string,
  connect: () => T | Promise<T>,
  check: (opened: T) => Promise<unknown>,
): Promise<Opened<T>> => {
  let opened: T | undefined
  const keep = async (): Promise<T> => (opened = await connect())
  const status = await checkEngine(engine, url, keep, check)
  return { status, opened }
}

/** Loaded only if the bus is Kafka. */
const kafkaTools = () => import('@portal/platform/operations/inspect-kafka')

const openBus = ({ busUrl }: Config): Promise<Opened<KafkaInspector>> | undefined => {
  if (!isKafka(busUrl)) return undefined
  const connect = async () => (await kafkaTools()).inspectKafka(busUrl, createLogger({ level: 'silent' }))
  return open('bus', busUrl, connect, (kafka) => kafka.check())
}

/** Whether the portal is running; undefined if this machine cannot tell. */
const isRunning = ({ dataDir, eventStoreUrl }: Config, processes: number): boolean | undefined => {
  if (isDataFolderInUse(dataDir) || processes > 0) return true
  return isFile(eventStoreUrl) ? false : undefined
}

type Engines = {
  readonly log: EventLog
  readonly readModels: ServingReadModels
  /** Undefined if the bus is the log itself; 'down' if Kafka does not respond. */
  readonly kafka: KafkaInspector | 'down' | undefined
}

const collectLags = async (
  { log, readModels, kafka }: Engines,
  { busUrl }: Config,
  nowMs: number,
): Promise<Omit<Sample, 'logEnd'>> => {
  if (kafka === undefined) return { consumers: await consumersStatus(readModels, lagByLog(log, nowMs)), feeds: [] }
  const { loadLogPublisherProgress: feedStandings } = await kafkaTools()
  const progress = readModels.control === undefined ? [] : await feedStandings(busUrl, readModels.control)
  const feeds = await logPublishersStatus(log, progress, nowMs)
  if (kafka === 'down') return { consumers: [], feeds }
  return { consumers: await consumersStatus(readModels, lagByKafka(log, kafka, progress, nowMs)), feeds }
}

const takeSample = async (engines: Engines, config: Config, nowMs: number): Promise<Sample> => ({
  logEnd: await engines.log.end(),
  ...(await collectLags(engines, config, nowMs)),
})

/** Collects the data of `make status`. Takes some seconds longer while a consumer is late. */
export const collectStatus = async (
  config: Config,
  now: Date,
  timers: Timers = systemTimers,
): Promise<PortalStatus> => {
  const errors: string[] = []
  const [log, models, bus] = await Promise.all([
    open(
      'event store',
      config.eventStoreUrl,
      () => openLog(config),
      (opened) => opened.check(),
    ),
    open(
      'read models',
      config.readModelUrl,
      () => openServingReadModels(config),
      async ({ control }) => control?.check(),
    ),
    openBus(config),
  ])
  try {
    const usable = <T>({ status, opened }: Opened<T>): T | undefined => (status.status === 'ok' ? opened : undefined)
    const known = { log: usable(log), readModels: usable(models), kafka: bus && (usable(bus) ?? ('down' as const)) }
    const attempt = async <T>(what: string, work: () => Promise<T> | undefined): Promise<T | undefined> => {
      try {
        return await withTimeout(Promise.resolve(work()), collectTimeoutMs, what)
      } catch (error) {
        errors.push(`${what} cannot be read: ${errorLine(error, config.readModelUrl)}`)
        return undefined
      }
    }
    const logEnd = await attempt('The log', () => known.log?.end())
    const collected = await attempt('The consumers', () => {
      if (!known.log || !known.readModels) return undefined
      const engines = { log: known.log, readModels: known.readModels, kafka: known.kafka }
      return watchLate(() => takeSample(engines, config, now.getTime()), watchWithinMs, timers)
    })
    const [processes, erasedKeys, truncated, backups, recorded] = await Promise.all([
      processesStatus(config.dataDir),
      // A failed count is not a problem of the portal. make doctor reports the reason.
      known.log && erasedKeysOnDisk(config).catch(() => undefined),
      known.log && truncatedStreams(config).catch(() => undefined),
      attempt('The backups', async () => {
        const { fingerprint } = await findMasterKey(config)
        return loadBackupsStatus({ config, fingerprint }, known.readModels?.control, now.getTime())
      }),
      attempt('Discontinuities', () =>
        continuityProblems(config, { log: known.log, control: known.readModels?.control }),
      ),
    ])
    const truncation = truncated && truncatedStreamsText(truncated)
    if (truncation !== undefined) errors.push(`${truncation}: ${truncationTodo}`)
    // Includes those that a process cannot record while the read models are unavailable.
    const reported = processes.flatMap(({ health }) => health?.discontinuities ?? [])
    const mixedOwners = mixedOwnersIn(config.dataDir) ?? []
    // Without its data folder, a running portal cannot be found.
    const lostStore = await lostStoreIn(config)
    return judge({
      isRunning: lostStore === undefined ? isRunning(config, processes.length) : undefined,
      errors: [lostStore ?? [], ...errors, mixedOwners].flat(),
      engines: [log.status, ...(bus ? [bus.status] : []), models.status],
      ...(logEnd !== undefined && { logEnd }),
      consumers: collected?.consumers ?? [],
      feeds: collected?.feeds ?? [],
      ...(backups && { backups }),
      isReplaying: known.readModels?.isReplaying ?? false,
      processes,
      ...(erasedKeys !== undefined && { erasedKeys }),
      discontinuities: [...new Set([...(recorded ?? []), ...reported])],
    })
  } finally {
    // Closing the client of an unavailable engine can hang.
    const closing = Promise.allSettled([log, models, bus].map((engine) => engine?.opened?.close()))
    await withTimeout(closing, closeTimeoutMs, 'closing').catch(() => undefined)
  }
}
