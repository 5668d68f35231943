import { measureProcess } from '@portal/platform/observability/metrics/metrics'
import { openObservability } from '@portal/platform/observability/observability'
import { type Config, loadConfig } from '@portal/platform/settings/config'
import { makeFilesPrivate, openDataFolder, tightenDataFolder } from '@portal/platform/files/data-folder'
import { createLogger } from '@portal/platform/observability/logger'
import { recordFolderEngines, writePidFile } from '@portal/platform/runtime/run-folder'
import { requireLocalStorage } from '@portal/platform/files/local-storage'
import { requireSafeExposure } from '@portal/platform/runtime/require-safe-exposure'
import { stopOnSignals } from '@portal/platform/runtime/shutdown'
import { startErrorText } from '@portal/platform/runtime/start-error'
import { accessLines, banner, codeLines } from './banner.ts'
import { offerSample } from './fill/offer-sample.ts'

/** The portal as one process: what `make run` starts. */
let config: Config | undefined
let removePidFile: (() => void) | undefined
makeFilesPrivate()
try {
  config = loadConfig(process.env)
  requireSafeExposure(config)
  const isProduction = config.environment === 'production'
  // At a terminal, what is printed here is to stand out; LOG_LEVEL brings the rest.
  const level = isProduction || process.env['LOG_LEVEL'] ? config.logLevel : 'warn'
  const logger = createLogger({ level })
  requireLocalStorage(config)
  const dataFolder = openDataFolder(config.dataDir)
  tightenDataFolder(config.dataDir)
  // Loaded now, so that what is wrong above is said at once.
  const { startPortal } = await import('./compose.ts')
  const observability = await openObservability({ service: 'portal', traces: config.traces, logger })
  measureProcess(observability.metrics)
  const pidFile = writePidFile(config.dataDir, 'portal')
  removePidFile = pidFile.remove
  recordFolderEngines(config.dataDir, undefined)
  const portal = await startPortal({
    config,
    logger,
    observability,
    offerSample: () => offerSample({ input: process.stdin, output: process.stdout }),
  })
  pidFile.serves(portal.address)
  stopOnSignals({
    steps: [
      ...portal.stopping,
      { name: 'process id', stop: async () => pidFile.remove() },
      { name: 'data folder', stop: async () => dataFolder.release() },
      { name: 'last words', stop: async () => void process.stdout.write('\n  Portal has stopped\n\n') },
    ],
    logger,
  })
  process.stdout.write(
    banner({
      ...portal,
      isFirstPasswordTemporary: config.firstAdmin.isPasswordTemporary,
      access: accessLines(config, { port: Number(new URL(portal.address).port || 80), command: 'make run' }),
      codes: codeLines(config, { mailboxAddress: portal.mailboxAddress, canShow: true }),
    }),
  )
  await portal.firstAdmin?.shown()
} catch (error) {
  removePidFile?.()
  process.stderr.write(`${startErrorText(error, config?.http.port)}\n`)
  process.exit(1)
}
