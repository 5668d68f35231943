import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** The secret of an authenticator app (base32), encrypted with the key of its user. */
const totp = { userId: userIdSchema, secret: encryptedTextSchema }
/** Time steps are 30 seconds long, counted from 1970. A code works in one of them. */
const step = z.int()

export const secondFactorEventSchema = z.discriminatedUnion('type', [
  /** The secret has no effect before the user confirms it with a code. */
  z.object({ type: z.literal('TotpOffered'), data: z.object({ ...totp, expiresAt: z.iso.datetime() }) }),
  /** Replaces an earlier secret. `step`: of the code that confirmed it. */
  z.object({ type: z.literal('TotpEnrolled'), data: z.object({ ...totp, step }) }),
  z.object({ type: z.literal('TotpCodeUsed'), data: z.object({ userId: userIdSchema, step }) }),
  /** Keyed hashes. Replaces the earlier codes. */
  z.object({
    type: z.literal('RecoveryCodesIssued'),
    data: z.object({ userId: userIdSchema, codeHashes: z.array(z.string()) }),
  }),
  z.object({
    type: z.literal('RecoveryCodeUsed'),
    data: z.object({ userId: userIdSchema, codeHash: z.string() }),
  }),
  z.object({
    type: z.literal('SecondFactorRemoved'),
    data: z.object({
      userId: userIdSchema,
      /** The operating-system user name of the operator, or the id of the user who is also the actor. */
      by: z.string().min(1).max(200),
    }),
  }),
])
export type SecondFactorEvent = z.infer<typeof secondFactorEventSchema>
