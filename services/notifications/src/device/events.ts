import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** What is recorded of one push token. Its stream goes by a keyed hash of it; the token itself is sealed. */
export const deviceEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PushTokenRegistered'),
    data: z.object({
      tokenIndex: z.string(),
      userId: userIdSchema,
      sessionId: sessionIdSchema,
      token: encryptedTextSchema,
    }),
  }),
  z.object({
    type: z.literal('PushTokenRemoved'),
    data: z.object({
      tokenIndex: z.string(),
      userId: userIdSchema,
      reason: z.enum(['moved', 'logged-out', 'unregistered', 'superseded']),
    }),
  }),
])
export type DeviceEvent = z.infer<typeof deviceEventSchema>
export type RemovalReason = Extract<DeviceEvent, { type: 'PushTokenRemoved' }>['data']['reason']
