import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { SelectAudience } from '../audience/select-audience.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import { type AnswerDeps, createAnswerSender, type SendAnswer } from './answer-sender.ts'
import { createRecordCampaign, type SendRejection } from './record-campaign.ts'
import { campaignContentOf, type SendRequest } from './send-request.ts'

/** How many fewer recipients than the sender was shown. */
export const leftOutOf = (expectedCount: number | undefined, targeted: number): { readonly leftOut?: number } =>
  expectedCount === undefined ? {} : { leftOut: Math.max(0, expectedCount - targeted) }

type SendCampaignDeps = AnswerDeps & {
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  /** Larger campaigns are planned. */
  readonly maxRecipientsPerAppend: number
}

export const createSendCampaign = (deps: SendCampaignDeps) => {
  const recordCampaign = createRecordCampaign(deps)
  const answerSender = createAnswerSender(deps)

  return async (
    request: SendRequest,
    sentBy: UserId,
    idempotencyKey: string | undefined,
    metadata: EventMetadata,
  ): Promise<Result<SendAnswer & { readonly leftOut?: number }, SendRejection>> => {
    const content = campaignContentOf(deps, request, sentBy, idempotencyKey)
    const { notificationId } = content.text
    const recorded = await recordCampaign(request, content, metadata)
    if (!recorded.ok) return recorded
    const isRetryable = content.fingerprint !== undefined
    const answer = await answerSender(notificationId, recorded.value, { isRetryable, metadata })
    const { expectedCount } = request
    return ok({ ...answer, ...leftOutOf(expectedCount, answer.targeted) })
  }
}
export type SendNotification = ReturnType<typeof createSendCampaign>
