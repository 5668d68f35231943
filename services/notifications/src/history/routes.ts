import { notificationNotFound } from '@portal/contracts/notifications/errors'
import { getCampaign, listRecentNotifications } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { InboxReader } from '../inbox/inbox-reader.ts'
import type { ReadCampaignDetail } from './campaign-detail.ts'
import type { History } from './history.ts'

type HistoryRoutesDeps = {
  readonly bind: BindRoute
  readonly inbox: Pick<InboxReader, 'page'>
  readonly history: History
  readonly campaignDetail: ReadCampaignDetail
}

export const historyRoutes = (app: FastifyInstance, deps: HistoryRoutesDeps): void => {
  const { bind, inbox, history, campaignDetail } = deps

  bind(app, listRecentNotifications, async ({ session, query }) => {
    if (session.role === 'admin') return ok({ success: true, ...(await history(query)) })
    // The filter of the history does not apply to an inbox.
    const { page, limit } = query
    const { notifications, pagination } = await inbox.page(session.userId, { page, limit })
    return ok({ success: true, notifications, pagination })
  })

  bind(app, getCampaign, async ({ params }) => {
    const detail = await campaignDetail(params.id)
    return detail ? ok({ success: true, ...detail }) : rejected(notificationNotFound)
  })
}
