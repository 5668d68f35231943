import { getPushConfig, type PushClientConfig, savePushToken } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/result'
import { metadataOf } from '@portal/platform/http/call-metadata'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { refusals } from '../refusals.ts'
import type { Devices } from './devices.ts'

type Deps = {
  readonly bind: BindRoute
  readonly devices: Pick<Devices, 'register'>
  /** How browsers register for push; nothing where the portal has no push provider. */
  readonly pushClient?: PushClientConfig | undefined
}

export const deviceRoutes = (app: FastifyInstance, { bind, devices, pushClient }: Deps): void => {
  bind(app, savePushToken, async (call) => {
    const isApplied = await devices.register(call.session, call.body.token, metadataOf(call))
    return isApplied ? ok({ success: true, message: 'Push token saved' }) : rejected(refusals.behind)
  })
  bind(app, getPushConfig, async () => ok({ success: true, config: pushClient ?? null }))
}
