import { z } from 'zod'
import { requiredIdempotencyHeaders } from '../shared/idempotency.ts'
import { notificationIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import * as error from './errors.ts'
import { audienceBodyLimitBytes, holdNotificationBody, sendErrors, sentSchema } from './http.ts'

const idParams = z.object({ id: notificationIdSchema })

/** A confirmed send that its sender can still take back. */
export const heldSendSchema = z.object({
  notificationId: notificationIdSchema,
  title: z.string(),
  /** The number of recipients. */
  targeted: z.number().int(),
  /** Time until it is sent; negative if it is late. Relative, because clocks differ. */
  dueInMs: z.number(),
})
export type HeldSend = z.infer<typeof heldSendSchema>

export const holdNotification = defineRoute({
  method: 'POST',
  path: '/notifications/held',
  access: 'admin',
  summary: 'Send a notification in 8 s, unless it is taken back. Its recipients are those of now',
  repetition: 'recognized',
  headers: requiredIdempotencyHeaders,
  body: holdNotificationBody,
  bodyLimitBytes: audienceBodyLimitBytes,
  response: heldSendSchema.extend({ success: z.literal(true), leftOut: z.number().int().optional() }),
  errors: sendErrors,
})

export const listHeldNotifications = defineRoute({
  method: 'GET',
  path: '/notifications/held',
  access: 'admin',
  summary: "The caller's held notifications, the next one first. At most 100",
  response: z.object({ success: z.literal(true), held: z.array(heldSendSchema) }),
})

export const sendHeldNotification = defineRoute({
  method: 'POST',
  path: '/notifications/held/:id/send',
  access: 'admin',
  summary: 'Send a held notification now. If it was sent already, the answer is that of the send',
  repetition: 'recognized',
  params: idParams,
  response: sentSchema,
  errors: [error.notificationNotFound, error.takenBack],
})

export const takeBackNotification = defineRoute({
  method: 'DELETE',
  path: '/notifications/held/:id',
  access: 'admin',
  summary: 'Take back a held notification. Nobody gets it. Repeating the call changes nothing',
  repetition: 'recognized',
  params: idParams,
  response: doneSchema,
  errors: [error.notificationNotFound, error.alreadySent],
})
