import { z } from 'zod'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'
import { idempotencyHeaders } from '../shared/idempotency.ts'
import { pageQuerySchema, paginationSchema, positiveInteger } from '../shared/page.ts'
import { limits, requiredLine, requiredText } from '../shared/rules.ts'
import {
  epochSchema,
  inboxItemSchema,
  notificationTypeSchema,
  strictEpochSchema,
  strictInboxItemSchema,
  strictSentItemSchema,
  sentItemSchema,
} from './notification.ts'

const idParams = z.object({ id: notificationIdSchema })

/**
 * The inbox's epoch, last sequence number and unread count when the response was built. Clients use them to compare
 * responses.
 */
const inboxState = { epoch: epochSchema, seq: z.number().int(), unread: z.number().int() }
const strictInboxState = { ...inboxState, epoch: strictEpochSchema }

export const savePushToken = defineRoute({
  method: 'POST',
  path: '/notifications/token',
  access: 'signed-in',
  summary: 'Register this device for push. Moves a token of another user to the caller. At most 30 new tokens an hour',
  body: z.object({ token: requiredText('token', limits.pushTokenChars) }),
  response: doneSchema,
})

/** Public configuration that the browser needs to request a push token. */
export const pushClientConfigSchema = z.object({
  apiKey: z.string(),
  projectId: z.string(),
  messagingSenderId: z.string(),
  appId: z.string(),
  vapidKey: z.string(),
})
export type PushClientConfig = z.infer<typeof pushClientConfigSchema>

export const getPushConfig = defineRoute({
  method: 'GET',
  path: '/notifications/push-config',
  access: 'signed-in',
  summary: 'Push configuration for browsers; null without a push provider',
  response: z.object({ success: z.literal(true), config: pushClientConfigSchema.nullable() }),
})

const inboxPageOf = <Item extends z.ZodType, State extends typeof inboxState | typeof strictInboxState>(
  item: Item,
  state: State,
) => z.object({ success: z.literal(true), notifications: z.array(item), pagination: paginationSchema, ...state })

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  access: 'signed-in',
  summary: "A page of the caller's inbox, newest first",
  query: pageQuerySchema,
  response: inboxPageOf(inboxItemSchema, inboxState),
  strictResponse: inboxPageOf(strictInboxItemSchema, strictInboxState),
})

const recentPageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ success: z.literal(true), notifications: z.array(item), pagination: paginationSchema })

export const listRecentNotifications = defineRoute({
  method: 'GET',
  path: '/notifications/recent',
  access: 'signed-in',
  summary: "For admins the sent notifications with progress, for others the caller's inbox, newest first",
  query: pageQuerySchema,
  response: recentPageOf(z.union([sentItemSchema, inboxItemSchema])),
  strictResponse: recentPageOf(z.union([strictSentItemSchema, strictInboxItemSchema])),
})

const oneOf = <Item extends z.ZodType>(item: Item) => z.object({ success: z.literal(true), notification: item })

export const getNotification = defineRoute({
  method: 'GET',
  path: '/notifications/:id',
  access: 'signed-in',
  summary: "One notification of the caller's inbox",
  params: idParams,
  response: oneOf(inboxItemSchema),
  strictResponse: oneOf(strictInboxItemSchema),
})

const readOf = <Item extends z.ZodType, State extends typeof inboxState | typeof strictInboxState>(
  item: Item,
  state: State,
) => doneSchema.extend({ notification: item, ...state })

export const readNotification = defineRoute({
  method: 'PUT',
  path: '/notifications/:id/read',
  access: 'signed-in',
  summary: 'Mark a notification as read. Repeating the call changes nothing',
  params: idParams,
  response: readOf(inboxItemSchema, inboxState),
  strictResponse: readOf(strictInboxItemSchema, strictInboxState),
})

const unreadOf = <State extends typeof inboxState | typeof strictInboxState>(state: State) =>
  z.object({ success: z.literal(true), count: z.number().int(), ...state })

export const countUnread = defineRoute({
  method: 'GET',
  path: '/notifications/unread/count',
  access: 'signed-in',
  summary: "The number of unread notifications in the caller's inbox",
  response: unreadOf(inboxState),
  strictResponse: unreadOf(strictInboxState),
})

export const readAllNotifications = defineRoute({
  method: 'PUT',
  path: '/notifications/mark-all-read',
  access: 'signed-in',
  summary: 'Mark all notifications that have arrived so far as read',
  response: doneSchema.extend(inboxState),
  strictResponse: doneSchema.extend(strictInboxState),
})

export const sendNotificationBody = z.object({
  userIds: z
    .array(userIdSchema, 'Please select at least one user')
    .min(1, 'Please select at least one user')
    .max(limits.recipientsPerSend, `A notification can go to at most ${limits.recipientsPerSend} users at once`),
  title: requiredLine('Title', limits.titleChars, 'Please enter a notification title'),
  message: requiredText('Message', limits.messageChars, 'Please enter a notification message'),
  type: notificationTypeSchema.default('System Maintenance'),
})

export const sendNotification = defineRoute({
  method: 'POST',
  path: '/notifications/send',
  access: 'admin',
  summary: 'Send a notification to selected users',
  headers: idempotencyHeaders,
  body: sendNotificationBody,
  bodyLimitBytes: 1024 * 1024,
  response: doneSchema.extend({
    notificationId: notificationIdSchema,
    /**
     * The number of open devices (visible tabs) that had shown the notification when the response was sent. The
     * response waits for all connected devices, but at most 1.5 s, and not at all if none is connected.
     */
    successCount: z.number().int(),
    /** The number of recipients. */
    targeted: z.number().int(),
  }),
})

/** A day in India Standard Time, where the program is held: `2026-11-21`. */
const activityDaySchema = z.object({
  date: z.iso.date(),
  /** Campaigns sent on that day. */
  sends: z.number().int(),
  /** Inboxes that those campaigns reached. */
  delivered: z.number().int(),
  /** Notifications read on that day, regardless of when they were sent. */
  reads: z.number().int(),
})
export type ActivityDay = z.infer<typeof activityDaySchema>

export const maxActivityDays = 90

export const getActivity = defineRoute({
  method: 'GET',
  path: '/notifications/activity',
  access: 'admin',
  summary: 'Notifications sent and read per day, oldest first, including days without any',
  query: z.object({
    days: positiveInteger('days', maxActivityDays, 14),
  }),
  response: z.object({ success: z.literal(true), days: z.array(activityDaySchema) }),
})
