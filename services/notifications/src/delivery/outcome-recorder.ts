import type { Outcome } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { Moment } from './moment.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** So long a write that succeeded shows that the next one will: a busy worker asks nothing. */
const recentMs = 1_000

/**
 * Records outcomes, and knows whether the log takes any. A push whose outcome is not recorded is made again after a crash, so nothing
 * is pushed while the log takes no writes, as with a full disk.
 */
export const createOutcomeRecorder = (eventStore: Pick<EventStore, 'append' | 'check'>, now: () => Moment) => {
  let recordedAtMs = Number.NEGATIVE_INFINITY
  return {
    /** Up to where in the log they are recorded. */
    record: async (notificationId: NotificationId, outcomes: readonly Outcome[]): Promise<Position> => {
      try {
        const position = await recordOutcomes(eventStore, notificationId, outcomes)
        recordedAtMs = now().steadyMs
        return position
      } catch (error) {
        recordedAtMs = Number.NEGATIVE_INFINITY
        throw error
      }
    },
    canRecord: async (): Promise<boolean> => {
      if (now().steadyMs - recordedAtMs < recentMs) return true
      try {
        await eventStore.check()
        return true
      } catch {
        // What is wrong is in the health of the process; the delivery is looked at again.
        return false
      }
    },
  }
}
export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>
