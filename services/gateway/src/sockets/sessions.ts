import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import { type Connections, type PortalSocket, socketsOf } from './connections.ts'

/** Keeps ended sessions for sockets whose handshake was in progress. */
const keepEndingsMs = 60_000
const maxEndings = 10_000

/**
 * Interval for verifying tokens of open sockets again. Session ends arrive over the bus; this covers changes
 * without an event, such as a revoked signing key.
 */
const recheckMs = 5 * 60_000
/** Maximum per sweep, to spread out sockets that connected together. */
const rechecksPerSweep = 200

type Ending = { readonly reason: string; readonly untilMs: number }

/** Sends the reason, then closes. The client does not reconnect by itself. */
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

/** Closes sockets of ended sessions, erased users and invalid tokens. */
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
      if (!(await sessions.verify(socket.data.token, 'look'))) end(socket, 'expired')
    } catch (error) {
      logger.error({ err: error }, 'session could not be verified again, socket stays open until the next check')
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

    /** Disconnects a new socket whose session has ended. Returns whether it did. */
    refuse: (socket: PortalSocket): boolean => {
      const { sessionId, userId } = socket.data.session
      const ending = endings.get(sessionId) ?? endings.get(userId)
      if (!ending) return false
      end(socket, ending.reason)
      return true
    },

    /** Closes expired sockets. The server calls it on one timer for all sockets. */
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
