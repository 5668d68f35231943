import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { z } from 'zod'

/**
 * What one user did in their inbox. There is no decider: these are facts without a rule between them, and loading a
 * year of reads to record one more would make reading slower with time. Recorded with expected revision 'any' and
 * deterministic ids; whether there is anything to record is asked of the read model.
 */
export const inboxEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('NotificationRead'),
    data: z.object({ userId: userIdSchema, notificationId: notificationIdSchema }),
  }),
  z.object({
    type: z.literal('AllNotificationsRead'),
    data: z.object({
      userId: userIdSchema,
      /**
       * The newest notification that the user saw: it and what arrived before it is read, what arrived later stays unread. Absent from
       * older events, whose `readUpTo` says it in the numbers of the projection of their time.
       */
      newestId: notificationIdSchema.optional(),
      /** The inbox's `seq` when the user asked. Of new events only releases that do not know `newestId` use it. */
      readUpTo: z.number().int().positive(),
      /** At most this many arrivals lie between the mark-all before and this one. */
      arrivals: z.number().int().positive(),
    }),
  }),
])
export type InboxEvent = z.infer<typeof inboxEventSchema>

/** Throws on a type or a shape that is not declared above, as a decider's `parse` does. */
export const parseInboxEvent = storedEventReader(inboxEventSchema)

export const inboxCategory = 'inbox'
