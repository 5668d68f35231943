import { z } from 'zod'
import { notificationIdSchema } from '../shared/ids.ts'
import { pageQuerySchema, paginationSchema } from '../shared/page.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import * as error from './errors.ts'
import { inboxFilterSchema } from './inbox-filter.ts'
import {
  clientEpochSchema,
  epochSchema,
  inboxItemSchema,
  strictEpochSchema,
  strictInboxItemSchema,
} from './notification.ts'

/** Routes of every signed-in user. A module of its own, so that learners do not load the routes of admins (http.ts). */

/** The path of one notification. */
export const idParams = z.object({ id: notificationIdSchema })

/**
 * The inbox's epoch, last sequence number and unread count when the response was built. Clients use them to compare
 * responses.
 */
const inboxState = { epoch: epochSchema, seq: z.number().int(), unread: z.number().int() }
const strictInboxState = { ...inboxState, epoch: strictEpochSchema }

const inboxPageOf = <Item extends z.ZodType, State extends typeof inboxState | typeof strictInboxState>(
  item: Item,
  state: State,
) => z.object({ success: z.literal(true), notifications: z.array(item), pagination: paginationSchema, ...state })

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  access: 'signed-in',
  summary: "A page of the caller's inbox, newest first. A filter looks at the newest 5,000 notifications",
  query: pageQuerySchema.extend(inboxFilterSchema.shape),
  response: inboxPageOf(inboxItemSchema, inboxState),
  strictResponse: inboxPageOf(strictInboxItemSchema, strictInboxState),
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
  errors: [error.notificationNotFound],
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
  errors: [error.notificationNotFound],
})

export const unreadNotification = defineRoute({
  method: 'PUT',
  path: '/notifications/:id/unread',
  access: 'signed-in',
  summary: 'Mark a notification as unread, to come back to it. Repeating the call changes nothing',
  params: idParams,
  response: readOf(inboxItemSchema, inboxState),
  strictResponse: readOf(strictInboxItemSchema, strictInboxState),
  errors: [error.notificationNotFound, error.tooManyMarkedUnread],
})

export const clickNotification = defineRoute({
  method: 'PUT',
  path: '/notifications/:id/clicked',
  access: 'signed-in',
  summary: 'Record that the caller followed the button of a notification. Repeating the call changes nothing',
  params: idParams,
  response: doneSchema,
  errors: [error.notificationNotFound],
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
  summary: 'Mark all notifications that have arrived so far as read, or those up to a sequence number',
  /** Without an epoch, or in another one than the server's, `upTo` means nothing and all are marked. */
  query: z.object({ upTo: z.coerce.number().int().nonnegative().optional(), epoch: clientEpochSchema }),
  response: doneSchema.extend(inboxState),
  strictResponse: doneSchema.extend(strictInboxState),
})
