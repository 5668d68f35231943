import type { NotificationText } from '@portal/contracts/notifications/events'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'

/** A notification as its reader gets it, in both spellings of the specification's clients. */
export const presentItem = (
  { notificationId, title, message, type }: NotificationText,
  { seq, deliveredAt }: { readonly seq: number; readonly deliveredAt: string },
  readAt: string | null,
): InboxItem => ({
  _id: notificationId,
  id: notificationId,
  notificationTitle: title,
  title,
  notificationType: type,
  type,
  message,
  isRead: readAt !== null,
  readAt,
  deliveredAt,
  timestamp: deliveredAt,
  seq,
})

/**
 * The line of a notification whose text is missing: it counts as unread and can be read, so it is shown, and says why it has no
 * text.
 */
export const textUnavailable = (notificationId: NotificationId): NotificationText => ({
  notificationId,
  title: 'This notification cannot be shown right now',
  message: 'Its text is temporarily unavailable. Please try again later.',
  type: 'General',
})
