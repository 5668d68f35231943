import type { Role } from '@portal/contracts/auth/user'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { FastifyRequest } from 'fastify'
import type { Metrics } from '../observability/metrics/metrics.ts'

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
type SecurityResult = (typeof securityResults)[number]

/** Where a request came from. */
type Caller = {
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

/** Where a request came from, and whose session it carries once that has been checked. */
export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url,
  userId: request.session?.userId,
  role: request.session?.role,
  sessionId: request.session?.sessionId,
})

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

const maxValueChars = 200

/** Not escaped by JSON, but line ends or reordering marks to some terminals and log readers. */
const deceptive = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const bounded = (value: string): string =>
  value.length > maxValueChars ? `${value.slice(0, maxValueChars - 1)}…` : value

/** One line that no value of a caller can break or extend: JSON escapes line ends, and each value is bounded. */
export const securityLine = (time: Date, event: SecurityEvent): string => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, bounded(String(value))] as const],
  )
  const line = JSON.stringify({ time: time.toISOString(), log: 'security', ...Object.fromEntries(values) })
  return `${line.replaceAll(deceptive, escaped)}\n`
}

export type SecurityLogDestination = {
  write(line: string): void
  close(): Promise<void>
}

type SecurityLogOptions = {
  readonly destination: SecurityLogDestination
  readonly now: () => Date
  readonly metrics?: Pick<Metrics, 'securityEvents'>
}

export const createSecurityLog = ({ destination, now, metrics }: SecurityLogOptions): SecurityLog => ({
  record: (event) => {
    metrics?.securityEvents.inc({ event: event.event, result: event.result })
    destination.write(securityLine(now(), event))
  },
  close: () => destination.close(),
})
