import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { codeLimits } from './code-limits.ts'
import { registrationDecider } from './decider.ts'
import { readUnfinished } from './unfinished.ts'

type ExpireUnfinishedDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly unfinished: Pick<ReadStore, 'range'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/**
 * Ends registrations that were begun a day ago. The event takes them out of the list, and the auth reactor then destroys the keys.
 * Several processes may do it at once.
 */
export const createExpireUnfinished =
  ({ eventStore, unfinished, clockAndIds }: ExpireUnfinishedDeps) =>
  async (signal: AbortSignal): Promise<void> => {
    const now = clockAndIds.now()
    const before = new Date(now.getTime() - codeLimits.unfinishedMs)
    for (const bucket of allBucketKeys) {
      for (const { userId, emailIndex } of await readUnfinished(unfinished, bucket, before)) {
        if (signal.aborted) return
        const command = { type: 'ExpireRegistration', userId, emailIndex, now } as const
        const eventId = eventIdsOf('registration-expired', userId)
        await handleCommand(eventStore, registrationDecider, emailIndex, command, { eventId })
      }
    }
  }
