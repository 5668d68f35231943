import type { NotificationText } from '@portal/contracts/notifications/events'
import {
  type NotificationId,
  notificationIdSchema,
  type SessionId,
  sessionIdSchema,
  type UserId,
  userIdSchema,
} from '@portal/contracts/shared/ids'

const uuidAt = (kind: number, n: number): string =>
  `0190${String(kind).padStart(4, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

/** Deterministic ids, so that failures are readable. */
export const userIdAt = (n: number): UserId => userIdSchema.parse(uuidAt(1, n))
export const notificationIdAt = (n: number): NotificationId => notificationIdSchema.parse(uuidAt(2, n))
export const sessionIdAt = (n: number): SessionId => sessionIdSchema.parse(uuidAt(3, n))

export const someText = (n: number): NotificationText => ({
  notificationId: notificationIdAt(n),
  title: `Title ${n}`,
  message: `Message ${n}`,
  type: 'General',
})

export const knownUsers = (...userIds: readonly UserId[]): ReadonlySet<UserId> => new Set(userIds)
