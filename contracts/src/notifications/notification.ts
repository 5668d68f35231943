import { z } from 'zod'
import { notificationIdSchema } from '../shared/ids.ts'
import { eachOutcome } from './outcome-states.ts'

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

/** A type or a time that is nonsense has words of its own on the screen: it must not cost a client the whole list. */
const shownText = z.string().catch('')

/**
 * A notification in its recipient's inbox, as a client takes it. Both spellings of the spec's clients are there: `id`/`_id`, and
 * so on.
 */
export const inboxItemSchema = z.object({
  _id: notificationIdSchema,
  id: notificationIdSchema,
  notificationTitle: z.string(),
  title: z.string(),
  notificationType: shownText,
  type: shownText,
  message: z.string(),
  isRead: z.boolean(),
  /** ISO 8601, or null while unread. */
  readAt: z.iso.datetime().nullable(),
  deliveredAt: shownText,
  timestamp: shownText,
  /** The inbox's sequence number at which it arrived. Newer items have higher numbers. */
  seq: z.number().int(),
})
export type InboxItem = z.infer<typeof inboxItemSchema>

const strict = {
  notificationType: notificationTypeSchema,
  type: notificationTypeSchema,
  /** ISO 8601, as is `timestamp`. */
  deliveredAt: z.iso.datetime(),
  timestamp: z.iso.datetime(),
}

/** The same, as the server promises it. */
export const promisedInboxItemSchema = inboxItemSchema.extend(strict)

const count = z.number().int()

/** Where the recipients of one send stand. `pending` and the outcomes add up to `targeted`. */
export const campaignProgressSchema = z.object({
  notificationId: notificationIdSchema,
  /** The send's number in the history, as in `SentItem`: later sends have higher numbers. (Absent from older servers.) */
  seq: count.optional(),
  targeted: count,
  pending: count,
  ...eachOutcome(() => count),
  read: count,
})
export type CampaignProgress = z.infer<typeof campaignProgressSchema>

/** A send, as admins see it in the history: an inbox item's fields (nobody's read state) with its progress. */
export const sentItemSchema = inboxItemSchema.extend({ progress: campaignProgressSchema })
export type SentItem = z.infer<typeof sentItemSchema>

/** The same, as the server promises it. */
export const promisedSentItemSchema = sentItemSchema.extend(strict)
