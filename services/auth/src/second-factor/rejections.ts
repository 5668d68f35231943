import * as proof from '@portal/contracts/auth/factor-proof'
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
  'used-code': proof.usedSecondStep,
  'wrong-code': proof.wrongSecondStep,
  'too-many-passkeys': passkey.tooManyPasskeys,
  'passkey-exists': passkey.passkeyExists,
  'no-such-passkey': passkey.passkeyNotFound,
  'copied-passkey': proof.copiedPasskey,
  unavailable: proof.passkeysUnavailable,
  'used-challenge': proof.passkeyRequestUsed,
  'wrong-passkey': proof.wrongPasskey,
  'no-user': general.unauthenticated,
}

/** What the user typed into the field `code`. */
const codeRejections: ReadonlySet<PasskeyRejection> = new Set(['used-code', 'wrong-code'])

export const apiErrorOf = (rejection: PasskeyRejection): ApiError => {
  const apiError = apiErrors[rejection]
  return codeRejections.has(rejection) ? { ...apiError, errors: { code: apiError.message } } : apiError
}
