import * as passkey from '@portal/contracts/auth/passkeys'
import * as error from '@portal/contracts/auth/second-factor'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors as general } from '@portal/platform/http/problem'
import type { PasskeyRejection } from './passkeys.ts'

const apiErrors: Readonly<Record<PasskeyRejection, ApiError>> = {
  'already-on': error.secondFactorIsOn,
  off: error.secondFactorIsOff,
  required: error.secondFactorIsRequired,
  'no-offer': error.setUpExpired,
  'used-code': error.usedSecondStep,
  'wrong-code': error.wrongSecondStep,
  'too-many-passkeys': passkey.tooManyPasskeys,
  'passkey-exists': passkey.passkeyExists,
  'no-such-passkey': passkey.passkeyNotFound,
  'copied-passkey': passkey.copiedPasskey,
  unavailable: passkey.passkeysUnavailable,
  'used-challenge': passkey.passkeyRequestUsed,
  'wrong-passkey': passkey.wrongPasskey,
  'no-user': general.unauthenticated,
}

/** What the user typed into the field `code`. */
const codeRejections: ReadonlySet<PasskeyRejection> = new Set(['used-code', 'wrong-code'])

export const apiErrorOf = (rejection: PasskeyRejection): ApiError => {
  const apiError = apiErrors[rejection]
  return codeRejections.has(rejection) ? { ...apiError, errors: { code: apiError.message } } : apiError
}
