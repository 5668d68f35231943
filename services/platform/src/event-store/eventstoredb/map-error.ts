import { ErrorType, isCommandError, MaxAppendSizeExceededError, StreamDeletedError } from '@eventstore/db-client'
import { TimeoutError } from '../../async/timeout.ts'
import { accessErrorOf } from './access-error.ts'
import { EventStoreUnavailableError, UnknownPositionError, UntrustedCertificateError } from '../errors.ts'

/** The stream was tombstoned. */
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
 * gRPC status codes of errors that the caller makes: invalid argument, permission denied, failed precondition, out of range,
 * unimplemented. A retry would not help.
 */
const callerErrors: ReadonlySet<unknown> = new Set([3, 7, 9, 11, 12])

/** Whether a later call may succeed: after a lost connection, a change of leader, a deadline, or an unknown outcome. */
const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (!isCommandError(error)) return !('code' in error && callerErrors.has(error.code))
  if (error.type === ErrorType.UNKNOWN) return !callerErrors.has(error.code)
  return transientTypes.includes(error.type)
}

/** The messages of Node's TLS for certificates that it rejects. */
const untrusted =
  /unable to (?:verify the first|get (?:local )?issuer) certificate|self[- ]signed certificate|certificate has expired|certificate is not yet valid|does not match certificate's altnames/i

/** The client puts the reason into the message of another error or of its cause. */
const certificateFault = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return untrusted.exec(error.message)?.[0] ?? certificateFault(error.cause)
}

/** The server's answers to a position inside a record: 23.10 names only the result of its read, later versions the reason. */
const invalidPosition = /Unexpected (?:Filtered)?ReadAllResult: Error|invalid ?position/i

/** The server could not record an append, for example because its disk is full. Reads may still work. */
export const isWriteFailure = (error: unknown): error is EventStoreUnavailableError =>
  error instanceof EventStoreUnavailableError &&
  error.cause instanceof Error &&
  isCommandError(error.cause) &&
  error.cause.type === ErrorType.UNKNOWN

/** Maps an error of the client to the errors of the port. */
export const mapError = (error: unknown): Error => {
  if (error instanceof StreamDeletedError) return new StreamTombstonedError('The stream is tombstoned')
  const access = accessErrorOf(error)
  if (access !== undefined) return access
  if (error instanceof MaxAppendSizeExceededError) {
    const message = `EventStoreDB accepts ${error.maxAppendSize} bytes per append; set its MaxAppendSize to 4194304`
    return new Error(message, { cause: error })
  }
  const fault = certificateFault(error)
  if (fault !== undefined) return new UntrustedCertificateError(fault, error)
  if (error instanceof TimeoutError || isTransient(error)) return new EventStoreUnavailableError(error)
  return error instanceof Error ? error : new Error(String(error))
}

/** Maps an error of a call that starts at a position. The position may be inside a record of an older log that has grown past it. */
export const mapErrorAtPosition = (error: unknown): Error =>
  error instanceof Error && invalidPosition.test(error.message)
    ? new UnknownPositionError('The event store has no event at this position')
    : mapError(error)
