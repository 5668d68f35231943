import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { passkeyTransportSchema } from '@portal/contracts/auth/passkeys'
import { passkeyIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** The secret of an authenticator app (base32), encrypted with the key of its user. */
const totp = { userId: userIdSchema, secret: encryptedTextSchema }
/** Time steps are 30 seconds long, counted from 1970. A code works in one of them. */
const step = z.int()

const passkey = { userId: userIdSchema, passkeyId: passkeyIdSchema }
/** Times that the passkey has signed, by its own account; always 0 for most. */
const counter = z.int()

export const secondFactorEventSchema = z.discriminatedUnion('type', [
  /** The secret has no effect before the user confirms it with a code. */
  z.object({ type: z.literal('TotpOffered'), data: z.object({ ...totp, expiresAt: z.iso.datetime() }) }),
  /** Replaces an earlier secret. `step`: of the code that confirmed it. */
  z.object({ type: z.literal('TotpEnrolled'), data: z.object({ ...totp, step }) }),
  z.object({ type: z.literal('TotpCodeUsed'), data: z.object({ userId: userIdSchema, step }) }),
  z.object({
    type: z.literal('PasskeyAdded'),
    data: z.object({
      ...passkey,
      /** Encrypted with the key of its user, as is the public key. */
      credentialId: encryptedTextSchema,
      /** A keyed hash of the credential id. */
      credentialIndex: z.string(),
      /** COSE, in base64url. */
      publicKey: encryptedTextSchema,
      counter,
      transports: z.array(passkeyTransportSchema),
      /** Browser and system. */
      label: z.string(),
      addedAt: z.iso.datetime(),
    }),
  }),
  /** The first login of a day with the passkey, in UTC, and each that changes its counter. */
  z.object({ type: z.literal('PasskeyUsed'), data: z.object({ ...passkey, counter, day: z.iso.date() }) }),
  /** `isLast`: SecondFactorRemoved follows. Absent in events of earlier versions. */
  z.object({ type: z.literal('PasskeyRemoved'), data: z.object({ ...passkey, isLast: z.literal(true).optional() }) }),
  /** Keyed hashes. Replaces the earlier codes. `areRenewed`: not with the first second factor. */
  z.object({
    type: z.literal('RecoveryCodesIssued'),
    data: z.object({
      userId: userIdSchema,
      codeHashes: z.array(z.string()),
      areRenewed: z.literal(true).optional(),
    }),
  }),
  z.object({
    type: z.literal('RecoveryCodeUsed'),
    data: z.object({ userId: userIdSchema, codeHash: z.string() }),
  }),
  /** All of it: the app, passkeys and recovery codes. */
  z.object({
    type: z.literal('SecondFactorRemoved'),
    data: z.object({
      userId: userIdSchema,
      /** The operating-system user name of the operator, or the id of the user who is also the actor. */
      by: z.string().min(1).max(200),
      /** Only the offer of an app was removed. */
      wasOff: z.literal(true).optional(),
    }),
  }),
])
export type SecondFactorEvent = z.infer<typeof secondFactorEventSchema>
