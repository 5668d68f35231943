import { z } from 'zod'
import { passkeyIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import * as error from './errors.ts'
import {
  copiedPasskey,
  credential,
  credentialIdChars,
  credentialType,
  ownFactors,
  ownFactorsErrors,
  passkeyBytes,
  passkeyRequestUsed,
  passkeysUnavailable,
  signedSchema,
  wrongPasskey,
} from './factor-proof.ts'
import { logIn } from './http.ts'
import {
  challenge,
  passkeySchema,
  recoveryCodesSchema,
  secondFactorIsOff,
  secondFactorIsOn,
  secondFactorIsRequired,
  secondStepErrors,
  setUpExpired,
} from './second-factor.ts'

/** Routes of passkeys (WebAuthn), a second step like an authenticator app. Binary values are base64url. */

export const maxPasskeys = 5

export const tooManyPasskeys = routeError('conflict', `You have ${maxPasskeys} passkeys. Remove one to add another.`)
export const passkeyExists = routeError('conflict', 'This passkey was already added')
export const passkeyNotFound = routeError('not-found', 'There is no such passkey')

const maxTransports = 10

/** How the browser reaches the authenticator, a hint for later logins. */
export const passkeyTransportSchema = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
export type PasskeyTransport = z.infer<typeof passkeyTransportSchema>

/** Newer browsers know more transports. */
const typedTransports = z
  .array(z.string().max(credentialIdChars))
  .max(maxTransports)
  .catch([])
  .transform((names) => names.flatMap((name) => passkeyTransportSchema.safeParse(name).data ?? []))

const descriptorSchema = z.object({
  id: z.string(),
  type: credentialType,
  transports: z.array(passkeyTransportSchema),
})

/** For `navigator.credentials.create`. */
export const creationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: credentialType })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('discouraged'),
    requireResidentKey: z.literal(false),
    userVerification: z.literal('preferred'),
  }),
})
export type PasskeyCreationOptions = z.infer<typeof creationOptionsSchema>

/** For `navigator.credentials.get`. */
export const requestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(descriptorSchema),
  userVerification: z.literal('preferred'),
})
export type PasskeyRequestOptions = z.infer<typeof requestOptionsSchema>

/** What the browser made. */
const createdSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: passkeyBytes,
    attestationObject: passkeyBytes,
    transports: typedTransports.optional(),
  }),
})
export type CreatedPasskey = z.infer<typeof createdSchema>
/** With transports that only newer browsers know. */
export type MadePasskey = z.input<typeof createdSchema>

const creationResponse = z.object({ success: z.literal(true), options: creationOptionsSchema })
const addErrors = [wrongPasskey, setUpExpired, tooManyPasskeys, passkeyExists, passkeysUnavailable]

export const beginPasskey = defineRoute({
  method: 'POST',
  path: '/user/second-factor/passkeys/options',
  access: 'signed-in',
  summary: 'Begin to add a passkey: the options for the browser, valid for five minutes',
  body: ownFactors,
  response: creationResponse,
  errors: [...ownFactorsErrors, tooManyPasskeys],
})

const requestResponse = z.object({ success: z.literal(true), options: requestOptionsSchema })

export const beginPasskeyProof = defineRoute({
  method: 'POST',
  path: '/user/second-factor/passkeys/proof',
  access: 'signed-in',
  summary: 'Begin to confirm a change of your two-step verification with a passkey: the options for the browser',
  response: requestResponse,
  repetition: 'harmless',
  errors: [secondFactorIsOff, passkeysUnavailable],
})

export const addPasskey = defineRoute({
  method: 'POST',
  path: '/user/second-factor/passkeys',
  access: 'signed-in',
  summary: 'Add the passkey that the browser made. Returns recovery codes once, with the first second factor',
  body: z.object({ credential: createdSchema }),
  response: doneSchema.extend({ passkey: passkeySchema, recoveryCodes: recoveryCodesSchema }),
  errors: addErrors,
})

export const removePasskey = defineRoute({
  method: 'DELETE',
  path: '/user/second-factor/passkeys/:id',
  access: 'signed-in',
  summary: 'Remove a passkey. With the last second factor, recovery codes stop working',
  params: z.object({ id: passkeyIdSchema }),
  body: ownFactors,
  response: doneSchema,
  errors: [...ownFactorsErrors, passkeyNotFound, secondFactorIsRequired],
})

export const beginPasskeyStep = defineRoute({
  method: 'POST',
  path: '/auth/login/passkey',
  access: 'public',
  summary: 'Begin to finish a login with a passkey: the options for the browser',
  body: z.object({ challenge }),
  response: requestResponse,
  errors: [...secondStepErrors, secondFactorIsOff, passkeysUnavailable],
})

export const takePasskeyStep = defineRoute({
  method: 'POST',
  path: '/auth/login/passkey/confirm',
  access: 'public',
  summary: 'Finish a login with what the passkey signed. Needs the cookie that came with the challenge',
  body: z.object({ challenge, credential: signedSchema }),
  response: logIn.response,
  ...(logIn.strictResponse && { strictResponse: logIn.strictResponse }),
  errors: [
    ...secondStepErrors,
    wrongPasskey,
    copiedPasskey,
    passkeyRequestUsed,
    passkeysUnavailable,
    error.tooManyChecks('15 minutes'),
  ],
})

export const beginRequiredPasskey = defineRoute({
  method: 'POST',
  path: '/auth/login/passkey/set-up',
  access: 'public',
  summary: 'Begin to add a passkey for an admin who cannot log in without a second factor',
  body: z.object({ challenge }),
  response: creationResponse,
  errors: [...secondStepErrors, secondFactorIsOn, passkeysUnavailable],
})

export const addRequiredPasskey = defineRoute({
  method: 'POST',
  path: '/auth/login/passkey/set-up/confirm',
  access: 'public',
  summary: 'Add the passkey and finish the login. Returns recovery codes once',
  body: z.object({ challenge, credential: createdSchema }),
  response: logIn.response.extend({ recoveryCodes: recoveryCodesSchema }),
  errors: [...secondStepErrors, ...addErrors, secondFactorIsOn],
})
