import { z } from 'zod'
import { passkeyIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import * as error from './errors.ts'
import { ownFactors, ownFactorsErrors, typedCode, usedSecondStep, wrongSecondStep } from './factor-proof.ts'
import { logIn } from './http.ts'

/** Routes of two-step verification. A module of its own, because the first screen does not need them. */

export const recoveryCodeCount = 10

export const secondStepExpired = routeError('unauthenticated', 'This took too long. Please log in again.')
export const setUpExpired = routeError('conflict', 'This set-up has expired. Please start again.')
export const secondFactorIsOff = routeError('conflict', 'Two-step verification is off')
export const secondFactorIsOn = routeError('conflict', 'Two-step verification is already on. Please log in again.')
export const secondFactorIsRequired = routeError('conflict', 'Admins need two-step verification')

export const challenge = z.string(secondStepExpired.message).max(limits.shortTextChars, secondStepExpired.message)

export const recoveryCodesSchema = z.array(z.string())

/** `uri`: what authenticator apps read from a QR code. */
const totpSchema = z.object({ success: z.literal(true), secret: z.string(), uri: z.string() })

export const passkeySchema = z.object({
  id: passkeyIdSchema,
  /** Browser and system that it was added with: 'Chrome on Android'. */
  label: z.string(),
  addedAt: z.iso.datetime(),
  /** The day of the last login or change with it, in UTC. Absent if it was never used. */
  lastUsedOn: z.iso.date().optional(),
})
export type Passkey = z.infer<typeof passkeySchema>

export const secondFactorSchema = z.object({
  /** Whether a login asks for a code of an authenticator app. */
  totp: z.boolean(),
  /** Oldest first. */
  passkeys: z.array(passkeySchema).optional(),
  /** Whether passkeys work at this address of the portal. */
  canAddPasskeys: z.boolean().optional(),
  recoveryCodesLeft: z.int(),
  /** Whether the user cannot turn it off. */
  isRequired: z.boolean(),
})
export type SecondFactor = z.infer<typeof secondFactorSchema>

export const getSecondFactor = defineRoute({
  method: 'GET',
  path: '/user/second-factor',
  access: 'signed-in',
  summary: 'Whether your logins have a second step',
  response: z.object({ success: z.literal(true), secondFactor: secondFactorSchema }),
})

export const beginTotp = defineRoute({
  method: 'POST',
  path: '/user/second-factor/totp',
  access: 'signed-in',
  summary: 'Make a secret for an authenticator app. It has no effect before a code of it is confirmed',
  body: ownFactors,
  response: totpSchema,
  errors: ownFactorsErrors,
})

export const confirmTotp = defineRoute({
  method: 'POST',
  path: '/user/second-factor/totp/confirm',
  access: 'signed-in',
  summary:
    'Use the latest secret for logins, instead of an earlier one. Returns recovery codes once, none if those of the passkeys go on',
  body: z.object({ code: typedCode }),
  response: doneSchema.extend({ recoveryCodes: recoveryCodesSchema }),
  errors: [wrongSecondStep, setUpExpired],
})

export const issueRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/user/second-factor/recovery-codes',
  access: 'signed-in',
  summary: 'Make ten new recovery codes. Earlier ones stop working',
  body: ownFactors,
  response: doneSchema.extend({ recoveryCodes: recoveryCodesSchema }),
  errors: [...ownFactorsErrors, secondFactorIsOff],
})

export const removeSecondFactor = defineRoute({
  method: 'DELETE',
  path: '/user/second-factor',
  access: 'signed-in',
  summary: 'Turn off two-step verification. The app, passkeys and recovery codes stop working',
  body: ownFactors,
  response: doneSchema,
  errors: [...ownFactorsErrors, secondFactorIsRequired],
})

export const secondStepErrors = [error.deactivated, secondStepExpired]
const logInErrors = [...secondStepErrors, wrongSecondStep]

export const takeSecondStep = defineRoute({
  method: 'POST',
  path: '/auth/login/second-step',
  access: 'public',
  summary: 'Finish a login with a code. Needs the cookie that came with the challenge',
  body: z.object({ challenge, code: typedCode }),
  response: logIn.response,
  ...(logIn.strictResponse && { strictResponse: logIn.strictResponse }),
  errors: [...logInErrors, usedSecondStep, error.tooManyChecks('15 minutes')],
})

export const beginRequiredTotp = defineRoute({
  method: 'POST',
  path: '/auth/login/totp',
  access: 'public',
  summary: 'Make a secret for an admin who cannot log in without one',
  body: z.object({ challenge }),
  response: totpSchema,
  errors: [...secondStepErrors, secondFactorIsOn, error.tooManyChecks('15 minutes')],
})

export const confirmRequiredTotp = defineRoute({
  method: 'POST',
  path: '/auth/login/totp/confirm',
  access: 'public',
  summary: 'Turn on two-step verification and finish the login. Returns recovery codes once',
  body: z.object({ challenge, code: typedCode }),
  response: logIn.response.extend({ recoveryCodes: recoveryCodesSchema }),
  errors: [...logInErrors, setUpExpired, secondFactorIsOn],
})
