import { notificationNotFound, userNotFound } from '@portal/contracts/notifications/errors'
import { getCampaign, getPerson } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { ReadCampaignDetail } from './campaign-detail.ts'
import type { ReadPersonDeliveries } from './person-deliveries.ts'

type Deps = {
  readonly bind: BindRoute
  readonly campaignDetail: ReadCampaignDetail
  readonly personDeliveries: ReadPersonDeliveries
}

/** One campaign, and one person. */
export const detailRoutes = (app: FastifyInstance, { bind, campaignDetail, personDeliveries }: Deps): void => {
  bind(app, getCampaign, async ({ params }) => {
    const detail = await campaignDetail(params.id)
    return detail ? ok({ success: true, ...detail }) : rejected(notificationNotFound)
  })

  bind(app, getPerson, async ({ params }) => {
    const found = await personDeliveries(params.userId)
    return found ? ok({ success: true, ...found }) : rejected(userNotFound)
  })
}
