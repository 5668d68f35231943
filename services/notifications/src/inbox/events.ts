import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { z } from 'zod'

/**
 * A user's actions in their inbox. There is no decider: no rule connects these facts, and loading a year of reads
 * to record one more would get slower over time. They are recorded with expected revision 'any' and deterministic
 * ids. The read model tells whether there is anything to record.
 */
export const inboxEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('NotificationRead'),
    data: z.object({ userId: userIdSchema, notificationId: notificationIdSchema }),
  }),
  z.object({
    type: z.literal('NotificationMarkedUnread'),
    data: z.object({ userId: userIdSchema, notificationId: notificationIdSchema }),
  }),
  z.object({
    type: z.literal('ButtonClicked'),
    data: z.object({ userId: userIdSchema, notificationId: notificationIdSchema }),
  }),
  z.object({
    type: z.literal('AllNotificationsRead'),
    data: z.object({
      userId: userIdSchema,
      /**
       * The newest notification that the user had seen. It and earlier arrivals are read; later ones stay unread.
       * Older events lack it and use `readUpTo`, in the numbering of the projection of their time.
       */
      newestId: notificationIdSchema.optional(),
      /** The inbox's `seq` at the time of the request. For newer events only releases without `newestId` use it. */
      readUpTo: z.number().int().positive(),
      /** Upper bound for the arrivals since the previous mark-all. */
      arrivals: z.number().int().positive(),
    }),
  }),
])
export type InboxEvent = z.infer<typeof inboxEventSchema>

/** Throws on an undeclared type or shape, as a decider's `parse` does. */
export const parseInboxEvent = storedEventReader(inboxEventSchema)

export const inboxCategory = 'inbox'
