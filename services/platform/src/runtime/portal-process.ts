import type { Logger } from 'pino'
import * as openAdapters from '../adapters/open-adapters.ts'
import { type ClockAndIds, systemClockAndIds } from '../decider/clock-and-ids.ts'
import { type Continuity, describeDiscontinuities } from '../discontinuity/continuity.ts'
import { dataFiles } from '../files/data-folder.ts'
import { continuityPart, type HealthPart } from '../observability/health.ts'
import { watchDiscontinuities } from '../observability/metrics/watch.ts'
import type { Observability } from '../observability/observability.ts'
import { openSecurityLog } from '../security-log/open-security-log.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import type { Config } from '../settings/config.ts'
import type { StopStep } from './shutdown.ts'
import { type Dependency, waitForDependency } from './wait-for-dependency.ts'

/**
 * 'standalone': the process is the whole portal and fails at once if a dependency is unavailable. 'distributed': the processes start
 * in any order, so each waits for its dependencies.
 */
export type Topology = 'standalone' | 'distributed'

/** A process of a portal: its settings, its health parts and its stop steps. */
export type PortalProcess = {
  /** Such as 'gateway-2'; 'portal' for a standalone one. */
  readonly name: string
  readonly topology: Topology
  readonly config: Config
  readonly files: ReturnType<typeof dataFiles>
  readonly clockAndIds: ClockAndIds
  readonly adapters: typeof openAdapters
  readonly logger: Logger
  readonly securityLog: SecurityLog
  readonly observability: Observability
  /** Opens a dependency, waiting for it if the topology is 'distributed'. The caller closes it. */
  openDependency<T extends Dependency>(what: string, open: () => Promise<T>): Promise<T>
  /** Opens a dependency, adds it to the health and closes it on stop. `isCritical`: the process is down without it. */
  open<T extends Dependency>(what: string, isCritical: boolean, open: () => Promise<T>): Promise<T>
  /** Closes the part when the process stops. */
  closeOnStop<T extends { close(): Promise<void> }>(what: string, part: T): T
  addHealthPart(part: HealthPart): void
  /** Adds discontinuities to health and metrics. */
  watchContinuity(continuity: Continuity): void
  /** Adds lines to the discontinuities of health. */
  addDiscontinuities(lines: () => string | readonly string[]): void
  discontinuities(): readonly string[]
  /** Adds steps that run in this order, before all steps so far. */
  prependStopSteps(...steps: readonly StopStep[]): void
  /** Live: grows as parts are added. */
  readonly parts: readonly HealthPart[]
  /** Live: grows as steps are added; in the order in which they run. */
  readonly stopSteps: StopStep[]
}

type PortalProcessOptions = Pick<PortalProcess, 'name' | 'topology' | 'config' | 'logger' | 'observability'> & {
  readonly clockAndIds?: ClockAndIds | undefined
  readonly adapters?: typeof openAdapters
  /** The steps of dependencies that are open already. More are added to this array. */
  readonly stopSteps?: StopStep[]
}

/** Opens the security log and closes the traces on stop. Everything else is opened through the result. */
export const createPortalProcess = (options: PortalProcessOptions): PortalProcess => {
  const { name, topology, config, logger, observability, stopSteps = [] } = options
  const { adapters = openAdapters, clockAndIds = systemClockAndIds } = options
  const parts: HealthPart[] = []
  const discontinuities: (() => string | readonly string[])[] = []
  const prependStopSteps: PortalProcess['prependStopSteps'] = (...steps) => void stopSteps.unshift(...steps)
  const closeOnStop: PortalProcess['closeOnStop'] = (what, part) => {
    prependStopSteps({ name: what, stop: () => part.close() })
    return part
  }
  const openDependency: PortalProcess['openDependency'] = (what, open) =>
    topology === 'standalone' ? open() : waitForDependency(what, open, { logger })

  prependStopSteps({ name: 'traces', stop: observability.tracing.close })
  const { now } = clockAndIds
  const { metrics } = observability
  const securityLog = closeOnStop('security log', openSecurityLog({ config, process: name, now, logger, metrics }))
  return {
    name,
    topology,
    config,
    files: dataFiles(config.dataDir),
    clockAndIds,
    adapters,
    logger,
    securityLog,
    observability,
    openDependency,
    open: async (what, isCritical, open) => {
      const part = closeOnStop(what, await openDependency(what, open))
      parts.push({ name: what.replaceAll(' ', '-'), isCritical, check: () => part.check() })
      return part
    },
    closeOnStop,
    addHealthPart: (part) => void parts.push(part),
    watchContinuity: (continuity) => {
      discontinuities.push(() => describeDiscontinuities(continuity))
      parts.push(continuityPart(continuity))
      watchDiscontinuities(metrics, continuity)
    },
    addDiscontinuities: (lines) => void discontinuities.push(lines),
    discontinuities: () => discontinuities.flatMap((lines) => lines()),
    prependStopSteps,
    parts,
    stopSteps,
  }
}
