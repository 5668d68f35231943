import { getActivity } from '@portal/contracts/notifications/http'
import { ok } from '@portal/platform/decider/result'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { ActivityReader } from './activity-reader.ts'

type Deps = { readonly bind: BindRoute; readonly activity: ActivityReader }

export const activityRoutes = (app: FastifyInstance, { bind, activity }: Deps): void => {
  bind(app, getActivity, async ({ query }) => ok({ success: true, days: await activity(query.days) }))
}
