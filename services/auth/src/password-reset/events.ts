import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** The user, and the hash that the new password replaces. The token is invalid once the user has another hash. */
const resetAccountSchema = z.object({ userId: userIdSchema, replaces: encryptedTextSchema })
export type ResetAccount = z.infer<typeof resetAccountSchema>

export const passwordResetEventSchema = z.discriminatedUnion('type', [
  /** Recorded for every address, so that the response time does not reveal registered addresses. */
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
