import type { FastifyInstance } from 'fastify'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { credentialsOf, type Session, type SessionVerifier } from './session.ts'

/**
 * The authority on whether a session is open. Asked for a token that this process has not seen, and again whenever the read model
 * with the ended sessions may have been replaced by an emptied or an older one. Rejects when the authority cannot be reached.
 */
export type SessionRecord = {
  isOpen(session: Pick<Session, 'sessionId' | 'userId'>, token: string): Promise<boolean>
}

const started = 'SessionStarted'
const ended = 'SessionEnded'
const erased = 'UserErased'

/**
 * Reads the session's stream and the user's stream. A session without a recorded start is not open: the log was restored from a
 * copy that is older than the session. Only event types are read, so former shapes of the data do not matter.
 */
export const openSessionRecord = (eventStore: Pick<EventStore, 'read'>): SessionRecord => ({
  isOpen: async ({ sessionId, userId }) => {
    let isStarted = false
    for await (const { type } of eventStore.read(streamOf('session', sessionId))) {
      if (type === ended) return false
      if (type === started) isStarted = true
    }
    if (!isStarted) return false
    for await (const { type } of eventStore.read(streamOf('user', userId))) if (type === erased) return false
    return true
  },
})

/** Served by auth itself. Gateways do not pass it on. */
export const sessionStatePath = '/.well-known/session'

const timeoutMs = 2_000
const open = 204
const notOpen = 401

/** The user must not be logged out because auth does not answer. */
class SessionRecordUnavailableError extends Error {
  override readonly name = 'SessionRecordUnavailableError'
  readonly isTransient = true
  constructor(cause: unknown) {
    super('auth does not answer whether a session is open', { cause })
  }
}

/** Answers 204 for the Bearer token of an open session, otherwise 401. */
export const serveSessionState = (app: FastifyInstance, sessions: SessionVerifier): void => {
  app.get(sessionStatePath, async (request, reply) => {
    const credentials = credentialsOf(request)
    const session = credentials?.by === 'bearer' ? await sessions.verify(credentials.token) : undefined
    return reply
      .header('cache-control', 'no-store')
      .code(session ? open : notOpen)
      .send()
  })
}

const ask = async (authUrl: string, token: string): Promise<number> => {
  try {
    const response = await fetch(new URL(sessionStatePath, authUrl), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw new SessionRecordUnavailableError(error)
  }
}

/** For a process without an event store: asks auth. */
export const openRemoteSessionRecord = (authUrl: string): SessionRecord => ({
  isOpen: async (_session, token) => {
    const status = await ask(authUrl, token)
    if (status === open) return true
    if (status === notOpen) return false
    throw new SessionRecordUnavailableError(new Error(`auth answered ${status}`))
  },
})
