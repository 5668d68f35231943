import {
  holdNotification,
  listHeldNotifications,
  sendHeldNotification,
  takeBackNotification,
} from '@portal/contracts/notifications/held-send'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import { apiErrorOf, recordedSends, sentMessage } from '../campaign/routes.ts'
import { campaignPartition, inboxProjectionRef } from '../read-model.ts'
import type { HeldReader } from './held-list.ts'
import type { HoldCampaign } from './hold-campaign.ts'
import type { SendHeld } from './send-held.ts'
import type { TakeBack } from './take-back.ts'

type HeldSendRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly hold: HoldCampaign
  readonly held: HeldReader
  readonly sendHeld: SendHeld
  readonly takeBack: TakeBack
}

/** Confirmed sends that their sender can still take back. */
export const heldSendRoutes = (app: FastifyInstance, deps: HeldSendRoutesDeps): void => {
  const { bind, securityLog, readModel, hold, held, sendHeld, takeBack } = deps

  recordCalls(bind, securityLog, recordedSends)(app, holdNotification, async (call) => {
    const key = call.headers[idempotencyKeyHeader]
    const result = await hold(call.body, call.session.userId, key, metadataOf(call))
    return result.ok ? ok({ success: true, ...result.value }) : rejected(apiErrorOf(result.error))
  })

  bind(app, listHeldNotifications, async ({ session }) => ok({ success: true, held: await held(session.userId) }))

  bind(app, sendHeldNotification, async (call) => {
    const sent = await sendHeld(call.params.id, metadataOf(call), call.session.userId)
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    return ok({ success: true, message: sentMessage(sent.value.successCount), ...sent.value })
  })

  recordCalls(bind, securityLog, { event: 'notification-cancelled', methods: writes })(
    app,
    takeBackNotification,
    async (call) => {
      const { userId } = call.session
      const request = { notificationId: call.params.id, takenBackBy: userId, sentBy: userId }
      const result = await takeBack(request, metadataOf(call))
      if (!result.ok) return rejected(apiErrorOf(result.error))
      const { position } = result.value
      if (position !== undefined)
        await waitForProjection(readModel, {
          projection: inboxProjectionRef,
          partition: campaignPartition,
          eventPosition: position,
        })
      return ok({ success: true, message: 'Taken back. Nobody has got it.' })
    },
  )
}
