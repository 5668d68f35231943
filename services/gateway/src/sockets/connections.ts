import type { ClientToServer, ServerToClient, SocketFeature } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Session } from '@portal/platform/session/session'
import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { InboxVersion } from './ports.ts'

export type PortalServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, Connection>
export type PortalSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, Connection>

/** Data of one socket (`socket.data`). Small, because there are many sockets. */
type Connection = {
  readonly session: Session
  /** The token and the time of its last verification; see sessions.ts. */
  readonly token: string
  checkedAtMs: number
  /** False once the tab reports that it is hidden. */
  visible: boolean
  /** The change kinds that the client accepts besides the first ones. */
  readonly features: readonly SocketFeature[]
  /** The latest `inbox:seen`; undefined before the first. */
  seen: InboxVersion | undefined
  /** Cost of the packets in the current rate window; see client-messages.ts. */
  windowStartMs: number
  windowCost: number
  malformedPackets: number
  /** Closed because of its messages; further packets are ignored. */
  isClosed: boolean
}

/** A response that waits for seen reports of these sockets. */
export type SeenWaiter = {
  readonly notificationId: NotificationId
  readonly pending: Set<PortalSocket>
  readonly seen: Set<PortalSocket>
  finish(): void
}

/** The sockets of one user, and the inbox state sent to them. */
export type UserConnections = {
  readonly userId: UserId
  readonly bucket: string
  /** Members of the user's room. Each has received everything up to `sent`. */
  readonly sockets: Set<PortalSocket>
  /** Connected, but without the initial inbox state. */
  readonly pendingConnections: Set<PortalSocket>
  /** The state after the last message to the room; undefined before the first. */
  sent: InboxVersion | undefined
  /** Responses that wait for these sockets; usually undefined. */
  seenWaiters: Set<SeenWaiter> | undefined
}

/** The users connected to this gateway. */
export type Connections = {
  ofUser(userId: UserId): UserConnections | undefined
  /** Adds a socket to the user's connections. */
  add(userId: UserId, socket: PortalSocket): UserConnections
  /** Removes the socket. Returns the user's connections. */
  remove(userId: UserId, socket: PortalSocket): UserConnections | undefined
  all(): Iterable<UserConnections>
  readonly users: number
  readonly sockets: number
}

/** Whether a socket that has seen `seen` has seen the change numbered `of`. */
export const covers = (seen: InboxVersion | undefined, of: InboxVersion): boolean =>
  seen !== undefined && seen.epoch === of.epoch && seen.seq >= of.seq

export const socketsOf = (user: UserConnections): readonly PortalSocket[] => [
  ...user.sockets,
  ...user.pendingConnections,
]

/** The session token of one of the user's sockets. */
export const tokenOf = (user: UserConnections | undefined): string | undefined => user && socketsOf(user)[0]?.data.token

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
          seenWaiters: undefined,
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
