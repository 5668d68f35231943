import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { isTransient, isUserFacing } from '../errors/error-kinds.ts'

/** What a process opens at its start, and is told apart from others by its health. */
export type Dependency = { check(): Promise<void>; close(): Promise<void> }

/** An engine did not answer for as long as the start waits. The message is one line, meant for whoever starts the process. */
export class DependencyUnavailableError extends Error {
  override readonly name = 'EngineAwayError'
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

/** Opens it and sees that it serves. What opens after its time is closed again. */
const attempt = async <T extends Dependency>(what: string, open: () => Promise<T>): Promise<T> => {
  let isLate = false
  const opening = open().then(async (part) => {
    if (isLate) await part.close()
    return part
  })
  try {
    const part = await withTimeout(opening, attemptTimeoutMs, `opening ${what}`)
    try {
      await withTimeout(part.check(), attemptTimeoutMs, `asking ${what}`)
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

/** Opens `what` as soon as it answers, so that it does not matter in which order the processes of a portal are started. */
export const waitForDependency = async <T extends Dependency>(
  what: string,
  open: () => Promise<T>,
  { logger, timeoutMs = defaultTimeoutMs }: Waiting,
): Promise<T> => {
  const startedAtMs = performance.now()
  for (let attempts = 1; ; attempts++) {
    try {
      const part = await attempt(what, open)
      if (attempts > 1) logger.info({ engine: what }, 'It answers now')
      return part
    } catch (error) {
      // What a person has to mend does not pass by waiting.
      if (isUserFacing(error) && !isTransient(error)) throw error
      const pauseMs = Math.min(shortestPauseMs * 2 ** (attempts - 1), longestPauseMs)
      if (performance.now() - startedAtMs + pauseMs > timeoutMs) {
        const seconds = Math.round(timeoutMs / 1_000)
        throw new DependencyUnavailableError(`The ${what} does not answer for ${seconds} s: ${messageOf(error)}`, {
          cause: error,
        })
      }
      if (attempts === 1)
        logger.warn({ engine: what, reason: messageOf(error) }, 'It does not answer yet; waiting for it')
      await pause(pauseMs)
    }
  }
}
