import { learnerInvitationEvents } from '@portal/contracts/catalog/events'
import { z } from 'zod'

/** The invitations of one address to programs. `actorId` in the metadata is the admin who acted. */
export const learnerInvitationEventSchema = z.discriminatedUnion('type', learnerInvitationEvents)
export type LearnerInvitationEvent = z.infer<typeof learnerInvitationEventSchema>
