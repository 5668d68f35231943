import {
  AccessDeniedError,
  ErrorType,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
} from '@eventstore/db-client'
import { TimeoutError } from '../../async/timeout.ts'
import { EventStoreUnavailableError, UnknownPositionError, UntrustedCertificateError } from '../errors.ts'

/** An operation on a stream that was ended for good. */
export class StreamTombstonedError extends Error {
  override readonly name = 'StreamTombstonedError'
}

const transientTypes: readonly ErrorType[] = [
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
]
/**
 * What gRPC calls a mistake of the caller (invalid argument, permission denied, failed precondition, out of range,
 * unimplemented); trying again would not help, and must not look like an outage.
 */
const mistakes: ReadonlySet<unknown> = new Set([3, 7, 9, 11, 12])

/** Errors that a later call may not have: connection, leader, deadline, or an outcome that nobody knows. */
const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (!isCommandError(error)) return !('code' in error && mistakes.has(error.code))
  if (error.type === ErrorType.UNKNOWN) return !mistakes.has(error.code)
  return transientTypes.includes(error.type)
}

/** What Node's TLS says of a certificate that it does not accept. */
const untrusted =
  /unable to (?:verify the first|get (?:local )?issuer) certificate|self[- ]signed certificate|certificate has expired|certificate is not yet valid|does not match certificate's altnames/i

/** The client hides the reason in the text of another error, or of that one's cause. */
const certificateFault = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return untrusted.exec(error.message)?.[0] ?? certificateFault(error.cause)
}

/** A place between two records, as after an older copy was restored and has grown past it. */
const isInvalidPosition = (error: unknown): boolean =>
  error instanceof Error && /invalid ?position/i.test(error.message)

/** The server answered that an append failed, as with a full disk. It may answer reads all the same. */
export const isWriteFailure = (error: unknown): error is EventStoreUnavailableError =>
  error instanceof EventStoreUnavailableError &&
  error.cause instanceof Error &&
  isCommandError(error.cause) &&
  error.cause.type === ErrorType.UNKNOWN

/** The error in our terms. */
export const mapError = (error: unknown): Error => {
  if (error instanceof StreamDeletedError) return new StreamTombstonedError('The stream has been ended for good')
  if (error instanceof AccessDeniedError) {
    return new Error('EventStoreDB denies access to the user that EVENT_STORE_URL names', { cause: error })
  }
  if (error instanceof MaxAppendSizeExceededError) {
    const why = `EventStoreDB takes ${error.maxAppendSize} bytes an append; set its MaxAppendSize to 4194304`
    return new Error(why, { cause: error })
  }
  const fault = certificateFault(error)
  if (fault !== undefined) return new UntrustedCertificateError(fault, error)
  if (isInvalidPosition(error)) return new UnknownPositionError('The event store has no event at this position')
  if (error instanceof TimeoutError || isTransient(error)) return new EventStoreUnavailableError(error)
  return error instanceof Error ? error : new Error(String(error))
}
