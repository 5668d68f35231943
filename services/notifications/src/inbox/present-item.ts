import type { NotificationText } from '@portal/contracts/notifications/events'
import type { InboxItem } from '@portal/contracts/notifications/notification'

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
