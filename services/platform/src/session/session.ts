import type { FastifyRequest } from 'fastify'
import type { Role } from '@portal/contracts/auth/user'
import type { ApiKeyId, SessionId, UserId } from '@portal/contracts/shared/ids'
import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import { readCookie, readHostCookie, sessionCookie } from './cookies.ts'

/** The verified session of a caller. */
export type Session = {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly role: Role
  readonly expiresAt: Date
}

/** A program with an API key. It acts in the name of the admin who created the key. */
export type ApiKeyCaller = {
  readonly userId: UserId
  readonly role: 'admin'
  readonly apiKeyId: ApiKeyId
  readonly rights: readonly ApiKeyRight[]
  readonly sessionId?: undefined
}

/** Who makes a request. */
export type RequestCaller = (Session & { readonly apiKeyId?: undefined }) | ApiKeyCaller

/** 'use': somebody uses the session now. 'look': a program only wants to know whether it is open. */
export type SessionPurpose = 'use' | 'look'

/** Returns the session of a token; undefined if it is malformed, expired, ended, idle or signed with an unknown key. */
export type SessionVerifier = {
  /** A use if `purpose` is absent. */
  verify(token: string, purpose?: SessionPurpose): Promise<Session | undefined>
}

/** How a request authenticates. A Bearer token takes precedence over the cookie. */
export type Credentials = { readonly token: string; readonly by: 'bearer' | 'cookie' }

const bearerTokenOf = (authorization: string): string | undefined => {
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return authorization.slice(7).trim() || undefined
}

/** Over https, only the cookie counts that nobody else can set. */
export const credentialsOf = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  isHttps = false,
): Credentials | undefined => {
  if (headers.authorization !== undefined) {
    const token = bearerTokenOf(headers.authorization)
    if (token !== undefined) return { token, by: 'bearer' }
  }
  const token = (isHttps ? readHostCookie : readCookie)(headers.cookie, sessionCookie)
  return token === undefined ? undefined : { token, by: 'cookie' }
}
