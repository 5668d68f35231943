import { adminRemovedSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const adminRosterEventSchema = z.discriminatedUnion('type', [
  /** The account is about to become an active admin: promoted, or reactivated. */
  z.object({ type: z.literal('AdminAdded'), data: z.object({ userId: userIdSchema }) }),
  /** The account is about to cease to be one. The change of the account follows. */
  z.object({ type: z.literal('AdminRemoved'), data: adminRemovedSchema }),
])
export type AdminRosterEvent = z.infer<typeof adminRosterEventSchema>
