import { z } from 'zod'
import { encryptedTextSchema } from '../auth/events.ts'
import { notificationIdSchema, sessionIdSchema, userIdSchema } from '../shared/ids.ts'
import { notificationTypeSchema, outcomeStates } from './notification.ts'

export const deliveryOutcomeSchema = z.object({
  userId: userIdSchema,
  state: z.enum(outcomeStates),
  /** Details that the state does not carry: 'no device', the provider's error code, … */
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
 * Integration events of the notifications context. Message keys: 'campaigns' for CampaignSent, and the recipients'
 * bucket (`b00` to `b63`) for everything that changes an inbox, so that changes to one inbox stay in order.
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
      /**
       * The newest notification that the user had seen. It defines what is read. Older events lack it and use
       * `readUpTo`.
       */
      newestId: notificationIdSchema.optional(),
    }),
  }),
  /**
   * A slice of the notifications that an AllNotificationsRead covers: `take` arrivals, starting `skip` below the
   * newest. Working in slices keeps a mark-all over 100,000 notifications from blocking others.
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
      /** The session that registered the token. The token is removed when that session ends. */
      sessionId: sessionIdSchema,
      tokenIndex: z.string(),
      /** Encrypted with the user's key. */
      token: encryptedTextSchema,
    }),
  }),
  z.object({
    type: z.literal('PushTokenRemoved'),
    data: z.object({
      userId: userIdSchema,
      tokenIndex: z.string(),
      /** 'superseded': the user registered newer tokens. */
      reason: z.enum(['moved', 'logged-out', 'unregistered', 'superseded']),
    }),
  }),
])
export type NotificationsEvent = z.infer<typeof notificationsEventSchema>
