import type { Role } from '@portal/contracts/auth/user'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'

/** What the security log can report. docs/security-log.md explains each one; names never change. */
export const securityEventNames = [
  'log-in',
  'log-out',
  'session-ended',
  'password-reset-requested',
  'password-reset',
  'password-changed',
  'registration-begun',
  'code-sent',
  'code-checked',
  'registration-completed',
  'email-reclaimed',
  'role-changed',
  'request-refused',
  'request-failed',
  'limit-hit',
  'notification-sent',
  'program-changed',
  'university-changed',
  'users-listed',
  'personal-data-unmasked',
  'user-erased',
  'operation-run',
  'socket-refused',
  'socket-closed',
] as const
export type SecurityEventName = (typeof securityEventNames)[number]

/** `refused` is a decision of the portal, `failed` a fault that prevented one. */
export const securityResults = ['ok', 'refused', 'failed'] as const
export type SecurityResult = (typeof securityResults)[number]

/** Where a request came from. `callerOf` makes it. */
export type Caller = {
  /** The IP address, the only personal data that the security log holds. */
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The pattern and not the path, because paths can carry tokens. */
  readonly route?: string | undefined
  readonly userId?: UserId | undefined
  readonly role?: Role | undefined
  readonly sessionId?: SessionId | undefined
  /** The operating system's name of who ran a command. */
  readonly operator?: string | undefined
}

export type SecurityEvent = Caller & {
  readonly event: SecurityEventName
  readonly result: SecurityResult
  /** Why, as a short constant of the code. */
  readonly code?: string | undefined
  /** The keyed index of an email address, never the address itself. */
  readonly mailbox?: string | undefined
  /** The id or name of what was acted on. */
  readonly target?: string | undefined
}

/** Who did what, from where, and with which result: one JSON line each, independent of LOG_LEVEL. */
export type SecurityLog = {
  /** Never throws and never waits. */
  record(event: SecurityEvent): void
  /** Resolves when all lines have been written. */
  close(): Promise<void>
}

export const mostValueChars = 200
