import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { registrationDetailsSchema } from '../registration/events.ts'

/**
 * An operator's decision that an address is an admin's. It names the account by keyed hashes and ids only, so that it may wait in a
 * file while another process has the event store open.
 */
export const adminGrantSchema = z.object({
  /** Makes applying it again change nothing. */
  id: z.uuid().toLowerCase(),
  /** The operating system's name of the operator. */
  by: z.string().min(1).max(200),
  reason: z.string().min(1).max(500).optional(),
  emailIndex: z.string(),
  /** Of the one-time link; see password-reset/reset-token.ts. */
  tokenHash: z.string(),
  account: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('existing'),
      userId: userIdSchema,
      /** A hash of a password that no one knows. */
      credential: encryptedTextSchema,
    }),
    z.object({ kind: z.literal('new'), details: registrationDetailsSchema }),
  ]),
})
export type AdminGrant = z.infer<typeof adminGrantSchema>

/** How long the operator's link works: long enough to hand it to a person in another time zone. */
export const adminLinkHours = 72

export const userIdOf = ({ account }: AdminGrant) => (account.kind === 'new' ? account.details.userId : account.userId)

export const credentialOf = ({ account }: AdminGrant) =>
  account.kind === 'new' ? account.details.credential : account.credential
