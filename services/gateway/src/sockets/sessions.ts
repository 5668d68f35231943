import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import { type Connections, type PortalSocket, socketsOf } from './connections.ts'

/** How long an ending is remembered, for a socket whose handshake was under way when it came. */
const keepEndingsMs = 60_000
const maxEndings = 10_000

/**
 * How often an open socket's token is checked again. Endings come over the bus at once; this is for what no event tells,
 * such as a signing key that has been withdrawn.
 */
const recheckMs = 5 * 60_000
/** In one sweep, so that a thousand sockets that came together are not checked together. */
const rechecksPerSweep = 200

type Ending = { readonly reason: string; readonly untilMs: number }

/** Tells the client why, then closes: it does not come back by itself after that. */
const end = (socket: PortalSocket, reason: string): void => {
  socket.emit('session:ended', { reason })
  socket.disconnect(true)
}

type SessionGuardDeps = {
  readonly connections: Connections
  readonly sessions: SessionVerifier
  now(): Date
  readonly logger: Logger
}

/** Closes the sockets of sessions that ended, of users who were erased and of tokens that hold no longer. */
export const createSessionGuard = ({ connections, sessions, now, logger }: SessionGuardDeps) => {
  const endings = new Map<SessionId | UserId, Ending>()

  const keepEnding = (id: SessionId | UserId, reason: string): void => {
    endings.delete(id)
    endings.set(id, { reason, untilMs: now().getTime() + keepEndingsMs })
    for (const [oldest, { untilMs }] of endings) {
      if (untilMs > now().getTime() && endings.size <= maxEndings) return
      endings.delete(oldest)
    }
  }

  const recheck = async (socket: PortalSocket): Promise<void> => {
    try {
      if (!(await sessions.verify(socket.data.token))) end(socket, 'expired')
    } catch (error) {
      logger.error({ err: error }, 'A session could not be checked again; its socket stays until the next time')
    }
  }

  return {
    sessionEnded: (sessionId: SessionId, userId: UserId, reason: string): void => {
      keepEnding(sessionId, reason)
      const user = connections.ofUser(userId)
      if (!user) return
      for (const socket of socketsOf(user)) if (socket.data.session.sessionId === sessionId) end(socket, reason)
    },

    userErased: (userId: UserId): void => {
      keepEnding(userId, 'erased')
      const user = connections.ofUser(userId)
      if (user) for (const socket of socketsOf(user)) end(socket, 'erased')
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
      let rechecks = 0
      for (const user of connections.all()) {
        for (const socket of socketsOf(user)) {
          const { data } = socket
          if (data.session.expiresAt.getTime() <= nowMs) {
            end(socket, 'expired')
          } else if (data.checkedAtMs + recheckMs <= nowMs && rechecks < rechecksPerSweep) {
            rechecks += 1
            data.checkedAtMs = nowMs
            void recheck(socket)
          }
        }
      }
    },
  }
}
export type SessionGuard = ReturnType<typeof createSessionGuard>
