import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { setTimeout as sleep } from 'node:timers/promises'
import { type UserConnections, type Connections, covers, type PortalSocket, type SeenWaiter } from './connections.ts'
import type { InboxVersion } from './ports.ts'

/** How long sent notifications are kept for a later `wait`. */
const keepMs = 10_000
/** Maximum number of (notification, user) entries; the oldest notifications are dropped first. */
const maxEntries = 100_000

/** The `seq` with which each connected user received one notification. */
type SentRecord = { readonly untilMs: number; readonly epoch: string; readonly seqs: Map<UserId, number> }

/**
 * Counts the open devices that have shown a notification (`successCount` of a send). Keeps entries
 * briefly, and only for users connected to this gateway.
 */
export const createSeenCounter = (connections: Connections, nowMs: () => number = () => performance.now()) => {
  const records = new Map<NotificationId, SentRecord>()
  let entries = 0

  const drop = (notificationId: NotificationId, record: SentRecord): void => {
    records.delete(notificationId)
    entries -= record.seqs.size
  }
  const makeRoom = (): void => {
    for (const [notificationId, record] of records) {
      if (record.untilMs > nowMs() && entries < maxEntries) return
      drop(notificationId, record)
    }
  }

  const recordOf = (notificationId: NotificationId, epoch: string): SentRecord => {
    const known = records.get(notificationId)
    if (known?.epoch === epoch) return known
    if (known) drop(notificationId, known)
    const record = { untilMs: nowMs() + keepMs, epoch, seqs: new Map() }
    records.set(notificationId, record)
    return record
  }

  const hasSeen = (socket: PortalSocket, notificationId: NotificationId): boolean => {
    const record = records.get(notificationId)
    const seq = record?.seqs.get(socket.data.session.userId)
    return record !== undefined && seq !== undefined && covers(socket.data.seen, { epoch: record.epoch, seq })
  }

  const settle = (wait: SeenWaiter, socket: PortalSocket): void => {
    if (!hasSeen(socket, wait.notificationId)) return
    wait.seen.add(socket)
    if (wait.pending.delete(socket) && wait.pending.size === 0) wait.finish()
  }

  const stopWaitingFor = (wait: SeenWaiter, socket: PortalSocket): void => {
    if (wait.pending.delete(socket) && wait.pending.size === 0) wait.finish()
  }

  const connectedOf = (userIds: readonly UserId[]): readonly UserConnections[] =>
    userIds.flatMap((userId) => connections.ofUser(userId) ?? [])

  const countSeen = (notificationId: NotificationId): number => {
    const received = [...(records.get(notificationId)?.seqs.keys() ?? [])]
    const sockets = connectedOf(received).flatMap((user) => [...user.sockets])
    return sockets.filter((socket) => hasSeen(socket, notificationId)).length
  }

  return {
    /** A notification was emitted to the user's room, as this change of the inbox. */
    sent: (notificationId: NotificationId, user: UserConnections, { epoch, seq }: InboxVersion): void => {
      makeRoom()
      const { seqs } = recordOf(notificationId, epoch)
      if (!seqs.has(user.userId)) entries += 1
      seqs.set(user.userId, seq)
      if (!user.seenWaiters) return
      for (const wait of user.seenWaiters) for (const socket of user.sockets) settle(wait, socket)
    },

    /** The socket's tab has shown everything up to this version. */
    seen: (socket: PortalSocket, upTo: InboxVersion): void => {
      if (covers(socket.data.seen, upTo)) return
      socket.data.seen = upTo
      const waits = connections.ofUser(socket.data.session.userId)?.seenWaiters
      if (waits) for (const wait of waits) settle(wait, socket)
    },

    /** The tab was hidden or the socket closed, so stop waiting for it. */
    socketGone: (socket: PortalSocket, user: UserConnections | undefined): void => {
      if (user?.seenWaiters) for (const wait of user.seenWaiters) stopWaitingFor(wait, socket)
    },

    /**
     * Returns the number of these users' open devices that have shown the notification. Resolves once all have,
     * after `timeoutMs` with the current number, or at once if none is connected. Without users, it counts all
     * devices after `timeoutMs`.
     */
    wait: async (
      notificationId: NotificationId,
      userIds: readonly UserId[] | undefined,
      timeoutMs: number,
    ): Promise<number> => {
      if (userIds === undefined) {
        if (connections.sockets === 0) return 0
        await sleep(timeoutMs)
        return countSeen(notificationId)
      }
      const users = connectedOf(userIds)
      const seen = new Set<PortalSocket>()
      const pending = new Set<PortalSocket>()
      for (const user of users) {
        for (const socket of user.sockets) {
          if (hasSeen(socket, notificationId)) seen.add(socket)
          else if (socket.data.visible) pending.add(socket)
        }
      }
      if (pending.size === 0) return seen.size

      return new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer)
          for (const user of users) {
            user.seenWaiters?.delete(wait)
            if (user.seenWaiters?.size === 0) user.seenWaiters = undefined
          }
          resolve(seen.size)
        }
        const timer = setTimeout(finish, timeoutMs)
        const wait: SeenWaiter = { notificationId, pending, seen, finish }
        for (const user of users) (user.seenWaiters ??= new Set()).add(wait)
      })
    },
  }
}
export type SeenCounter = ReturnType<typeof createSeenCounter>
