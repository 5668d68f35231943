import { sessionEndReasons } from '@portal/contracts/auth/events'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const sessionEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('SessionStarted'),
    data: z.object({
      sessionId: sessionIdSchema,
      userId: userIdSchema,
      expiresAt: z.iso.datetime(),
      /** Browser and system, from a fixed list of names. Absent in events of earlier releases. */
      deviceName: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('SessionEnded'),
    data: z.object({
      sessionId: sessionIdSchema,
      userId: userIdSchema,
      expiresAt: z.iso.datetime(),
      reason: z.enum(sessionEndReasons),
    }),
  }),
])
export type SessionEvent = z.infer<typeof sessionEventSchema>
