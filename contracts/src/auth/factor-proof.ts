import { z } from 'zod'
import { routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { tooManyPasswordChecks } from './account-errors.ts'
import { ownPassword } from './accounts.ts'
import * as error from './errors.ts'

/** What proves a second factor: a code, or what a passkey has signed. Binary values are base64url. */

export const wrongSecondStep = routeError('invalid', 'This code is not right. Please try the current one.')
/** A code works once. The next one comes within half a minute. */
export const usedSecondStep = routeError('invalid', 'This code was already used. Please wait for the next one.')
export const wrongPasskey = routeError('invalid', 'This passkey did not work. Please try again.')
/** Its counter went back, so there are two copies of it. */
export const copiedPasskey = routeError(
  'conflict',
  'This passkey may have been copied, so it does not work. Please use another way, and remove it in your profile.',
)
export const passkeyRequestUsed = routeError('conflict', 'Please use your passkey again.')
export const passkeysUnavailable = routeError(
  'conflict',
  'Passkeys do not work at this address of the portal. Please use an authenticator app.',
)
/** Clients that know this code ask for the proof. */
export const secondFactorNeeded = routeError(
  'second-factor-required',
  'Two-step verification is on. Please confirm with a code or a passkey, too. If nothing asks for it, reload this page.',
)

/** A code of the authenticator app, which shows it with a blank, or a recovery code. */
export const typedCode = z
  .string('Please enter a code.')
  .trim()
  .min(1, 'Please enter a code.')
  .max(limits.shortTextChars, wrongSecondStep.message)

/** The maximum of the credential ids, in characters. WebAuthn allows 1,023 bytes. */
export const credentialIdChars = 1_364
/** An attestation statement has certificates at most; the portal asks for none. */
const maxObjectChars = 16_000

const base64url = (maxChars: number) =>
  z
    .string(wrongPasskey.message)
    .max(maxChars, wrongPasskey.message)
    .regex(/^[\w-]*$/, wrongPasskey.message)

export const credentialType = z.literal('public-key', wrongPasskey.message)
export const passkeyBytes = base64url(maxObjectChars)
export const credential = { id: base64url(credentialIdChars).min(1, wrongPasskey.message), type: credentialType }

/** What the browser signed. */
export const signedSchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: passkeyBytes, authenticatorData: passkeyBytes, signature: passkeyBytes }),
})
export type SignedByPasskey = z.infer<typeof signedSchema>

/** While two-step verification is on, a change takes one of the last two as well. */
export const ownFactors = z.object({
  password: ownPassword,
  code: typedCode.optional(),
  assertion: signedSchema.optional(),
})
export type OwnFactors = z.infer<typeof ownFactors>

export const ownFactorsErrors = [
  error.wrongPassword,
  tooManyPasswordChecks('15 minutes'),
  error.busy,
  secondFactorNeeded,
  wrongSecondStep,
  usedSecondStep,
  error.tooManyChecks('15 minutes'),
  wrongPasskey,
  copiedPasskey,
  passkeyRequestUsed,
  passkeysUnavailable,
]
