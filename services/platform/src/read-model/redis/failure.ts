import { ErrorReply } from 'redis'
import { TimeoutError } from '../../async/timeout.ts'
import { ReadModelUnavailableError } from '../errors.ts'

/** Answers of a server that is up but cannot serve now: starting, without its master, out of memory, busy with a script. */
const passing = /^(LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|TRYAGAIN|MOVED|ASK|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)\b/

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/** What a caller is told: unavailable, unless the server has understood and refused. */
export const failureOf = (error: unknown): Error => {
  if (error instanceof ReadModelUnavailableError) return error
  if (error instanceof ErrorReply && !passing.test(error.message)) return error
  const why = error instanceof TimeoutError ? 'no answer in time' : reasonOf(error)
  return new ReadModelUnavailableError(`Redis is not available: ${why}`, { cause: error })
}

/** A server that was restarted, flushed or failed over does not know the scripts. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')

/** A server that was the primary and is a replica now: it takes no writes, and what it answers may be replaced any moment. */
export const isDemoted = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('READONLY')

export const isRefusal = (error: unknown): boolean =>
  error instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.message)
