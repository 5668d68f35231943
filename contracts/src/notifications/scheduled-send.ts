import { z } from 'zod'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { audienceSchema } from './audience.ts'
import * as error from './errors.ts'
import {
  audienceBodyLimitBytes,
  campaignTextSchema,
  changeScheduledBody,
  scheduleErrors,
  sendErrors,
  sentSchema,
} from './http.ts'
import { missedReasons } from './send-time.ts'
import { translationSchema } from './translation.ts'

const idParams = z.object({ id: notificationIdSchema })

/** An admin; the name is empty if the account was deleted. */
const adminSchema = z.object({ userId: userIdSchema, fullName: z.string() })

export const scheduledSendSchema = z.object({
  /** It keeps this id when it is sent. */
  notificationId: notificationIdSchema,
  title: z.string(),
  /** The recipients as a sentence, with their number when it was scheduled. They are selected when it is sent. */
  says: z.string(),
  sendAt: z.iso.datetime(),
  /** Time until it is sent. Relative, because clocks differ. */
  dueInMs: z.number(),
  /** Rises with each change. */
  version: z.number().int(),
  scheduledBy: adminSchema,
  /** The admin who changed it last. */
  changedBy: adminSchema.optional(),
  /** Why it was not sent at its time. An admin sends, changes or discards it. */
  missed: z.enum(missedReasons).optional(),
})
export type ScheduledSend = z.infer<typeof scheduledSendSchema>

const scheduledContentSchema = campaignTextSchema.extend({
  translation: translationSchema.optional(),
  userIds: z.array(userIdSchema).optional(),
  /** `contacts` are the present addresses of the users who were named by them. */
  audience: audienceSchema.optional(),
  sendAt: z.iso.datetime(),
  version: z.number().int(),
})
export type ScheduledContent = z.infer<typeof scheduledContentSchema>

export const listScheduledNotifications = defineRoute({
  method: 'GET',
  path: '/notifications/scheduled',
  access: 'admin',
  summary: 'The scheduled notifications of all admins, the next one first. Missed ones come first',
  response: z.object({ success: z.literal(true), scheduled: z.array(scheduledSendSchema) }),
})

export const getScheduledNotification = defineRoute({
  method: 'GET',
  path: '/notifications/scheduled/:id',
  access: 'admin',
  summary: 'What a scheduled notification sends, to whom and when. Not found once it is sent or discarded',
  params: idParams,
  response: z.object({ success: z.literal(true), scheduled: scheduledContentSchema }),
  errors: [error.notificationNotFound],
})

export const changeScheduledNotification = defineRoute({
  method: 'PUT',
  path: '/notifications/scheduled/:id',
  access: 'admin',
  summary:
    'Replace what a scheduled notification sends, to whom and when. Of two changes of one version, the first wins',
  params: idParams,
  body: changeScheduledBody,
  bodyLimitBytes: audienceBodyLimitBytes,
  response: doneSchema.extend({
    notificationId: notificationIdSchema,
    scheduledFor: z.iso.datetime(),
    version: z.number().int(),
    targeted: z.number().int(),
  }),
  errors: [
    ...sendErrors.filter((one) => one !== error.keyUsed && one !== error.takenBack),
    ...scheduleErrors,
    error.notificationNotFound,
    error.changedMeanwhile,
    error.discarded,
    error.alreadySent,
  ],
})

export const sendScheduledNotification = defineRoute({
  method: 'POST',
  path: '/notifications/scheduled/:id/send',
  access: 'admin',
  summary: 'Send a scheduled notification now. If it was sent already, the answer is that of the send',
  repetition: 'recognized',
  params: idParams,
  body: z
    .object({
      /** The version that the admin was shown. Another one is not sent. */
      version: z.number().int().optional(),
    })
    .prefault({}),
  response: sentSchema,
  errors: [
    error.noneSelected,
    error.unknownPrograms,
    error.tooManySelected,
    error.notificationNotFound,
    error.changedMeanwhile,
    error.discarded,
  ],
})

export const discardScheduledNotification = defineRoute({
  method: 'DELETE',
  path: '/notifications/scheduled/:id',
  access: 'admin',
  summary: 'Discard a scheduled notification. Nobody gets it. Repeating the call changes nothing',
  repetition: 'recognized',
  params: idParams,
  response: doneSchema,
  errors: [error.notificationNotFound, error.alreadySent],
})
