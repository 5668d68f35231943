import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { invitedRoleSchema } from '@portal/contracts/auth/invitations'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

const reference = { userId: userIdSchema }

/** What a link is recognized by, and until when it works. */
const link = {
  /** Keyed hash. */
  tokenHash: z.string(),
  expiresAt: z.iso.datetime(),
}

/** The invitations of one e-mail address. `actorId` in the metadata is the admin who acted. */
export const invitationEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('InvitationSent'),
    data: z.object({
      /** Of the account that it leads to. Its key protects the profile. */
      ...reference,
      role: invitedRoleSchema,
      /** Keyed hash of the address. */
      emailIndex: z.string(),
      /** JSON of a Profile. */
      profile: encryptedTextSchema,
      ...link,
    }),
  }),
  /** Only the new link works. */
  z.object({ type: z.literal('InvitationResent'), data: z.object({ ...reference, ...link }) }),
  z.object({ type: z.literal('InvitationWithdrawn'), data: z.object(reference) }),
  /** The registration of the address with this argon2id hash follows. */
  z.object({
    type: z.literal('InvitationAccepted'),
    data: z.object({ ...reference, emailIndex: z.string(), credential: encryptedTextSchema }),
  }),
  /** It ended without an account of its own. */
  z.object({
    type: z.literal('InvitationLapsed'),
    data: z.object({ ...reference, reason: z.enum(['expired', 'address-taken']) }),
  }),
])
export type InvitationEvent = z.infer<typeof invitationEventSchema>
