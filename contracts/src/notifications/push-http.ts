import { z } from 'zod'
import { limits, requiredText } from '../shared/rules.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import * as error from './errors.ts'

/** Routes with which browsers register for push. A module of its own, because the first screen does not need them. */

export const savePushToken = defineRoute({
  method: 'POST',
  path: '/notifications/token',
  access: 'signed-in',
  summary: 'Register this device for push. Moves a token of another user to the caller. At most 30 new tokens an hour',
  /** A token of FCM, or a subscription to Web Push: `webpush:` and base64url of its JSON. */
  body: z.object({ token: requiredText('token', limits.pushTokenChars) }),
  response: doneSchema.extend({
    /** The user has removed this device in this session, so the token is not used. Another one is accepted. */
    isRemoved: z.literal(true).optional(),
  }),
  errors: [error.invalidSubscription, error.tooManyTokens('15 minutes')],
})

export const getPushKey = defineRoute({
  method: 'GET',
  path: '/notifications/push-key',
  access: 'signed-in',
  summary: 'The provider with which browsers register, and the public key of Web Push',
  response: z.object({ success: z.literal(true), provider: z.enum(['web-push', 'fcm']), key: z.string() }),
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
  summary: 'How browsers register at FCM; null without it',
  response: z.object({ success: z.literal(true), config: pushClientConfigSchema.nullable() }),
})
