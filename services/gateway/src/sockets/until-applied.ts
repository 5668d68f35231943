import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Applied } from './ports.ts'

/** One look at the projection's progress; a projection that is behind is asked again. */
const appliedTimeoutMs = 5_000
const retryPauseMs = 1_000

type Deps = {
  /** The projection's name, for the log. */
  readonly projection: string
  readonly applied: Applied
  readonly stopping: AbortSignal
  readonly logger: Logger
}

/**
 * Waits for a projection, as nothing is told that a page would not show yet. False only when the sockets stop meanwhile: while a
 * projection stands still, pages do, too.
 */
export const createUntilApplied =
  ({ projection, applied, stopping, logger }: Deps) =>
  async (partition: string, position: string): Promise<boolean> => {
    while (!stopping.aborted) {
      try {
        if (await applied(partition, position, appliedTimeoutMs)) return !stopping.aborted
        logger.warn({ projection, partition, position }, 'A projection is behind the sockets')
      } catch (error) {
        logger.error({ err: error, projection, partition }, 'A projection could not be asked how far it is')
        await pause(retryPauseMs, undefined, { ref: false })
      }
    }
    return false
  }
