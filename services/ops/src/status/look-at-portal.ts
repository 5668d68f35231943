import { feedStandings, inspectKafka, isKafka, type KafkaInspector } from '@portal/platform/operations/inspect-kafka'
import type { Config } from '@portal/platform/runtime/config'
import { withDeadline } from '@portal/platform/runtime/deadline'
import { createLogger } from '@portal/platform/runtime/logger'
import { isDataFolderTaken } from '../settings/is-locked.ts'
import { type EventLog, isFile, openLog } from '../settings/open-sources.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import { consumersStatus } from './consumers-status.ts'
import { askEngine, type EngineStatus, errorLine } from './engines-status.ts'
import { feedsStatus } from './feeds-status.ts'
import { lagByKafka, lagByLog } from './lag-of-consumer.ts'
import { judge, type PortalStatus } from './portal-status.ts'
import { processesStatus } from './processes-status.ts'

const lookTimeoutMs = 20_000

type Opened<T> = { readonly status: EngineStatus; readonly opened: T | undefined }

/** Opens an engine and asks it for a sign of life. One that is down is part of the answer, not the end of the command. */
const open = async <T extends { close(): Promise<void> }>(
  engine: EngineStatus['engine'],
  url: string,
  connect: () => T | Promise<T>,
  check: (opened: T) => Promise<unknown>,
): Promise<Opened<T>> => {
  let opened: T | undefined
  const status = await askEngine(engine, url, async () => {
    opened = await connect()
    await check(opened)
  })
  return { status, opened }
}

const openBus = ({ busUrl }: Config): Promise<Opened<KafkaInspector>> | undefined =>
  isKafka(busUrl)
    ? open(
        'bus',
        busUrl,
        () => inspectKafka(busUrl, createLogger({ level: 'silent' })),
        (kafka) => kafka.check(),
      )
    : undefined

/** Whether the portal runs, as far as that can be seen on this machine. */
const isRunning = ({ dataDir, eventStoreUrl }: Config, processes: number): boolean | undefined => {
  if (isDataFolderTaken(dataDir) || processes > 0) return true
  return isFile(eventStoreUrl) ? false : undefined
}

type Looked = Pick<PortalStatus, 'logEnd' | 'consumers' | 'feeds'>

type Engines = {
  readonly log: EventLog | undefined
  readonly readModels: ServingReadModels | undefined
  /** Undefined where the bus is the log's own tail; 'down' where it is Kafka, and does not answer. */
  readonly kafka: KafkaInspector | 'down' | undefined
}

const look = async ({ log, readModels, kafka }: Engines, { busUrl }: Config, nowMs: number): Promise<Looked> => {
  if (!log) return { consumers: [], feeds: [] }
  const logEnd = await log.end()
  if (!readModels) return { logEnd, consumers: [], feeds: [] }
  if (kafka === undefined)
    return { logEnd, consumers: await consumersStatus(readModels, lagByLog(log, nowMs)), feeds: [] }
  const standings = readModels.control === undefined ? [] : await feedStandings(busUrl, readModels.control)
  const feeds = await feedsStatus(log, standings, nowMs)
  if (kafka === 'down') return { logEnd, consumers: [], feeds }
  return { logEnd, consumers: await consumersStatus(readModels, lagByKafka(log, kafka, standings, nowMs)), feeds }
}

/** Everything that `make status` says. */
export const lookAtPortal = async (config: Config, now: Date): Promise<PortalStatus> => {
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
    const isUp = ({ status }: Opened<unknown>) => status.status === 'ok'
    const engines: Engines = {
      log: isUp(log) ? log.opened : undefined,
      readModels: isUp(models) ? models.opened : undefined,
      kafka: bus && (isUp(bus) ? bus.opened : 'down'),
    }
    const looked = await withDeadline(look(engines, config, now.getTime()), lookTimeoutMs, 'that').catch(
      (error: unknown): Looked => {
        errors.push(`The consumers cannot be looked at: ${errorLine(error, config.readModelUrl)}`)
        return { consumers: [], feeds: [] }
      },
    )
    const processes = processesStatus(config.dataDir)
    return judge({
      isRunning: isRunning(config, processes.length),
      errors,
      engines: [log.status, ...(bus ? [bus.status] : []), models.status],
      ...looked,
      isReplaying: engines.readModels?.isReplaying ?? false,
      processes,
    })
  } finally {
    await Promise.allSettled([log, models, bus].map((engine) => engine?.opened?.close()))
  }
}
