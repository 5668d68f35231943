import * as error from '@portal/contracts/auth/second-factor'
import type { ApiError } from '@portal/platform/http/handler'
import type { SecondFactorRejection } from './decider.ts'

const apiErrors: Readonly<Record<SecondFactorRejection, ApiError>> = {
  'already-on': error.secondFactorIsOn,
  off: error.secondFactorIsOff,
  'no-offer': error.setUpExpired,
  'used-code': error.usedSecondStep,
  'wrong-code': error.wrongSecondStep,
}

/** A wrong or used code belongs to the field `code`. */
export const apiErrorOf = (rejection: SecondFactorRejection): ApiError => {
  const apiError = apiErrors[rejection]
  return apiError.code === 'invalid' ? { ...apiError, errors: { code: apiError.message } } : apiError
}
