import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { SelectAudience } from '../audience/select-audience.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { SendRejection } from '../campaign/record-campaign.ts'
import type { ScheduleNotification } from '../campaign/routes.ts'
import { earlierSchedule, type ScheduledState } from '../campaign/schedule.ts'
import { leftOutOf } from '../campaign/send-campaign.ts'
import { campaignContentOf } from '../campaign/send-request.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import { campaignPartition, inboxProjectionRef } from '../read-model.ts'
import { createScheduledContent, type ScheduleRequest } from './scheduled-content.ts'
import { readScheduled } from './scheduled-list.ts'

type ScheduleSendDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly readModel: Pick<ReadStore, 'range'> & Pick<Checkpoints, 'whenApplied'>
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
}

/** Of a request without an Idempotency-Key, which is never repeated. */
const noFingerprint = 'scheduled'

export const untilScheduledListed = async (
  readModel: Pick<Checkpoints, 'whenApplied'>,
  position: Position | undefined,
): Promise<void> => {
  if (position === undefined) return
  const awaited = { projection: inboxProjectionRef, partition: campaignPartition, eventPosition: position }
  await waitForProjection(readModel, awaited)
}

/** Records a send for later. Its recipients are selected when it is sent. */
export const createScheduleSend = (deps: ScheduleSendDeps): ScheduleNotification => {
  const { eventStore, readModel, clockAndIds } = deps
  const contentOf = createScheduledContent(deps)
  const runExclusive = createKeyedMutex()

  const record = async (
    request: ScheduleRequest,
    campaign: ReturnType<typeof campaignContentOf>,
    metadata: EventMetadata,
  ): Promise<Result<ScheduledState | undefined, SendRejection>> => {
    const { text, sentBy, fingerprint = noFingerprint } = campaign
    const { notificationId } = text
    const known = await loadState(eventStore, campaignDecider, notificationId)
    const earlier = earlierSchedule(fingerprint, known.state)
    if (earlier) return earlier.ok ? ok(known.state.scheduled) : earlier
    const content = await contentOf(notificationId, request)
    if (!content.ok) return content
    if ((await readScheduled(readModel)).length >= scheduleLimits.sends)
      return rejected({ reason: 'too-many-scheduled' })
    const nowMs = clockAndIds.now().getTime()
    const command = { type: 'ScheduleSend', ...content.value, sentBy, fingerprint, nowMs } as const
    const recorded = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: () => deterministicEventId('scheduled', notificationId, fingerprint),
      known,
      metadata,
    })
    if (!recorded.ok) return recorded
    await untilScheduledListed(readModel, recorded.value.position)
    return ok(recorded.value.state.scheduled)
  }

  return async (request, sentBy, idempotencyKey, metadata) => {
    const campaign = campaignContentOf(deps, request, sentBy, idempotencyKey)
    // One after the other, so that each counts those before it.
    const recorded = await runExclusive('schedule', () => record(request, campaign, metadata))
    if (!recorded.ok) return recorded
    const { targeted = 0, sendAt: scheduledFor = request.sendAt } = recorded.value?.first ?? {}
    const { notificationId } = campaign.text
    return ok({ notificationId, targeted, scheduledFor, ...leftOutOf(request.expectedCount, targeted) })
  }
}
