import { z } from 'zod'
import { notificationIdSchema } from '../shared/ids.ts'

/**
 * Names one numbering of the inboxes. Sequence numbers compare within an epoch only: in another one, an inbox may be numbered
 * differently, and a client starts over. Empty from servers that have none.
 */
export const epochSchema = z.string().catch('')

/** The same, as the server promises it. */
export const strictEpochSchema = z.string().min(1)

/** From clients. Absent from those that do not know epochs. */
export const clientEpochSchema = z.string().min(1).max(100).optional()

/** The final states of a recipient; before one of them a recipient is pending. */
export const outcomeStates = ['live', 'pushed', 'skipped', 'failed', 'cancelled'] as const
export type OutcomeState = (typeof outcomeStates)[number]

/** Something for each of them, so that nobody enumerates them by hand. */
export const mapOutcomeStates = <T>(of: (state: OutcomeState) => T): Record<OutcomeState, T> =>
  // The type of fromEntries forgets the keys: these are all the states.
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

/** A title, a type or a time that is nonsense has words of its own on the screen: it must not cost a client the whole list. */
const lenientText = z.string().catch('')

const inboxItemFields = z.object({
  _id: notificationIdSchema,
  id: notificationIdSchema,
  notificationTitle: lenientText,
  title: lenientText,
  notificationType: lenientText,
  type: lenientText,
  message: z.string(),
  isRead: z.boolean(),
  /** ISO 8601, or null while unread. */
  readAt: z.iso.datetime().nullable(),
  deliveredAt: lenientText,
  timestamp: lenientText,
  /** The inbox's sequence number at which it arrived. Newer items have higher numbers. */
  seq: z.number().int(),
})

/** Of two spellings of a field, one that is there stands for both. */
const fillAliases = (item: unknown): unknown => {
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
 * A notification in its recipient's inbox, as a client takes it. Servers write `id` and `_id`, and so on; one of them is enough,
 * and a title or a type may be missing altogether.
 */
export const inboxItemSchema = z.preprocess(fillAliases, inboxItemFields)
export type InboxItem = z.infer<typeof inboxItemSchema>

const strictFields = {
  notificationTitle: z.string(),
  title: z.string(),
  notificationType: notificationTypeSchema,
  type: notificationTypeSchema,
  /** ISO 8601, as is `timestamp`. */
  deliveredAt: z.iso.datetime(),
  timestamp: z.iso.datetime(),
}

/** The same, as the server promises it. */
export const strictInboxItemSchema = inboxItemFields.extend(strictFields)

const count = z.number().int()

/** Where the recipients of one send stand. `pending` and the outcomes add up to `targeted`. */
export const campaignProgressSchema = z.object({
  notificationId: notificationIdSchema,
  /** The send's number in the history, as in `SentItem`: later sends have higher numbers. (Absent from older servers.) */
  seq: count.optional(),
  targeted: count,
  pending: count,
  ...mapOutcomeStates(() => count),
  read: count,
})
export type CampaignProgress = z.infer<typeof campaignProgressSchema>

/** A send, as admins see it in the history: an inbox item's fields (nobody's read state) with its progress. */
const sentItemFields = inboxItemFields.extend({ progress: campaignProgressSchema })
export const sentItemSchema = z.preprocess(fillAliases, sentItemFields)
export type SentItem = z.infer<typeof sentItemSchema>

/** The same, as the server promises it. */
export const strictSentItemSchema = sentItemFields.extend(strictFields)
