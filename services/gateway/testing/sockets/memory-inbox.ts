import type { InboxItem } from '@portal/contracts/notifications/notification'
import { type InboxChange, type InboxResumed, resumeLimit } from '@portal/contracts/notifications/socket'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { InboxReader } from '../../src/sockets/ports.ts'

/** An in-memory implementation of the inbox port. `reads` counts the reads. */
export const createMemoryInbox = () => {
  const inboxes = new Map<UserId, InboxChange[]>()
  const at = '2026-11-21T10:00:00.000Z'
  const epochListeners = new Set<() => void>()
  let epoch = 'first'
  let reads = 0
  let held: Promise<void> | undefined
  const changesOf = (userId: UserId): InboxChange[] => {
    const changes = inboxes.get(userId) ?? []
    inboxes.set(userId, changes)
    return changes
  }
  const stateOf = (userId: UserId) => {
    const changes = changesOf(userId)
    const count = (kind: InboxChange['kind']) => changes.filter((change) => change.kind === kind).length
    // Nothing is read in this inbox, so every recall makes one less unread, and a mark as unread changes nothing.
    return { epoch, seq: changes.length, unread: count('arrived') - count('recalled') }
  }

  const reader: InboxReader = {
    head: async (userId) => {
      reads += 1
      return stateOf(userId)
    },
    changesSince: async (userId, since, sinceEpoch): Promise<InboxResumed> => {
      reads += 1
      const changes = changesOf(userId).filter((change) => change.seq > since)
      const state = stateOf(userId)
      const isOtherEpoch = sinceEpoch === undefined ? since > state.seq : sinceEpoch !== state.epoch
      const hold = held
      held = undefined
      await hold
      return isOtherEpoch || changes.length > resumeLimit ? { reset: true, ...state } : { ...state, changes }
    },
    epoch: () => epoch,
    onEpochChange: (listener) => {
      epochListeners.add(listener)
      return () => void epochListeners.delete(listener)
    },
  }

  return {
    reader,
    /** Blocks the next read of changes until the returned function is called. It returns the earlier state. */
    holdNextRead: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    get reads() {
      return reads
    },
    /** Replaces all inboxes by empty ones in another epoch. `isNoticed`: the process is notified at once. */
    renumber: (next: string, { isNoticed }: { readonly isNoticed: boolean }): void => {
      epoch = next
      inboxes.clear()
      if (isNoticed) for (const listener of epochListeners) listener()
    },
    /** Reverts the read model to the first `changes` changes, in the same epoch. */
    revert: (userId: UserId, changes: number): void => void changesOf(userId).splice(changes),
    /** Withdraws a notification from the inbox. */
    recall: (userId: UserId, notificationId: NotificationId): void => {
      const changes = changesOf(userId)
      changes.push({ kind: 'recalled', seq: changes.length + 1, notificationId, withdrawnAt: at })
    },
    markUnread: (userId: UserId, notificationId: NotificationId): void => {
      const changes = changesOf(userId)
      changes.push({ kind: 'unread', seq: changes.length + 1, notificationId })
    },
    arrive: (userId: UserId, notificationId: NotificationId, message: string): number => {
      const changes = changesOf(userId)
      const seq = changes.length + 1
      const notification: InboxItem = {
        _id: notificationId,
        id: notificationId,
        notificationTitle: `Notice ${seq}`,
        title: `Notice ${seq}`,
        notificationType: 'General',
        type: 'General',
        message,
        isRead: false,
        readAt: null,
        deliveredAt: at,
        timestamp: at,
        seq,
      }
      changes.push({ kind: 'arrived', seq, notification })
      return seq
    },
  }
}
