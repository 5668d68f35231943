import { z } from 'zod'
import { encryptedTextSchema } from '../auth/events.ts'
import { notificationIdSchema, sessionIdSchema, userIdSchema } from '../shared/ids.ts'
import { notificationTypeSchema, outcomeStates } from './notification.ts'

export const deliveryOutcomeSchema = z.object({
  userId: userIdSchema,
  state: z.enum(outcomeStates),
  /** Why, where the state alone does not say: 'no device', the provider's code, … */
  reason: z.string().max(200).optional(),
})
export type DeliveryOutcome = z.infer<typeof deliveryOutcomeSchema>

export const notificationTextSchema = z.object({
  notificationId: notificationIdSchema,
  title: z.string(),
  message: z.string(),
  type: notificationTypeSchema,
})
export type NotificationText = z.infer<typeof notificationTextSchema>

/**
 * What the notifications context tells the others. Keys on the bus: 'campaigns' for CampaignSent; the bucket of
 * the recipients (`b00` to `b63`) for all that touches an inbox, so that one inbox sees one order.
 */
export const notificationsEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CampaignSent'),
    data: z.object({
      text: notificationTextSchema,
      sentBy: userIdSchema,
      targeted: z.number().int(),
      buckets: z.array(z.string()),
    }),
  }),
  z.object({
    type: z.literal('RecipientsTargeted'),
    data: z.object({ text: notificationTextSchema, bucket: z.string(), userIds: z.array(userIdSchema) }),
  }),
  z.object({
    type: z.literal('RecipientsSettled'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      outcomes: z.array(deliveryOutcomeSchema),
    }),
  }),
  z.object({
    type: z.literal('NotificationRead'),
    data: z.object({ notificationId: notificationIdSchema, userId: userIdSchema }),
  }),
  z.object({
    type: z.literal('AllNotificationsRead'),
    data: z.object({
      userId: userIdSchema,
      readUpTo: z.number().int(),
      /** The newest notification that the user saw, which says what is read; absent from older marks, whose `readUpTo` does. */
      newestId: notificationIdSchema.optional(),
    }),
  }),
  /**
   * A slice of what an AllNotificationsRead covered: `take` arrivals, `skip` behind the newest of them. What follows from a
   * mark-all is worked off slice by slice, so that one over 100,000 notifications holds nobody up.
   */
  z.object({
    type: z.literal('ArrivalsCovered'),
    data: z.object({
      userId: userIdSchema,
      readUpTo: z.number().int(),
      newestId: notificationIdSchema.optional(),
      skip: z.number().int(),
      take: z.number().int(),
    }),
  }),
  z.object({
    type: z.literal('PushTokenRegistered'),
    data: z.object({
      userId: userIdSchema,
      /** The session that registered it; the token goes when that session ends. */
      sessionId: sessionIdSchema,
      tokenIndex: z.string(),
      /** Sealed with the user's key. */
      token: encryptedTextSchema,
    }),
  }),
  z.object({
    type: z.literal('PushTokenRemoved'),
    data: z.object({
      userId: userIdSchema,
      tokenIndex: z.string(),
      /** 'superseded': newer tokens of the user have taken its place. */
      reason: z.enum(['moved', 'logged-out', 'unregistered', 'superseded']),
    }),
  }),
])
export type NotificationsEvent = z.infer<typeof notificationsEventSchema>
