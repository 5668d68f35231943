import { getPushConfig, type PushClientConfig, savePushToken } from '@portal/contracts/notifications/http'
import { ok } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { RegisterToken } from './register-token.ts'

type DeviceRoutesDeps = {
  readonly bind: BindRoute
  readonly registerToken: RegisterToken
  /** Browser configuration for push; undefined without a push provider. */
  readonly pushClient?: PushClientConfig | undefined
}

export const deviceRoutes = (app: FastifyInstance, { bind, registerToken, pushClient }: DeviceRoutesDeps): void => {
  bind(app, savePushToken, async (call) => {
    const registered = await registerToken(call.session, call.body.token, metadataOf(call))
    return registered.ok ? ok({ success: true, message: 'Push token saved' }) : registered
  })
  bind(app, getPushConfig, async () => ok({ success: true, config: pushClient ?? null }))
}
