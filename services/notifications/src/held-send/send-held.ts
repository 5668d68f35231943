import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, Position } from '@portal/platform/event-store/port'
import { type AnswerDeps, createAnswerSender, type SendAnswer } from '../campaign/answer-sender.ts'
import { campaignDecider, type CampaignRejection } from '../campaign/decider.ts'
import { fitsOneAppend } from '../campaign/events.ts'
import { readPlan } from '../distribution/read-plan.ts'

type SendHeldDeps = AnswerDeps & {
  /** Larger campaigns are sent as plans. */
  readonly maxRecipientsPerAppend: number
}

/** Whoever tries: the event ids are the same, so the store records the events once. */
const sendAttempts = 10

/** Sends a held campaign, unless it was sent or taken back. Several processes may try at the same moment. */
export const createSendHeld = (deps: SendHeldDeps) => {
  const { eventStore, maxRecipientsPerAppend } = deps
  const answerSender = createAnswerSender(deps)

  return async (
    notificationId: NotificationId,
    metadata: EventMetadata,
    /** Rejects the send of another admin. */
    sentBy?: UserId,
  ): Promise<Result<SendAnswer, CampaignRejection>> => {
    const plan = await readPlan(eventStore, notificationId, 'CampaignHeld')
    const held = plan?.loaded.state.held
    if (!plan || !held || (sentBy !== undefined && held.sentBy !== sentBy)) return rejected({ reason: 'not-sent' })
    const chunks = fitsOneAppend(held.targeted, held.text, maxRecipientsPerAppend) ? plan.chunks : undefined
    const command = { type: 'SendHeldCampaign', chunks } as const
    const recorded = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: (index) => deterministicEventId('held-sent', notificationId, String(index)),
      known: plan.loaded,
      maxAttempts: sendAttempts,
      metadata,
    })
    if (!recorded.ok) return recorded
    const position: Position | undefined = recorded.value.position
    const userIds = chunks?.flatMap((groups) => groups.flatMap((group) => group.userIds))
    const campaign = { loaded: recorded.value, position, userIds }
    return ok(await answerSender(notificationId, campaign, { isRetryable: true, metadata }))
  }
}
export type SendHeld = ReturnType<typeof createSendHeld>
