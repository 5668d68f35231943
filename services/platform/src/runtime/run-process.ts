import type { Logger } from 'pino'
import { requireStoreOfBackups } from '../backup/lost-store.ts'
import { makeFilesPrivate, openDataFolder, tightenDataFolder } from '../files/data-folder.ts'
import { requireOwnFiles } from '../files/own-files.ts'
import { requireLocalStorage } from '../files/local-storage.ts'
import { createLogger } from '../observability/logger.ts'
import { measureProcess } from '../observability/metrics/metrics.ts'
import { openObservability } from '../observability/observability.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { release } from '../settings/release.ts'
import { createPortalProcess, type PortalProcess, type Topology } from './portal-process.ts'
import { type PidFile, recordFolderEngines, writePidFile } from './run-folder.ts'
import type { Started } from './run-services.ts'
import { stopInOrder, stopOnSignals, type StopStep } from './shutdown.ts'
import { beforeReportOfMake } from './before-report-of-make.ts'
import { startErrorText } from './start-error.ts'
import { watchUnhandledRejections } from './unhandled-rejections.ts'
import {
  firstAdminShownSchema,
  passwordToShow,
  type StartReport,
  startReportSchema,
  temporaryPasswordWords,
} from './start-report.ts'
import { systemClockAndIds } from '../decider/clock-and-ids.ts'
import { watchClock } from './watch-clock.ts'
import { type EngineKind, requireSafeExposure, requireSharedEngines, untrustedProxy } from './startup-checks.ts'

const stepTimeoutMs = 5_000

type ProcessOptions<S extends Started> = {
  /** Such as 'auth'; 'portal' for a standalone process. */
  readonly service: string
  readonly topology: Topology
  /** The engines that it shares with other processes. */
  readonly engines?: readonly EngineKind[]
  /** Opens everything; resolves once the process serves. */
  start(process: PortalProcess): Promise<S>
  /** Reports the address; by default to the parent process or the terminal. */
  announce?(process: PortalProcess, started: S): Promise<void>
}

const createProcessLogger = ({ environment, logLevel }: Config, name: string, topology: Topology): Logger => {
  // During development, only warnings are logged, so that the banner stays visible. LOG_LEVEL overrides this.
  const level = environment === 'production' || process.env['LOG_LEVEL'] ? logLevel : 'warn'
  const logger = createLogger({ level })
  return topology === 'standalone' ? logger : logger.child({ process: name })
}

/** Locks the data folder, writes the process id file and opens the observability. */
const prepareProcess = async (
  { service, topology }: Pick<ProcessOptions<Started>, 'service' | 'topology'>,
  config: Config,
  { logger, stopSteps }: { readonly logger: Logger; readonly stopSteps: StopStep[] },
): Promise<{ readonly running: PortalProcess; readonly pidFile: PidFile }> => {
  const name = config.processName ?? service
  const isStandalone = topology === 'standalone'
  requireOwnFiles(config.dataDir)
  if (isStandalone) {
    requireLocalStorage(config)
    await requireStoreOfBackups(config)
    const dataFolder = openDataFolder(config.dataDir)
    stopSteps.unshift({ name: 'data folder', stop: async () => dataFolder.release() })
  }
  tightenDataFolder(config.dataDir)
  const observability = await openObservability({ service, traces: config.traces, logger })
  measureProcess(observability.metrics)
  const pidFile = writePidFile(config.dataDir, isStandalone ? service : name)
  logger.info({ release, node: process.version, pid: process.pid }, 'process starts')
  const untrusted = untrustedProxy(config.http)
  if (untrusted !== undefined) logger.warn(untrusted)
  if (pidFile.leftBy !== undefined) logger.warn({ pid: pidFile.leftBy }, 'the former process ended without stopping')
  stopSteps.unshift({ name: 'process id', stop: async () => pidFile.remove() })
  if (isStandalone) recordFolderEngines(config.dataDir, undefined)
  const clock = watchClock({ clockAndIds: systemClockAndIds, logger })
  stopSteps.unshift({ name: 'watch of the clock', stop: () => clock.stop() })
  const running = createPortalProcess({ name, topology, config, logger, observability, stopSteps })
  const { unhandledRejections } = observability.metrics.health
  const { elapsedMs } = running.clockAndIds
  running.addHealthPart(watchUnhandledRejections({ logger, elapsedMs, onRejection: () => unhandledRejections.inc() }))
  return { running, pidFile }
}

/** Reports to the parent process that this one serves, or prints it if a shell has started it. */
const announceStart = async (running: PortalProcess, { address, firstAdmin }: Started): Promise<void> => {
  const recordShown = (): void => {
    // The next start shows the password again.
    firstAdmin
      ?.recordShown()
      .catch((err: unknown) => running.logger.warn({ err }, 'first password shown, not recorded'))
  }
  if (process.send === undefined) {
    process.stdout.write(`${running.name} serves at ${address}\n`)
    if (!firstAdmin) return
    process.stdout.write(`First admin: ${firstAdmin.email}, password: ${passwordToShow(firstAdmin)}\n`)
    if (running.config.firstAdmin.isPasswordTemporary) process.stdout.write(`${temporaryPasswordWords}\n`)
    return firstAdmin.recordShown()
  }
  // If the parent dies, no other process stops this one.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  if (firstAdmin) {
    process.on('message', (message) => {
      if (firstAdminShownSchema.safeParse(message).success) recordShown()
    })
  }
  // The schema leaves out the functions.
  const report: StartReport = startReportSchema.parse({ kind: 'serving', address, firstAdmin })
  process.send(report)
}

/** Runs a process: settings, start, announcement, and a clean stop on a signal or after a failed start. */
export const runProcess = async <S extends Started>(options: ProcessOptions<S>): Promise<void> => {
  const { service, topology, engines = [], start, announce = announceStart } = options
  const stopSteps: StopStep[] = []
  let config: Config | undefined
  let logger: Logger | undefined
  let isStopping = false
  const markStopping = (): void => {
    isStopping = true
  }
  makeFilesPrivate()
  try {
    config = loadConfig(process.env)
    requireSafeExposure(config)
    requireSharedEngines(config, engines)
    logger = createProcessLogger(config, config.processName ?? service, topology)
    process.once('SIGINT', markStopping).once('SIGTERM', markStopping)
    // A signal during the start runs the steps added so far.
    stopOnSignals({ steps: stopSteps, stepTimeoutMs, logger })
    const { running, pidFile } = await prepareProcess({ service, topology }, config, { logger, stopSteps })
    const started = await start(running)
    pidFile.serves(started.address)
    await announce(running, started)
  } catch (error) {
    // Errors during a stop are expected.
    if (isStopping) return
    process.stderr.write(`${startErrorText(error, config?.http)}\n${beforeReportOfMake(process)}`)
    if (logger) await stopInOrder(stopSteps, stepTimeoutMs, logger)
    process.exit(1)
  }
}
