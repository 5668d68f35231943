import { createBackoff, retryUntilAborted } from '@portal/platform/async/backoff'
import type { Logger } from 'pino'
import type { Applied } from './ports.ts'

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
 * Waits for a projection without a time limit: sockets send nothing that a page would not show yet. False only if the sockets stop
 * first. Retries after any error, as no caller of a feed could handle one.
 */
export const createUntilApplied = ({ projection, applied, stopping, logger }: Deps) => {
  const backoff = createBackoff({ firstMs: retryPauseMs, maxMs: retryPauseMs })

  return async (partition: string, position: string): Promise<boolean> => {
    const wait = async (): Promise<boolean> => {
      while (!(await applied(partition, position, appliedTimeoutMs))) {
        if (stopping.aborted) return false
        logger.warn({ projection, partition, position }, 'A projection is behind the sockets')
      }
      return !stopping.aborted
    }
    const onFailure = (error: unknown): void =>
      logger.error({ err: error, projection, partition }, 'A projection could not be asked how far it is')
    return (await retryUntilAborted(wait, { signal: stopping, backoff, onFailure })) ?? false
  }
}
