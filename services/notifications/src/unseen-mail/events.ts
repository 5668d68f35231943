import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** One event for each e-mail about unread notifications. Its id is that of the e-mail. */
export const unseenMailEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('UnseenMailSent'),
    data: z.object({
      userId: userIdSchema,
      /** The notifications in it that were in no earlier e-mail. */
      notificationIds: z.array(notificationIdSchema),
    }),
  }),
])
export type UnseenMailEvent = z.infer<typeof unseenMailEventSchema>
