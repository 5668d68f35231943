import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { isTransient, isUserFacing } from '../errors/error-kinds.ts'

export type Dependency = { check(): Promise<void>; close(): Promise<void> }

/** A dependency did not respond within the timeout. The message is one line for the operator. */
export class DependencyUnavailableError extends Error {
  override readonly name = 'DependencyUnavailableError'
  readonly isUserFacing = true
}

const defaultTimeoutMs = 60_000
const attemptTimeoutMs = 10_000
const shortestPauseMs = 200
const longestPauseMs = 2_000

type Waiting = {
  readonly logger: Pick<Logger, 'warn' | 'info'>
  readonly timeoutMs?: number
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Opens and checks a dependency. Closes one that opens after the timeout. */
const attempt = async <T extends Dependency>(what: string, open: () => Promise<T>): Promise<T> => {
  let isLate = false
  const opening = open().then(async (part) => {
    if (isLate) await part.close()
    return part
  })
  try {
    const part = await withTimeout(opening, attemptTimeoutMs, `opening ${what}`)
    try {
      await withTimeout(part.check(), attemptTimeoutMs, `checking ${what}`)
      return part
    } catch (error) {
      await part.close()
      throw error
    }
  } catch (error) {
    isLate = true
    opening.catch(() => undefined)
    throw error
  }
}

/** Retries until the dependency is available, so that processes can start in any order. */
export const waitForDependency = async <T extends Dependency>(
  what: string,
  open: () => Promise<T>,
  { logger, timeoutMs = defaultTimeoutMs }: Waiting,
): Promise<T> => {
  const startedAtMs = performance.now()
  for (let attempts = 1; ; attempts++) {
    try {
      const part = await attempt(what, open)
      if (attempts > 1) logger.info({ engine: what }, 'dependency available')
      return part
    } catch (error) {
      // Waiting does not fix a configuration error.
      if (isUserFacing(error) && !isTransient(error)) throw error
      const pauseMs = Math.min(shortestPauseMs * 2 ** (attempts - 1), longestPauseMs)
      if (performance.now() - startedAtMs + pauseMs > timeoutMs) {
        const seconds = Math.round(timeoutMs / 1_000)
        throw new DependencyUnavailableError(`The ${what} did not answer for ${seconds} s: ${messageOf(error)}`, {
          cause: error,
        })
      }
      if (attempts === 1) logger.warn({ engine: what, reason: messageOf(error) }, 'dependency unavailable, retrying')
      await pause(pauseMs)
    }
  }
}
