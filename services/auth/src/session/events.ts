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
      /** Not the user's first login, and with a device that the account had not logged in with. */
      isNewDevice: z.literal(true).optional(),
    }),
  }),
  /** Somebody uses the session. Recorded once in two hours at most, or more often if sessions must not be idle for so long. */
  z.object({
    type: z.literal('SessionUsed'),
    data: z.object({ sessionId: sessionIdSchema, userId: userIdSchema, usedAt: z.iso.datetime() }),
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
