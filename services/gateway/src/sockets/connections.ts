import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Session } from '@portal/platform/session/session'
import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { InboxVersion } from './ports.ts'

export type PortalServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, Connection>
export type PortalSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, Connection>

/** What is kept for one socket, as `socket.data`. Small on purpose: there are many, and handlers are shared. */
export type Connection = {
  readonly session: Session
  /** What the session was verified from, and when; see sessions.ts. */
  readonly token: string
  checkedAtMs: number
  /** False from the moment the tab says that it is hidden. */
  visible: boolean
  /** The latest `inbox:seen`; undefined before the first. */
  seen: InboxVersion | undefined
  /** Cost of the packets in the current rate window; see client-messages.ts. */
  windowStartMs: number
  windowCost: number
  malformedPackets: number
  /** It was closed because of what it sent; the rest of that is ignored. */
  isClosed: boolean
}

/** One answer that waits for the sockets it was sent to. */
export type ReceiptWaiter = {
  readonly notificationId: NotificationId
  readonly pending: Set<PortalSocket>
  readonly seen: Set<PortalSocket>
  finish(): void
}

/** The sockets of one user and what they have been told together. */
export type UserConnections = {
  readonly userId: UserId
  readonly bucket: string
  /** In the user's room: each has received everything up to `sent`. */
  readonly sockets: Set<PortalSocket>
  /** Connected, but not told yet where the inbox stands. */
  readonly pendingConnections: Set<PortalSocket>
  /** The state that the last message to the room led to; undefined before the first. */
  sent: InboxVersion | undefined
  /** Sends whose answer waits for these sockets; undefined, mostly. */
  receiptWaiters: Set<ReceiptWaiter> | undefined
}

/** Who is connected here. */
export type Connections = {
  ofUser(userId: UserId): UserConnections | undefined
  /** The user's channel, made if this is the first socket. */
  add(userId: UserId, socket: PortalSocket): UserConnections
  /** Returns the channel that the socket was in. */
  remove(userId: UserId, socket: PortalSocket): UserConnections | undefined
  all(): Iterable<UserConnections>
  readonly users: number
  readonly sockets: number
}

/** Whether a socket that has seen `seen` has seen what was numbered `of`. */
export const covers = (seen: InboxVersion | undefined, of: InboxVersion): boolean =>
  seen !== undefined && seen.epoch === of.epoch && seen.seq >= of.seq

export const socketsOf = (user: UserConnections): readonly PortalSocket[] => [
  ...user.sockets,
  ...user.pendingConnections,
]

export const createConnections = (): Connections => {
  const users = new Map<UserId, UserConnections>()
  let sockets = 0

  return {
    ofUser: (userId) => users.get(userId),
    add: (userId, socket) => {
      let user = users.get(userId)
      if (!user) {
        user = {
          userId,
          bucket: bucketKey(userId),
          sockets: new Set(),
          pendingConnections: new Set(),
          sent: undefined,
          receiptWaiters: undefined,
        }
        users.set(userId, user)
      }
      user.pendingConnections.add(socket)
      sockets += 1
      return user
    },
    remove: (userId, socket) => {
      const user = users.get(userId)
      if (!user) return undefined
      if (user.sockets.delete(socket) || user.pendingConnections.delete(socket)) sockets -= 1
      if (user.sockets.size + user.pendingConnections.size === 0) users.delete(userId)
      return user
    },
    all: () => users.values(),
    get users() {
      return users.size
    },
    get sockets() {
      return sockets
    },
  }
}
