import { z } from 'zod'
import { notificationIdSchema } from '../shared/ids.ts'
import { isPortalOrHttpsUrl } from '../shared/https-address.ts'
import { notificationButtonSchema } from './notification-button.ts'

/**
 * Identifies one numbering of the inboxes. Sequence numbers compare only within an epoch; when it changes, clients
 * start over. Empty if the server does not send one.
 */
export const epochSchema = z.string().catch('')

/** An epoch as the server must send it. */
export const strictEpochSchema = z.string().min(1)

/** Sent by clients. Absent from clients that predate epochs. */
export const clientEpochSchema = z.string().min(1).max(100).optional()

/** The final states of a recipient. Until then a recipient is pending. */
export const outcomeStates = ['live', 'pushed', 'skipped', 'failed', 'cancelled'] as const
export type OutcomeState = (typeof outcomeStates)[number]

/** All states of a recipient, as recorded. */
export const deliveryStatuses = ['pending', ...outcomeStates] as const
export const deliveryStatusSchema = z.enum(deliveryStatuses)
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>

/** Builds a record with one value per outcome state. */
export const mapOutcomeStates = <T>(of: (state: OutcomeState) => T): Record<OutcomeState, T> =>
  // Object.fromEntries loses the key type.
  Object.fromEntries(outcomeStates.map((state) => [state, of(state)])) as Record<OutcomeState, T>

export const notificationTypes = [
  'System Maintenance',
  'Fee Payment Reminder',
  'New Course Announcement',
  'Assignment',
  'Exam',
  'General',
] as const
export const notificationTypeSchema = z.enum(notificationTypes, 'Please choose a notification type')
export type NotificationType = z.infer<typeof notificationTypeSchema>

/**
 * The screen shows a default for an invalid title, type or time. One bad item must not make the client reject the
 * whole list.
 */
const lenientText = z.string().catch('')

export const inboxItemFields = z.object({
  _id: notificationIdSchema,
  id: notificationIdSchema,
  notificationTitle: lenientText,
  title: lenientText,
  notificationType: lenientText,
  type: lenientText,
  message: z.string(),
  /** The language of title and message if they are a translation that the reader chose; BCP 47. */
  lang: z.string().optional(),
  /** Absent if it has none. An invalid one is left out, like an invalid title. */
  button: notificationButtonSchema.optional().catch(undefined),
  /** The address of a picture, absent like the button. */
  image: z.string().refine(isPortalOrHttpsUrl).optional().catch(undefined),
  isRead: z.boolean(),
  /** ISO 8601, or null while unread. */
  readAt: z.iso.datetime().nullable(),
  deliveredAt: lenientText,
  timestamp: lenientText,
  /** The inbox's sequence number when the item arrived. Newer items have higher numbers. */
  seq: z.number().int(),
  /** When an admin withdrew it; ISO 8601. It then has no title and text of its own, and counts as read. */
  withdrawnAt: z.iso.datetime().optional(),
})

/** Copies each field to its alias if only one of the two spellings is present. */
export const fillAliases = (item: unknown): unknown => {
  if (typeof item !== 'object' || item === null) return item
  const { _id, id, notificationTitle, title, notificationType, type, ...rest }: Partial<Record<string, unknown>> = item
  const either = (one: unknown, other: unknown) => (one === undefined ? other : one)
  return {
    ...rest,
    _id: either(_id, id),
    id: either(id, _id),
    notificationTitle: either(notificationTitle, title),
    title: either(title, notificationTitle),
    notificationType: either(notificationType, type),
    type: either(type, notificationType),
  }
}

/**
 * A notification in its recipient's inbox, as a client parses it. Servers send both `id` and `_id`, and so on.
 * Clients accept either, and tolerate a missing title or type.
 */
export const inboxItemSchema = z.preprocess(fillAliases, inboxItemFields)
export type InboxItem = z.infer<typeof inboxItemSchema>

/** Shown instead of the title of a withdrawn notification. */
export const withdrawnTitle = 'This notification was withdrawn'

/** An item after its recall: no title, text, language, picture and button of its own, and read. */
export const withdrawItem = (item: InboxItem, withdrawnAt: string): InboxItem => {
  const { button: _, image: __, lang: ___, ...rest } = item
  return {
    ...rest,
    notificationTitle: withdrawnTitle,
    title: withdrawnTitle,
    notificationType: 'General',
    type: 'General',
    message: '',
    isRead: true,
    readAt: item.readAt ?? withdrawnAt,
    withdrawnAt,
  }
}

export const strictFields = {
  notificationTitle: z.string(),
  title: z.string(),
  notificationType: notificationTypeSchema,
  type: notificationTypeSchema,
  button: notificationButtonSchema.optional(),
  image: z.string().refine(isPortalOrHttpsUrl).optional(),
  /** ISO 8601, as is `timestamp`. */
  deliveredAt: z.iso.datetime(),
  timestamp: z.iso.datetime(),
}

/** An inbox item as the server must send it. */
export const strictInboxItemSchema = inboxItemFields.extend(strictFields)
