import type { FastifyInstance } from 'fastify'
import type { SessionRecord } from './session-record.ts'
import { credentialsOf } from './session.ts'
import type { SessionVerifier } from './session.ts'

/** Served by auth itself. Gateways do not pass it on. */
export const sessionStatePath = '/.well-known/session'

const timeoutMs = 2_000
const open = 204
const notOpen = 401

/** The user must not be logged out because auth does not answer. */
export class SessionRecordUnavailableError extends Error {
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
