import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { registrationDetailsSchema } from '../registration/events.ts'

/**
 * An operator's decision to make an account an admin. It contains only keyed hashes and ids, so it can wait in a file
 * while another process has the event store open.
 */
export const adminGrantSchema = z.object({
  /** Applying the same id twice changes nothing. */
  id: z.uuid().toLowerCase(),
  /** The operating-system user name of the operator. */
  by: z.string().min(1).max(200),
  reason: z.string().min(1).max(500).optional(),
  emailIndex: z.string(),
  /** Hash of the one-time link token; see password-reset/reset-token.ts. */
  tokenHash: z.string(),
  account: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('existing'),
      userId: userIdSchema,
      /** Hash of a random password that was never shown. */
      credential: encryptedTextSchema,
    }),
    z.object({ kind: z.literal('new'), details: registrationDetailsSchema }),
  ]),
})
export type AdminGrant = z.infer<typeof adminGrantSchema>

/** How long the link works: long enough to hand it to a person in another time zone. */
export const adminLinkHours = 72

export const userIdOf = ({ account }: AdminGrant) => (account.kind === 'new' ? account.details.userId : account.userId)

export const credentialOf = ({ account }: AdminGrant) =>
  account.kind === 'new' ? account.details.credential : account.credential
