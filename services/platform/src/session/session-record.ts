import type { FastifyInstance } from 'fastify'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { credentialsOf, type Session, type SessionVerifier } from './session.ts'

/**
 * Decides whether a session is open. Called for a token that is new to this process, and whenever the denylist's read model may have
 * lost data. Rejects if the log or auth is unavailable.
 */
export type SessionRecord = {
  isOpen(session: Pick<Session, 'sessionId' | 'userId'>, token: string): Promise<boolean>
}

const started = 'SessionStarted'
const ended = 'SessionEnded'
const erased = 'UserErased'

/**
 * Reads the session's stream and the user's stream. A session without a recorded start is not open: the log was restored from an older
 * backup. Reads only event types, so the format of the data does not matter.
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

/** Served by auth. Gateways do not proxy it. */
export const sessionStatePath = '/.well-known/session'

const timeoutMs = 2_000
const open = 204
const notOpen = 401

/** Transient: a user must not be logged out because auth does not respond. */
class SessionRecordUnavailableError extends Error {
  override readonly name = 'SessionRecordUnavailableError'
  readonly isTransient = true
  constructor(cause: unknown) {
    super('auth does not answer whether a session is open', { cause })
  }
}

/** Responds with 204 for the Bearer token of an open session, otherwise with 401. */
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

/** Asks auth, for a process without an event store. */
export const openRemoteSessionRecord = (authUrl: string): SessionRecord => ({
  isOpen: async (_session, token) => {
    const status = await ask(authUrl, token)
    if (status === open) return true
    if (status === notOpen) return false
    throw new SessionRecordUnavailableError(new Error(`auth answered ${status}`))
  },
})
