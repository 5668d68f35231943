import type { HeldSend } from '@portal/contracts/notifications/held-send'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { SelectAudience } from '../audience/select-audience.ts'
import { campaignDecider, type CampaignState, earlierDecision, recipientsRejection } from '../campaign/decider.ts'
import { createPlanCampaign } from '../campaign/plan-campaign.ts'
import { contentFor, createSelectUsers, type SendRejection } from '../campaign/record-campaign.ts'
import { leftOutOf } from '../campaign/send-campaign.ts'
import { campaignContentOf, type SendRequest } from '../campaign/send-request.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import { campaignPartition, inboxProjectionRef } from '../read-model.ts'

type HoldCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  /** How long a confirmed send can be taken back. */
  readonly holdMs: number
}

type Held = HeldSend & { readonly leftOut?: number }

/**
 * Records a confirmed send with its recipients. From then on the portal sends it when it is due, whatever happens to the
 * browser that confirmed it. A repeated request changes nothing.
 */
export const createHoldCampaign = (deps: HoldCampaignDeps) => {
  const { eventStore, readModel, clockAndIds, holdMs } = deps
  const selectUsers = createSelectUsers(deps)
  const planCampaign = createPlanCampaign(deps)

  const record = async (
    request: SendRequest,
    content: ReturnType<typeof campaignContentOf>,
    before: LoadedState<CampaignState>,
    metadata: EventMetadata,
  ): Promise<Result<{ readonly state: CampaignState; readonly position: Position | undefined }, SendRejection>> => {
    const repeated = earlierDecision(content, before.state)
    if (repeated) return repeated.ok ? ok({ state: before.state, position: undefined }) : repeated
    const selected = await selectUsers(request)
    if (!selected.ok) return selected
    const { userIds, known } = selected.value
    const rejection = recipientsRejection(userIds, known)
    if (rejection) return rejected(rejection)
    const dueAt = new Date(clockAndIds.now().getTime() + holdMs).toISOString()
    return planCampaign(contentFor(selected.value, content), userIds, before, metadata, dueAt)
  }

  return async (
    request: SendRequest,
    sentBy: UserId,
    idempotencyKey: string,
    metadata: EventMetadata,
  ): Promise<Result<Held, SendRejection>> => {
    const content = campaignContentOf(deps, request, sentBy, idempotencyKey)
    const { notificationId, title } = content.text
    const before = await loadState(eventStore, campaignDecider, notificationId)
    const recorded = await record(request, content, before, metadata)
    if (!recorded.ok) return recorded
    const { state, position } = recorded.value
    // The sender's other tabs read the list once they are told.
    if (position !== undefined)
      await waitForProjection(readModel, {
        projection: inboxProjectionRef,
        partition: campaignPartition,
        eventPosition: position,
      })
    const { targeted } = state.sent ?? state.held ?? { targeted: 0 }
    const dueInMs = state.held && !state.sent ? Date.parse(state.held.dueAt) - clockAndIds.now().getTime() : 0
    return ok({ notificationId, title, targeted, dueInMs, ...leftOutOf(request.expectedCount, targeted) })
  }
}
export type HoldCampaign = ReturnType<typeof createHoldCampaign>
