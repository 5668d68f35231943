import {
  changeScheduledNotification,
  discardScheduledNotification,
  getScheduledNotification,
  listScheduledNotifications,
  sendScheduledNotification,
} from '@portal/contracts/notifications/scheduled-send'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { createAnswerSender } from '../campaign/answer-sender.ts'
import { apiErrorOf, recordedSends, scheduledMessage, sentMessage } from '../campaign/routes.ts'
import type { ChangeScheduled, DiscardScheduled } from './change-scheduled.ts'
import type { PresentScheduled } from './present-scheduled.ts'
import type { SendScheduled } from './send-scheduled.ts'

type ScheduledSendRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly scheduled: PresentScheduled
  readonly change: ChangeScheduled
  readonly discard: DiscardScheduled
  readonly sendScheduled: SendScheduled
  readonly answerSender: ReturnType<typeof createAnswerSender>
}

/** Sends that wait for their time. Each admin can change, send and discard those of all. */
export const scheduledSendRoutes = (app: FastifyInstance, deps: ScheduledSendRoutesDeps): void => {
  const { bind, securityLog, scheduled, change, discard, sendScheduled, answerSender } = deps
  const recorded = recordCalls(bind, securityLog, recordedSends)

  bind(app, listScheduledNotifications, async () => ok({ success: true, scheduled: await scheduled.all() }))

  bind(app, getScheduledNotification, async ({ params }) => {
    const found = await scheduled.one(params.id)
    return found.ok ? ok({ success: true, scheduled: found.value }) : rejected(apiErrorOf(found.error))
  })

  recorded(app, changeScheduledNotification, async (call) => {
    const { id: notificationId } = call.params
    const changed = await change(notificationId, call.body, call.session.userId, metadataOf(call))
    if (!changed.ok) return rejected(apiErrorOf(changed.error))
    const { version, content } = changed.value
    const { sendAt: scheduledFor, targeted } = content
    const message = scheduledMessage(scheduledFor)
    return ok({ success: true, message, notificationId, scheduledFor, version, targeted })
  })

  recorded(app, sendScheduledNotification, async (call) => {
    const { id: notificationId } = call.params
    const metadata = metadataOf(call)
    const sent = await sendScheduled(notificationId, call.body, metadata)
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    const answer = await answerSender(notificationId, sent.value, { isRetryable: true, metadata })
    return ok({ success: true, message: sentMessage(answer.successCount), ...answer })
  })

  recordCalls(bind, securityLog, { event: 'notification-cancelled', methods: writes })(
    app,
    discardScheduledNotification,
    async (call) => {
      const discarded = await discard(call.params.id, call.session.userId, metadataOf(call))
      if (!discarded.ok) return rejected(apiErrorOf(discarded.error))
      return ok({ success: true, message: 'Discarded. Nobody has got it.' })
    },
  )
}
