import { listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import { ok, rejected } from '@portal/platform/decider/result'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { InboxReader } from '../inbox/inbox-reader.ts'
import type { History } from './history.ts'
import { apiErrorOf } from './api-errors.ts'
import type { SendNotification } from './send-campaign.ts'

type Deps = {
  readonly bind: BindRoute
  readonly inbox: Pick<InboxReader, 'page'>
  readonly history: History
  readonly send: SendNotification
}

export const campaignRoutes = (app: FastifyInstance, { bind, inbox, history, send }: Deps): void => {
  bind(app, sendNotification, async (call) => {
    const sent = await send(call.body, call.session.userId, call.headers[idempotencyKeyHeader], metadataOf(call))
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    const message = `Notification sent successfully to ${sent.value.successCount} devices`
    return ok({ success: true, message, ...sent.value })
  })

  bind(app, listRecentNotifications, async ({ session, query }) => {
    if (session.role === 'admin') return ok({ success: true, ...(await history(query)) })
    const { notifications, pagination } = await inbox.page(session.userId, query)
    return ok({ success: true, notifications, pagination })
  })
}
