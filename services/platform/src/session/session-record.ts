import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { credentialsOf, type Session, type SessionPurpose, type SessionVerifier } from './session.ts'
import type { SessionUse } from './session-uses.ts'

/**
 * What the log has about an open session. 'login': nothing since then. 'unknown': an earlier release recorded the start, and did not record
 * uses. 'not-idle': auth has checked it.
 */
export type RecordedSession = { readonly lastUse: Date | 'login' | 'unknown' | 'not-idle' }

/**
 * Finds an open session; undefined if it has ended. Called for a token that is new to this process, now and then while it is used, and
 * whenever the denylist's read model may have lost data. Rejects if the log or auth is unavailable.
 */
export type SessionRecord = {
  find(session: Pick<Session, 'sessionId' | 'userId'>, token: string): Promise<RecordedSession | undefined>
}

const started = 'SessionStarted'
const used = 'SessionUsed'
const ended = 'SessionEnded'
const erased = 'UserErased'

const startSchema = z.object({ deviceName: z.string() })
const useSchema = z.object({ usedAt: z.iso.datetime() })

/**
 * Reads the session's stream and the user's stream. A session without a recorded start is not open: the log was restored from an older
 * backup.
 */
export const openSessionRecord = (eventStore: Pick<EventStore, 'read'>): SessionRecord => ({
  find: async ({ sessionId, userId }) => {
    let lastUse: RecordedSession['lastUse'] | undefined
    for await (const { type, data } of eventStore.read(streamOf('session', sessionId))) {
      if (type === ended) return undefined
      if (type === started) lastUse = startSchema.safeParse(data).success ? 'login' : 'unknown'
      if (type === used) lastUse = new Date(useSchema.parse(data).usedAt)
    }
    if (lastUse === undefined) return undefined
    for await (const { type } of eventStore.read(streamOf('user', userId))) if (type === erased) return undefined
    return { lastUse }
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

/** Responds with 204 for the Bearer token of an open session, otherwise with 401. A POST says that it is being used. */
export const serveSessionState = (app: FastifyInstance, sessions: SessionVerifier): void => {
  const answerFor = (purpose: SessionPurpose) => async (request: FastifyRequest, reply: FastifyReply) => {
    const credentials = credentialsOf(request)
    const session = credentials?.by === 'bearer' ? await sessions.verify(credentials.token, purpose) : undefined
    return reply
      .header('cache-control', 'no-store')
      .code(session ? open : notOpen)
      .send()
  }
  app.get(sessionStatePath, answerFor('look'))
  app.post(sessionStatePath, answerFor('use'))
}

const ask = async (authUrl: string, token: string, method: 'GET' | 'POST'): Promise<number> => {
  try {
    const response = await fetch(new URL(sessionStatePath, authUrl), {
      method,
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
  find: async (_session, token) => {
    const status = await ask(authUrl, token, 'GET')
    if (status === open) return { lastUse: 'not-idle' }
    if (status === notOpen) return undefined
    throw new SessionRecordUnavailableError(new Error(`auth answered ${status}`))
  },
})

const maxInFlight = 50

/** Tells auth that a session is used, so that auth records it, or that it was idle for too long and ends. Never waits. */
export const createTellAuth = (authUrl: string): ((use: Pick<SessionUse, 'token'>) => void) => {
  const inFlight = new Set<string>()
  return ({ token }) => {
    if (inFlight.has(token) || inFlight.size >= maxInFlight) return
    inFlight.add(token)
    ask(authUrl, token, 'POST')
      // Lost until the next use that is due.
      .catch(() => undefined)
      .finally(() => inFlight.delete(token))
  }
}
