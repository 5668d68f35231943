import * as error from '@portal/contracts/auth/errors'
import type { ApiError } from '@portal/platform/http/handler'
import { afterWait } from '../after-wait.ts'
import type { RegistrationRejection } from './decider.ts'

/**
 * The API error of a rejection. Wrong and unknown get the same error, so that callers cannot probe for registrations.
 */
export const apiErrorOf = (rejection: RegistrationRejection): ApiError => {
  switch (rejection.reason) {
    case 'already-registered':
      return error.alreadyRegistered
    case 'not-pending':
      return error.registrationNotFound
    case 'sent-too-recently':
      return afterWait(error.sentTooRecently, rejection.retryAfterSeconds)
    case 'sent-too-often':
      return afterWait(error.tooManyCodes, rejection.retryAfterSeconds)
    case 'does-not-match':
      return error.wrongCode
    case 'not-begun-here':
      return error.startedElsewhere
    case 'code-expired':
      return error.codeExpired
    case 'number-in-use':
      return error.numberInUse
    case 'too-many-wrong-codes':
      return error.tooManyWrongCodes
  }
}
