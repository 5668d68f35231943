import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId, eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { SelectAudience } from '../audience/select-audience.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { SendRejection } from '../campaign/record-campaign.ts'
import type { ScheduledState } from '../campaign/schedule.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import { createScheduledContent, type ScheduleRequest } from './scheduled-content.ts'
import { untilScheduledListed } from './schedule-send.ts'

type ChangeScheduledDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
}

export type ChangeRequest = ScheduleRequest & { readonly version: number }

/** Replaces what is scheduled, unless another admin has changed it since. */
export const createChangeScheduled = (deps: ChangeScheduledDeps) => {
  const { eventStore, readModel, clockAndIds } = deps
  const contentOf = createScheduledContent(deps)

  return async (
    notificationId: NotificationId,
    request: ChangeRequest,
    changedBy: UserId,
    metadata: EventMetadata,
  ): Promise<Result<ScheduledState, SendRejection>> => {
    const { version } = request
    const known = await loadState(eventStore, campaignDecider, notificationId)
    if (!known.state.scheduled) return rejected({ reason: 'not-sent' })
    const content = await contentOf(notificationId, request)
    if (!content.ok) return content
    const nowMs = clockAndIds.now().getTime()
    const command = { type: 'ChangeScheduledSend', ...content.value, changedBy, version, nowMs } as const
    const changed = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      known,
      metadata,
    })
    if (!changed.ok) return changed
    await untilScheduledListed(readModel, changed.value.position)
    const { scheduled } = changed.value.state
    return scheduled ? ok(scheduled) : rejected({ reason: 'not-sent' })
  }
}
export type ChangeScheduled = ReturnType<typeof createChangeScheduled>

/** It may be changed or sent meanwhile. */
const attempts = 10

/** Discards what is scheduled, unless it was sent. Nobody gets it then. */
export const createDiscardScheduled =
  ({ eventStore, readModel }: Pick<ChangeScheduledDeps, 'eventStore' | 'readModel'>) =>
  async (
    notificationId: NotificationId,
    discardedBy: UserId,
    metadata: EventMetadata,
  ): Promise<Result<void, SendRejection>> => {
    const command = { type: 'DiscardScheduledSend', notificationId, discardedBy } as const
    const discarded = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: () => deterministicEventId('discarded', notificationId),
      maxAttempts: attempts,
      metadata,
    })
    if (!discarded.ok) return discarded
    await untilScheduledListed(readModel, discarded.value.position)
    return ok(undefined)
  }
export type DiscardScheduled = ReturnType<typeof createDiscardScheduled>
