import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { invitationLimits, invitedRoleSchema } from '@portal/contracts/auth/invitations'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

/** All open invitations are one list. Also the message key. */
export const invitationsPartition = 'invitations'

/** Members are the ids of the future users, scores are in the order of sending, values are `entrySchema`. */
const invitationList = 'invitations'

const entrySchema = z.object({
  role: invitedRoleSchema,
  emailIndex: z.string(),
  profile: encryptedTextSchema,
  invitedBy: userIdSchema.optional(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export const invitationsProjection = authProjection(
  { name: 'invitations' },
  ['InvitationSent', 'InvitationResent', 'InvitationWithdrawn', 'InvitationAccepted', 'InvitationLapsed'],
  async ({ event, partition, at }, view) => {
    const member = event.data.userId
    switch (event.type) {
      case 'InvitationSent': {
        const { userId: _member, ...invitation } = event.data
        const [last] = await view.range(partition, invitationList, { order: 'descending', limit: 1 })
        const value = { ...invitation, sentAt: at } satisfies z.infer<typeof entrySchema>
        return [{ op: 'add', list: invitationList, member, score: (last?.score ?? 0) + 1, value }]
      }
      case 'InvitationResent': {
        const known = await view.entry(partition, invitationList, member)
        if (!known) return []
        const value = { ...entrySchema.parse(known.value), sentAt: at, expiresAt: event.data.expiresAt }
        return [{ op: 'add', list: invitationList, member, score: known.score, value }]
      }
      case 'InvitationWithdrawn':
      case 'InvitationAccepted':
      case 'InvitationLapsed':
        return [{ op: 'remove', list: invitationList, member }]
    }
  },
)

export type ListedInvitation = z.infer<typeof entrySchema> & { readonly userId: UserId }

const listed = ({ member, value }: Entry): ListedInvitation => ({
  userId: userIdSchema.parse(member),
  ...entrySchema.parse(value),
})

/** The newest first. */
export const readInvitations = async (readModel: Pick<ReadStore, 'range'>): Promise<readonly ListedInvitation[]> => {
  // Several processes that invite at the same moment may exceed the limit.
  const limit = 2 * invitationLimits.open
  return (await readModel.range(invitationsPartition, invitationList, { order: 'descending', limit })).map(listed)
}

export const findInvitation = async (
  readModel: Pick<ReadStore, 'entry'>,
  userId: UserId,
): Promise<ListedInvitation | undefined> => {
  const entry = await readModel.entry(invitationsPartition, invitationList, userId)
  return entry && listed(entry)
}
