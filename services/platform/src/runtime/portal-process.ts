import type { Logger } from 'pino'
import type { Observability } from '../observability/observability.ts'
import type { Config } from '../settings/config.ts'
import { type Continuity, continuityWords } from '../discontinuity/continuity.ts'
import { watchDiscontinuities } from '../observability/metrics/watch.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import { dataFiles } from '../files/data-folder.ts'
import { continuityPart, type HealthPart } from '../observability/health.ts'
import { waitForDependency, type Part } from './wait-for-dependency.ts'
import type { StopStep } from './shutdown.ts'
import { type ClockAndIds, systemClockAndIds } from '../decider/clock-and-ids.ts'

/** One of the processes of a portal, on its way up: what it has, and how all of it is closed again. */
export type PortalProcess = {
  /** 'gateway-2', say. */
  readonly name: string
  readonly config: Config
  readonly files: ReturnType<typeof dataFiles>
  readonly clockAndIds: ClockAndIds
  readonly logger: Logger
  readonly securityLog: SecurityLog
  readonly observability: Observability
  /** Opens a part as soon as it answers. `isCritical`: without it the process cannot do its work. */
  open<T extends Part>(what: string, isCritical: boolean, open: () => Promise<T>): Promise<T>
  /** What does not have to be waited for. */
  keep<T extends { close(): Promise<void> }>(what: string, part: T): T
  watch(part: HealthPart): void
  /** What this process knows of gaps: its health and its figures say so. */
  watchContinuity(continuity: Continuity): void
  discontinuities(): readonly string[]
  /** To be stopped before all that is there already, in this order. */
  atEnd(...steps: readonly StopStep[]): void
  /** So far; more may come. */
  readonly parts: readonly HealthPart[]
  readonly stopping: readonly StopStep[]
}

type Given = Pick<PortalProcess, 'name' | 'config' | 'logger' | 'securityLog' | 'observability'>

export const createPortalProcess = (given: Given): PortalProcess => {
  const parts: HealthPart[] = []
  const stopping: StopStep[] = []
  const known: Continuity[] = []
  const keep: PortalProcess['keep'] = (what, part) => {
    stopping.unshift({ name: what, stop: () => part.close() })
    return part
  }
  return {
    ...given,
    files: dataFiles(given.config.dataDir),
    clockAndIds: systemClockAndIds,
    open: async (what, isCritical, open) => {
      const part = keep(what, await waitForDependency(what, open, { logger: given.logger }))
      parts.push({ name: what.replaceAll(' ', '-'), isCritical, check: () => part.check() })
      return part
    },
    keep,
    watch: (part) => void parts.push(part),
    watchContinuity: (continuity) => {
      known.push(continuity)
      parts.push(continuityPart(continuity))
      watchDiscontinuities(given.observability.metrics, continuity)
    },
    discontinuities: () => known.flatMap(continuityWords),
    atEnd: (...steps) => void stopping.unshift(...steps),
    parts,
    stopping,
  }
}
