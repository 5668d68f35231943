import type { Logger } from 'pino'
import { makeFilesPrivate, openDataFolder, tightenDataFolder } from '../files/data-folder.ts'
import { requireLocalStorage } from '../files/local-storage.ts'
import { createLogger } from '../observability/logger.ts'
import { measureProcess } from '../observability/metrics/metrics.ts'
import { openObservability } from '../observability/observability.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { createPortalProcess, type PortalProcess, type Topology } from './portal-process.ts'
import { type PidFile, recordFolderEngines, writePidFile } from './run-folder.ts'
import type { Started } from './run-services.ts'
import { stopInOrder, stopOnSignals, type StopStep } from './shutdown.ts'
import { startErrorText } from './start-error.ts'
import {
  firstAdminShownSchema,
  passwordToShow,
  type StartReport,
  startReportSchema,
  temporaryPasswordWords,
} from './start-report.ts'
import { type EngineKind, requireSafeExposure, requireSharedEngines } from './startup-checks.ts'

const stepTimeoutMs = 5_000

type ProcessOptions<S extends Started> = {
  /** 'auth', say; 'portal' for a standalone process. */
  readonly service: string
  readonly topology: Topology
  /** Those that it shares with other processes. */
  readonly engines?: readonly EngineKind[]
  /** Opens everything; resolves once the process serves. */
  start(process: PortalProcess): Promise<S>
  /** Reports where it serves; to the parent process or the terminal unless given. */
  announce?(process: PortalProcess, started: S): Promise<void>
}

/** Runs `start`. When it fails, stops what has been opened, in reverse order, and rejects with the failure. */
export const startOrStop = async <S>(process: PortalProcess, start: () => Promise<S>): Promise<S> => {
  try {
    return await start()
  } catch (error) {
    await stopInOrder(process.stopSteps, stepTimeoutMs, process.logger)
    throw error
  }
}

const createProcessLogger = ({ environment, logLevel }: Config, name: string, topology: Topology): Logger => {
  // At a terminal the banner should stand out; LOG_LEVEL brings the rest.
  const level = environment === 'production' || process.env['LOG_LEVEL'] ? logLevel : 'warn'
  const logger = createLogger({ level })
  return topology === 'standalone' ? logger : logger.child({ process: name })
}

/** Takes the data folder, the process id file and the observability of a process. */
const enterProcess = async (
  { service, topology }: Pick<ProcessOptions<Started>, 'service' | 'topology'>,
  config: Config,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: StopStep[] },
): Promise<{ readonly running: PortalProcess; readonly pidFile: PidFile }> => {
  const name = config.processName ?? service
  const isStandalone = topology === 'standalone'
  if (isStandalone) {
    requireLocalStorage(config)
    const dataFolder = openDataFolder(config.dataDir)
    stopping.unshift({ name: 'data folder', stop: async () => dataFolder.release() })
  }
  tightenDataFolder(config.dataDir)
  const observability = await openObservability({ service, traces: config.traces, logger })
  measureProcess(observability.metrics)
  const pidFile = writePidFile(config.dataDir, isStandalone ? service : name)
  stopping.unshift({ name: 'process id', stop: async () => pidFile.remove() })
  if (isStandalone) recordFolderEngines(config.dataDir, undefined)
  return {
    running: createPortalProcess({ name, topology, config, logger, observability, stopSteps: stopping }),
    pidFile,
  }
}

/** Reports to the parent process that this one serves; prints it where the parent is a shell. */
const announceStart = async (running: PortalProcess, { address, firstAdmin }: Started): Promise<void> => {
  if (process.send === undefined) {
    process.stdout.write(`${running.name} serves at ${address}\n`)
    if (!firstAdmin) return
    process.stdout.write(`First admin: ${firstAdmin.email}, password: ${passwordToShow(firstAdmin)}\n`)
    if (running.config.firstAdmin.isPasswordTemporary) process.stdout.write(`${temporaryPasswordWords}\n`)
    return firstAdmin.recordShown()
  }
  // The parent is gone without a message: no other process would stop this one.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  if (firstAdmin) {
    process.on('message', (message) => {
      if (firstAdminShownSchema.safeParse(message).success) void firstAdmin.recordShown()
    })
  }
  // The schema leaves out the functions.
  const report: StartReport = startReportSchema.parse({ kind: 'serving', address, firstAdmin })
  process.send(report)
}

/** The life of a process: settings, start, announcement, and an orderly stop on a signal or a failed start. */
export const runProcess = async <S extends Started>(options: ProcessOptions<S>): Promise<void> => {
  const { service, topology, engines = [], start, announce = announceStart } = options
  const stopping: StopStep[] = []
  let config: Config | undefined
  let logger: Logger | undefined
  let isStopping = false
  const noteStop = (): void => {
    isStopping = true
  }
  makeFilesPrivate()
  try {
    config = loadConfig(process.env)
    requireSafeExposure(config)
    requireSharedEngines(config, engines)
    logger = createProcessLogger(config, config.processName ?? service, topology)
    process.once('SIGINT', noteStop).once('SIGTERM', noteStop)
    // Also during the start: the steps are those of what is open by then.
    stopOnSignals({ steps: stopping, stepTimeoutMs, logger })
    const { running, pidFile } = await enterProcess({ service, topology }, config, { logger, stopping })
    const started = await start(running)
    pidFile.serves(started.address)
    await announce(running, started)
  } catch (error) {
    // What fails while everything is being closed is no news.
    if (isStopping) return
    process.stderr.write(`${startErrorText(error, config?.http.port)}\n`)
    if (logger) await stopInOrder(stopping, stepTimeoutMs, logger)
    process.exit(1)
  }
}
