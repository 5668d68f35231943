import { measureProcess } from '../observability/metrics/metrics.ts'
import { openObservability } from '../observability/observability.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { openSecurityLog } from '../security-log/open-security-log.ts'
import { createLogger } from '../observability/logger.ts'
import { writePidFile } from './run-folder.ts'
import { createPortalProcess, type PortalProcess } from './portal-process.ts'
import { requireSafeExposure } from './require-safe-exposure.ts'
import { makeFilesPrivate, tightenDataFolder } from '../files/data-folder.ts'
import { type EngineKind, requireSharedEngines } from './shared-engines.ts'
import { stopInOrder, stopOnSignals } from './shutdown.ts'
import { startErrorText } from './start-error.ts'
import { systemClockAndIds } from '../decider/clock-and-ids.ts'
import {
  type FirstAdminReport,
  firstAdminShownSchema,
  type StartReport,
  passwordToShow,
  temporaryPasswordWords,
} from './start-report.ts'

const stepTimeoutMs = 5_000

export type Started = {
  readonly address: string
  readonly firstAdmin?: (FirstAdminReport & { shown(): Promise<void> }) | undefined
}

type ProcessOptions = {
  /** 'auth', say. */
  readonly service: string
  readonly engines: readonly EngineKind[]
  /** Opens everything; resolves once it serves. */
  start(process: PortalProcess): Promise<Started>
}

/** The life of a process: settings, what it is observed with, the start, what it says then, and the end in order. */
export const runProcess = async ({ service, engines, start }: ProcessOptions): Promise<void> => {
  let config: Config | undefined
  let running: PortalProcess | undefined
  let isStopping = false
  const noteStop = (): void => {
    isStopping = true
  }
  makeFilesPrivate()
  try {
    config = loadConfig(process.env)
    requireSafeExposure(config)
    requireSharedEngines(config, engines)
    const name = config.processName ?? service
    const isProduction = config.environment === 'production'
    // As where all is one process: at a terminal, what is printed at the start is to stand out.
    const level = isProduction || process.env['LOG_LEVEL'] ? config.logLevel : 'warn'
    const logger = createLogger({ level }).child({ process: name })
    const observability = await openObservability({ service, traces: config.traces, logger })
    measureProcess(observability.metrics)
    const securityLog = openSecurityLog({
      config,
      process: name,
      now: systemClockAndIds.now,
      logger,
      metrics: observability.metrics,
    })
    const opened = createPortalProcess({ name, config, logger, securityLog, observability })
    running = opened
    opened.keep('security log', securityLog)
    opened.atEnd({ name: 'process id', stop: async () => pidFile.remove() })
    opened.atEnd({ name: 'traces', stop: observability.tracing.close })
    // Also while it starts: whatever is open by then is closed.
    process.once('SIGINT', noteStop).once('SIGTERM', noteStop)
    stopOnSignals({ steps: opened.stopping, stepTimeoutMs, logger })
    tightenDataFolder(config.dataDir)
    const pidFile = writePidFile(config.dataDir, name)
    const started = await start(opened)
    pidFile.serves(started.address)
    await announce(name, started, config)
  } catch (error) {
    // What could not be opened any more is no news then.
    if (isStopping) return
    process.stderr.write(`${startErrorText(error, config?.http.port)}\n`)
    if (running) await stopInOrder(running.stopping, stepTimeoutMs, running.logger)
    process.exit(1)
  }
}

/** Tells whoever started this process that it serves; says it aloud where that is a shell. */
const announce = async (name: string, { address, firstAdmin }: Started, config: Config): Promise<void> => {
  if (process.send === undefined) {
    process.stdout.write(`${name} serves at ${address}\n`)
    if (!firstAdmin) return
    process.stdout.write(`First admin: ${firstAdmin.email}, password: ${passwordToShow(firstAdmin)}\n`)
    if (config.firstAdmin.isPasswordTemporary) process.stdout.write(`${temporaryPasswordWords}\n`)
    return firstAdmin.shown()
  }
  // Whoever started it is gone without a word: nobody else would end it.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  if (firstAdmin) {
    process.on('message', (message) => {
      if (firstAdminShownSchema.safeParse(message).success) void firstAdmin.shown()
    })
  }
  const report: StartReport = { kind: 'serving', address, ...(firstAdmin && { firstAdmin: factsOf(firstAdmin) }) }
  process.send(report)
}

const factsOf = ({ email, password, isPasswordGenerated }: FirstAdminReport): FirstAdminReport => ({
  email,
  password,
  isPasswordGenerated,
})
