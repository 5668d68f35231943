import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Whose password is to be set, and which one (a hash of it): once that is no longer theirs, the token is worth nothing. */
const resetAccountSchema = z.object({ userId: userIdSchema, replaces: encryptedTextSchema })
export type ResetAccount = z.infer<typeof resetAccountSchema>

export const passwordResetEventSchema = z.discriminatedUnion('type', [
  /** Recorded for any address, so that it takes as long for all of them. */
  z.object({
    type: z.literal('PasswordResetRequested'),
    data: z.object({
      /** Keyed hash. */
      tokenHash: z.string(),
      expiresAt: z.iso.datetime(),
      account: resetAccountSchema.optional(),
      isByOperator: z.literal(true).optional(),
    }),
  }),
  z.object({ type: z.literal('ResetTokenUsed'), data: z.object({ tokenHash: z.string() }) }),
])
export type PasswordResetEvent = z.infer<typeof passwordResetEventSchema>
