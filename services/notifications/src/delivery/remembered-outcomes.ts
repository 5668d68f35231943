import type { Outcome } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { LRUCache } from 'lru-cache'

/** Far more than are on their way at a time. */
const most = 100_000

/**
 * What was done and is not known to be recorded: should it come up again, it is recorded again but not pushed again. Holds what is on
 * its way, and forgets it when the inbox or the ledger has it.
 */
export const createRememberedOutcomes = () => {
  const outcomes = new LRUCache<string, Outcome>({ max: most })
  const keyOf = (notificationId: NotificationId, userId: UserId): string => `${notificationId} ${userId}`
  return {
    get: (notificationId: NotificationId, userId: UserId) => outcomes.get(keyOf(notificationId, userId)),
    set: (notificationId: NotificationId, outcome: Outcome): void =>
      void outcomes.set(keyOf(notificationId, outcome.userId), outcome),
    forget: (notificationId: NotificationId, userId: UserId): void =>
      void outcomes.delete(keyOf(notificationId, userId)),
  }
}
export type RememberedOutcomes = ReturnType<typeof createRememberedOutcomes>
