import {
  getPushConfig,
  getPushKey,
  type PushClientConfig,
  savePushToken,
} from '@portal/contracts/notifications/push-http'
import { invalidSubscription } from '@portal/contracts/notifications/errors'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { isSubscription, readSubscription } from '@portal/platform/outbound/web-push/subscription'
import type { FastifyInstance } from 'fastify'
import type { RegisterToken } from './register-token.ts'

type DeviceRoutesDeps = {
  readonly bind: BindRoute
  readonly registerToken: RegisterToken
  /** The public key of Web Push. */
  readonly pushKey: string
  /** With it, browsers register at FCM instead. */
  readonly pushClient?: PushClientConfig | undefined
}

export const deviceRoutes = (
  app: FastifyInstance,
  { bind, registerToken, pushKey, pushClient }: DeviceRoutesDeps,
): void => {
  bind(app, savePushToken, async (call) => {
    const { token } = call.body
    if (isSubscription(token) && readSubscription(token) === undefined) return rejected(invalidSubscription)
    const registered = await registerToken(call.session, token, metadataOf(call))
    return registered.ok ? ok({ success: true, message: 'Push token saved' }) : registered
  })
  bind(app, getPushKey, async () =>
    ok({ success: true, provider: pushClient === undefined ? 'web-push' : 'fcm', key: pushKey }),
  )
  bind(app, getPushConfig, async () => ok({ success: true, config: pushClient ?? null }))
}
