import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import { type Connections, type PortalSocket, socketsOf } from './connections.ts'

/** How long an ending is remembered, for a socket whose handshake was under way when it came. */
const rememberMs = 60_000
const rememberedEndings = 10_000

type Ending = { readonly reason: string; readonly untilMs: number }

/** Tells the client why, then closes: it does not come back by itself after that. */
const end = (socket: PortalSocket, reason: string): void => {
  socket.emit('session:ended', { reason })
  socket.disconnect(true)
}

/** Closes the sockets of sessions that ended, of users who were erased and of tokens that ran out. */
export const createSessionGuard = (connections: Connections, now: () => Date) => {
  const endings = new Map<SessionId | UserId, Ending>()

  const remember = (id: SessionId | UserId, reason: string): void => {
    endings.delete(id)
    endings.set(id, { reason, untilMs: now().getTime() + rememberMs })
    for (const [oldest, { untilMs }] of endings) {
      if (untilMs > now().getTime() && endings.size <= rememberedEndings) return
      endings.delete(oldest)
    }
  }

  return {
    sessionEnded: (sessionId: SessionId, userId: UserId, reason: string): void => {
      remember(sessionId, reason)
      const channel = connections.channelOf(userId)
      if (!channel) return
      for (const socket of socketsOf(channel)) if (socket.data.session.sessionId === sessionId) end(socket, reason)
    },

    userErased: (userId: UserId): void => {
      remember(userId, 'erased')
      const channel = connections.channelOf(userId)
      if (channel) for (const socket of socketsOf(channel)) end(socket, 'erased')
    },

    /** The reason why a socket that has just come in must go again. */
    refuse: (socket: PortalSocket): boolean => {
      const { sessionId, userId } = socket.data.session
      const ending = endings.get(sessionId) ?? endings.get(userId)
      if (!ending) return false
      end(socket, ending.reason)
      return true
    },

    /** Ends what has run out. Called by the server's one timer, so that sockets need none of their own. */
    sweep: (): void => {
      const nowMs = now().getTime()
      for (const channel of connections.all()) {
        for (const socket of socketsOf(channel)) {
          if (socket.data.session.expiresAt.getTime() <= nowMs) end(socket, 'expired')
        }
      }
    },
  }
}
export type SessionGuard = ReturnType<typeof createSessionGuard>
