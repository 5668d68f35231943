import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { Role } from '@portal/contracts/auth/user'

/** Who is calling. */
export type Session = {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly role: Role
  readonly expiresAt: Date
}

/** Turns a token into its session; undefined when it is malformed, expired, signed with an unknown key or has been ended. */
export type SessionVerifier = { verify(token: string): Promise<Session | undefined> }

/** The cookie that carries the token: httpOnly, SameSite=Lax; over https it has the prefix `__Host-`. */
export const sessionCookie = 'portal_session'
