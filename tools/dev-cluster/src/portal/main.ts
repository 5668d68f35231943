import { accessLines, apiLines, banner, codeLines } from '@portal/standalone/banner'
import { engineSettings, enginesFolder } from '@portal/ops/dev-engines/addresses'
import { type Config, ConfigError, loadConfig } from '@portal/platform/settings/config'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { type FolderEngines, recordFolderEngines, writePidFile } from '@portal/platform/runtime/run-folder'
import { createLogger } from '@portal/platform/observability/logger'
import { stopInOrder, stopOnSignals, type StopStep } from '@portal/platform/runtime/shutdown'
import { addressOfHost } from '@portal/platform/runtime/listening-at'
import { requireSafeExposure } from '@portal/platform/runtime/startup-checks'
import { startErrorText } from '@portal/platform/runtime/start-error'
import { freePort } from '@portal/engines/free-port'
import { createBalancer } from './balancer.ts'
import { planProcesses } from './plan.ts'
import { supervise, type Supervised } from './supervise.ts'

/** A stopping process gets 15 s, and all of them stop concurrently. */
const stepTimeoutMs = 20_000

const engineVariables = ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'] as const

/** The configured engines, or those of `make engines-up`. */
const resolveEngines = async (environment: NodeJS.ProcessEnv): Promise<FolderEngines> => {
  const given = engineVariables.map((variable) => environment[variable] || undefined)
  const running = given.includes(undefined) ? await engineSettings(enginesFolder(environment)) : undefined
  const [eventStore, bus, readModel] = engineVariables.map((variable, at) => given[at] ?? running?.[variable])
  if (eventStore === undefined || bus === undefined || readModel === undefined) {
    throw new ConfigError(`The engines are not running: run make engines-up, or set ${engineVariables.join(', ')}`)
  }
  return { EVENT_STORE_URL: eventStore, BUS_URL: bus, READ_MODEL_URL: readModel }
}

const printLine = (line: string): void => void process.stdout.write(`  ${line}\n`)

const stopAll = (supervised: readonly Supervised[]): Promise<void> =>
  Promise.all(supervised.map(({ stop }) => stop())).then(() => undefined)

/** `make run-distributed`: the portal as six processes behind one address, until Ctrl-C. */
const run = async (config: Config): Promise<void> => {
  const stopping: StopStep[] = []
  const isProduction = config.environment === 'production'
  const level = isProduction || process.env['LOG_LEVEL'] ? config.logLevel : 'warn'
  const logger = createLogger({ level })
  const stopFirst = (...steps: readonly StopStep[]): void => void stopping.unshift(...steps)
  // Registered before the start, so that a signal also stops what has been started so far.
  stopOnSignals({ steps: stopping, logger, stepTimeoutMs })
  try {
    const engines = await resolveEngines(process.env)
    const dataFolder = openDataFolder(config.dataDir)
    stopFirst({ name: 'data folder', stop: async () => dataFolder.release() })
    const pidFile = writePidFile(config.dataDir, 'portal')
    stopFirst({ name: 'process id', stop: async () => pidFile.remove() })
    recordFolderEngines(config.dataDir, engines)
    const plan = await planProcesses({ config, engines, freePort })
    const balancer = createBalancer({
      gateways: plan.balanced,
      trustsProxies: config.http.trustProxy !== false,
    })
    const port = await balancer.listen(config.http)
    stopFirst({ name: 'balancer', stop: balancer.close })

    const auth = supervise(plan.auth, printLine)
    stopFirst({ name: 'auth', stop: auth.stop })
    const { firstAdmin } = await auth.ready
    const services = plan.services.map((planned) => supervise(planned, printLine))
    const gateways = plan.gateways.map((planned) => supervise(planned, printLine))
    stopFirst({ name: 'gateways', stop: () => stopAll(gateways) }, { name: 'services', stop: () => stopAll(services) })
    await Promise.all([...services, ...gateways].map(({ ready }) => ready))
    const address = addressOfHost(config.http.host, port)
    pidFile.serves(address)
    stopping.push({ name: 'last words', stop: async () => printLine('\n  Portal has stopped\n') })
    const access = await accessLines(config, { port, command: 'make run-distributed' })
    process.stdout.write(
      banner({
        address,
        access,
        api: apiLines(config, address),
        codes: codeLines(config, { canShow: false }),
        firstAdmin,
        isFirstPasswordTemporary: config.firstAdmin.isPasswordTemporary,
      }),
    )
    if (firstAdmin) auth.firstAdminShown()
  } catch (error) {
    await stopInOrder(stopping, stepTimeoutMs, logger)
    throw error
  }
}

let config: Config | undefined
try {
  config = loadConfig(process.env)
  requireSafeExposure(config)
  await run(config)
} catch (error) {
  process.stderr.write(`${startErrorText(error, config?.http)}\n`)
  process.exit(1)
}
