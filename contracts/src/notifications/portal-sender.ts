import { type UserId, userIdSchema } from '../shared/ids.ts'

/** The sender of notifications that the portal itself sends. No account has this id. */
export const portalSender: UserId = userIdSchema.parse('00000000-0000-7000-8000-000000000000')
export const portalSenderName = 'The portal'
