import { cancelNotification, recallNotification, resendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { SecurityEventName, SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import { cancelMessage, recallMessage, resendMessage } from './messages.ts'
import type { CancelCampaign } from './cancel-campaign.ts'
import type { RecallCampaign } from './recall-campaign.ts'
import type { ResendNotification } from './resend-campaign.ts'
import { apiErrorOf } from '../campaign/routes.ts'

type ActionRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly cancel: CancelCampaign
  readonly recall: RecallCampaign
  readonly resend: ResendNotification
}

/** What admins do with a campaign after the send. */
export const actionRoutes = (
  app: FastifyInstance,
  { bind, securityLog, cancel, recall, resend }: ActionRoutesDeps,
): void => {
  const recordedAs = (event: SecurityEventName): BindRoute => recordCalls(bind, securityLog, { event, methods: writes })

  recordedAs('notification-cancelled')(app, cancelNotification, async (call) => {
    const { params, body, session } = call
    const request = { notificationId: params.id, requestedBy: session.userId, reason: body.reason }
    const result = await cancel(request, metadataOf(call))
    if (!result.ok) return rejected(apiErrorOf(result.error))
    const { cancelled, alreadySent } = result.value
    return ok({ success: true, message: cancelMessage(result.value), cancelled, alreadySent })
  })

  recordedAs('notification-recalled')(app, recallNotification, async (call) => {
    const { params, body, session } = call
    const request = { notificationId: params.id, requestedBy: session.userId, reason: body.reason }
    const result = await recall(request, metadataOf(call))
    if (!result.ok) return rejected(apiErrorOf(result.error))
    return ok({ success: true, message: recallMessage(result.value), recalled: result.value.recalled })
  })

  recordedAs('notification-resent')(app, resendNotification, async (call) => {
    const { params, body, session, headers } = call
    const request = { notificationId: params.id, requestedBy: session.userId, reason: body.reason }
    const result = await resend(request, headers[idempotencyKeyHeader], metadataOf(call))
    if (!result.ok) return rejected(apiErrorOf(result.error))
    return ok({ success: true, message: resendMessage(result.value), resent: result.value })
  })
}
