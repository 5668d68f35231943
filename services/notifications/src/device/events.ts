import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Events of one push token. The stream id is a keyed hash; the token is encrypted. */
export const deviceEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PushTokenRegistered'),
    data: z.object({
      tokenIndex: z.string(),
      userId: userIdSchema,
      sessionId: sessionIdSchema,
      token: encryptedTextSchema,
      /** Browser and system, from a fixed list of names. Absent in events of earlier releases. */
      deviceName: z.string().optional(),
    }),
  }),
  /** The browser uses its token. Recorded once a day at most. */
  z.object({
    type: z.literal('PushTokenUsed'),
    data: z.object({ tokenIndex: z.string(), userId: userIdSchema }),
  }),
  /** The user removed the device. */
  z.object({
    type: z.literal('PushTokenRevoked'),
    data: z.object({ tokenIndex: z.string(), userId: userIdSchema }),
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
