import type { MissedReason } from '@portal/contracts/notifications/send-time'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { campaignDecider } from '../campaign/decider.ts'

/** It may be changed or sent meanwhile. */
const attempts = 10

/** Leaves a version that was not sent at its time to an admin. Has no effect if one was faster. */
export const missScheduled = async (
  eventStore: Pick<EventStore, 'append' | 'read'>,
  { notificationId, version }: { readonly notificationId: NotificationId; readonly version: number },
  reason: MissedReason,
): Promise<void> => {
  const command = { type: 'MissScheduledSend', notificationId, version, reason } as const
  await handleCommand(eventStore, campaignDecider, notificationId, command, {
    eventId: () => deterministicEventId('missed', notificationId, String(version)),
    maxAttempts: attempts,
  })
}
