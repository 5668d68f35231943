import { withTimeout } from '@portal/platform/async/timeout'
import { loadBackupsStatus } from '@portal/platform/backup/backups-status'
import type { KafkaInspector } from '@portal/platform/operations/inspect-kafka'
import type { Config } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { erasedKeysOnDisk } from '../scavenge/erased-keys.ts'
import { isDataFolderTaken } from '../settings/operator-config.ts'
import { type EventLog, openLog } from '../settings/open-engines.ts'
import { errorLine, isFile, isKafka } from '../settings/engine-addresses.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import { consumersStatus } from './consumers-status.ts'
import { checkEngine, type EngineStatus } from './engines-status.ts'
import { logPublishersStatus } from './log-publishers-status.ts'
import { lagByKafka, lagByLog } from './lag.ts'
import { judge, type PortalStatus } from './portal-status.ts'
import { processesStatus, recordedDiscontinuities } from './processes-status.ts'

const collectTimeoutMs = 20_000
const closeTimeoutMs = 2_000

type Opened<T> = { readonly status: EngineStatus; readonly opened: T | undefined }

/** Opens an engine and asks it for a sign of life. One that is down is part of the answer, not the end of the command. */
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

/** Loaded where Kafka is the bus only. */
const kafkaTools = () => import('@portal/platform/operations/inspect-kafka')

const openBus = ({ busUrl }: Config): Promise<Opened<KafkaInspector>> | undefined => {
  if (!isKafka(busUrl)) return undefined
  const connect = async () => (await kafkaTools()).inspectKafka(busUrl, createLogger({ level: 'silent' }))
  return open('bus', busUrl, connect, (kafka) => kafka.check())
}

/** Whether the portal runs, as far as that can be seen on this machine. */
const isRunning = ({ dataDir, eventStoreUrl }: Config, processes: number): boolean | undefined => {
  if (isDataFolderTaken(dataDir) || processes > 0) return true
  return isFile(eventStoreUrl) ? false : undefined
}

type CollectedConsumers = Pick<PortalStatus, 'consumers' | 'feeds'>

type Engines = {
  readonly log: EventLog
  readonly readModels: ServingReadModels
  /** Undefined where the bus is the log's own tail; 'down' where it is Kafka, and does not answer. */
  readonly kafka: KafkaInspector | 'down' | undefined
}

const collectConsumers = async (
  { log, readModels, kafka }: Engines,
  { busUrl }: Config,
  nowMs: number,
): Promise<CollectedConsumers> => {
  if (kafka === undefined) return { consumers: await consumersStatus(readModels, lagByLog(log, nowMs)), feeds: [] }
  const { loadLogPublisherProgress: feedStandings } = await kafkaTools()
  const standings = readModels.control === undefined ? [] : await feedStandings(busUrl, readModels.control)
  const feeds = await logPublishersStatus(log, standings, nowMs)
  if (kafka === 'down') return { consumers: [], feeds }
  return { consumers: await consumersStatus(readModels, lagByKafka(log, kafka, standings, nowMs)), feeds }
}

/** Everything that `make status` says. */
export const collectStatus = async (config: Config, now: Date): Promise<PortalStatus> => {
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
        errors.push(`${what} cannot be looked at: ${errorLine(error, config.readModelUrl)}`)
        return undefined
      }
    }
    const logEnd = await attempt('The log', () => known.log?.end())
    const looked = await attempt('The consumers', () =>
      known.log && known.readModels
        ? collectConsumers({ log: known.log, readModels: known.readModels, kafka: known.kafka }, config, now.getTime())
        : undefined,
    )
    const [processes, erasedKeys, backups, recorded] = await Promise.all([
      processesStatus(config.dataDir),
      // That they cannot be counted is no fault of the portal; make doctor says why.
      known.log && erasedKeysOnDisk(config).catch(() => undefined),
      attempt('The backups', () => loadBackupsStatus(config, known.readModels?.control, now.getTime())),
      attempt('Discontinuities', () => recordedDiscontinuities(known.readModels?.control)),
    ])
    // On record, or known to a process that cannot record it while the read models are away.
    const said = processes.flatMap(({ health }) => health?.discontinuities ?? [])
    return judge({
      isRunning: isRunning(config, processes.length),
      errors,
      engines: [log.status, ...(bus ? [bus.status] : []), models.status],
      ...(logEnd !== undefined && { logEnd }),
      consumers: looked?.consumers ?? [],
      feeds: looked?.feeds ?? [],
      ...(backups && { backups }),
      isReplaying: known.readModels?.isReplaying ?? false,
      processes,
      ...(erasedKeys !== undefined && { erasedKeys }),
      discontinuities: [...new Set([...(recorded ?? []), ...said])],
    })
  } finally {
    // What is down may take for ever to take its leave.
    const closing = Promise.allSettled([log, models, bus].map((engine) => engine?.opened?.close()))
    await withTimeout(closing, closeTimeoutMs, 'closing').catch(() => undefined)
  }
}
