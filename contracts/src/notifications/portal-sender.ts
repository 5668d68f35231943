import { type UserId, userIdSchema } from '../shared/ids.ts'
import { limits } from '../shared/rules.ts'

/** The sender of notifications that the portal itself sends. No account has this id. */
export const portalSender: UserId = userIdSchema.parse('00000000-0000-7000-8000-000000000000')
export const portalSenderName = 'The portal'

/** The title of the portal's notification about an enrollment. */
export const enrollmentNoticeTitle = (programName: string): string =>
  `You are enrolled in ${programName}`.slice(0, limits.titleChars).toWellFormed()
