import { AccessDeniedError } from '@eventstore/db-client'
import { StoreAccessError } from '../errors.ts'

/** The gRPC status of a wrong user or password. The server sends it without its own error type. */
const unauthenticated = 16

/** Whether the server rejects the user or the password, not only what the user wants to do. */
export const isLoginRejected = (error: unknown): boolean =>
  error instanceof AccessDeniedError && error.code === unauthenticated

/**
 * One line for the operator: the setting with the user, the server's answer and what to do about a missing right. Undefined for another
 * error.
 */
export const accessErrorOf = (
  error: unknown,
  setting = 'EVENT_STORE_URL',
  todo = 'make doctor names the missing right',
): StoreAccessError | undefined => {
  if (error instanceof StoreAccessError) return error
  if (!(error instanceof AccessDeniedError)) return undefined
  const answer = error.message === '' ? '' : ` (${error.message})`
  const message = isLoginRejected(error)
    ? `EventStoreDB rejects the user or the password in ${setting}${answer}: correct them`
    : `EventStoreDB denies access to the user that ${setting} names${answer}: ${todo}`
  return new StoreAccessError(message, { cause: error })
}
