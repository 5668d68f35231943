import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const sessionEndReasons = ['logged-out', 'password-changed', 'password-reset', 'erased'] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

export const sessionEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('SessionStarted'),
    data: z.object({ sessionId: sessionIdSchema, userId: userIdSchema, expiresAt: z.iso.datetime() }),
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
