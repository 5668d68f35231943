import type { Role } from '@portal/contracts/auth/user'
import type { ApiKeyId, SessionId, UserId } from '@portal/contracts/shared/ids'
import type { FastifyRequest } from 'fastify'
import { systemTimers, type Timers } from '../async/timers.ts'
import { addressGroup } from '../limits/address-group.ts'
import type { Metrics } from '../observability/metrics/metrics.ts'
import { createMergeRepeats } from './merge-repeats.ts'

/** The events of the security log, with what they say. The names never change. */
export const securityEvents = {
  'log-in': 'a login, accepted or rejected',
  'second-step': 'asked for, done or rejected (passkey-copied: counter fell)',
  'log-out': 'by its user',
  'session-ended': 'otherwise',
  'password-reset-requested': 'a reset link',
  'password-reset': 'its link set a password, or was rejected',
  'password-changed': 'by its user',
  'second-factor-changed': 'by its user',
  'registration-begun': 'done or rejected',
  'code-sent': 'done or rejected',
  'code-checked': 'done or rejected',
  'registration-completed': 'an account exists',
  'email-reclaimed': 'the owner of an address took it back',
  'invitation-sent': 'by an admin, also again',
  'invitation-withdrawn': 'by an admin',
  'invitation-accepted': 'its link made an account, or was rejected',
  'role-changed': 'an account has another role',
  'account-changed': 'an admin changed it, or its owner deleted it',
  'api-key-changed': 'created or revoked',
  'request-refused':
    'no session (unauthenticated), no permission (forbidden), a foreign origin (foreign-origin) or Host (misdirected)',
  'request-failed': 'answered with 5xx',
  'limit-hit': 'answered with 429',
  'notification-sent':
    'sent, or its send was confirmed, scheduled or changed (code: urgent if it goes above preferences, else scheduled)',
  'notification-cancelled': 'an admin stopped pending deliveries, or took back a confirmed send',
  'notification-recalled': 'an admin withdrew it',
  'notification-resent': 'again where the push had failed',
  'program-changed': 'a program, tool or fact was added, changed, removed or restored',
  'learners-changed': 'an admin changed enrollments, payments or invitations of learners',
  'university-changed': 'added, changed or removed',
  'users-listed': 'an admin read users, recipients, a person or an export: a line a minute per session and list',
  'own-data-downloaded': 'by its user',
  'personal-data-unmasked': 'by an operator (make events UNMASK=1)',
  'user-erased': 'key destroyed',
  'operation-run': 'an operator ran a command that changes data or keys; target names it',
  'socket-refused': 'no session, a foreign origin or a limit',
  'socket-closed':
    'a client sent too much; or, with code unidentified and their number as target, connections never identified themselves: at most one line a second',
} as const
export type SecurityEventName = keyof typeof securityEvents

/** `refused`: the portal decided against it. `failed`: an error prevented a decision. */
export const securityResults = ['ok', 'refused', 'failed'] as const
type SecurityResult = (typeof securityResults)[number]

/** The source of a request or command. */
type Caller = {
  /** The IP address, the only personal data that the security log holds. */
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The pattern and not the path, because paths can contain tokens. */
  readonly route?: string | undefined
  readonly userId?: UserId | undefined
  readonly role?: Role | undefined
  readonly sessionId?: SessionId | undefined
  readonly apiKeyId?: ApiKeyId | undefined
  /** The system user who ran a command. */
  readonly operator?: string | undefined
}

/** The source of a request, with its session if that has been verified. */
export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.clientAddress,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url,
  userId: request.session?.userId,
  role: request.session?.role,
  sessionId: request.session?.sessionId,
  apiKeyId: request.session?.apiKeyId,
})

export type SecurityEvent = Caller & {
  readonly event: SecurityEventName
  readonly result: SecurityResult
  /** The reason, a short constant. */
  readonly code?: string | undefined
  /** The keyed index of an email address, never the address itself. */
  readonly mailbox?: string | undefined
  /** The id or name of the affected resource. */
  readonly target?: string | undefined
  /** The number of events that the line represents, if it is not 1. */
  readonly count?: number | undefined
}

/** Writes one JSON line per event, or per window for repeated ones, independent of LOG_LEVEL. */
export type SecurityLog = {
  /** Never throws and never waits. */
  record(event: SecurityEvent): void
  /** Resolves when all lines are written. */
  close(): Promise<void>
}

const maxValueChars = 200

/** Characters that JSON does not escape, but that make some terminals and log viewers break lines or reorder text. */
const deceptive = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const truncated = (value: string): string =>
  value.length > maxValueChars ? `${value.slice(0, maxValueChars - 1)}…` : value

/** No caller can add a line or make one too long: JSON escapes line breaks, and each value is truncated. */
export const securityLine = (time: Date, event: SecurityEvent): string => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, truncated(String(value))] as const],
  )
  const line = JSON.stringify({ time: time.toISOString(), log: 'security', ...Object.fromEntries(values) })
  return `${line.replaceAll(deceptive, escaped)}\n`
}

export type SecurityLogDestination = {
  write(line: string): void
  close(): Promise<void>
}

/** Events that a stranger can cause. */
const strangersEvents: ReadonlySet<SecurityEventName> = new Set([
  'password-reset-requested',
  'registration-begun',
  'code-sent',
  'code-checked',
])

/** Strangers cause attempts, as many as they like. Anything else takes an account or the operator. */
const isAttempt = ({ event, result }: SecurityEvent): boolean => result !== 'ok' || strangersEvents.has(event)

/** Refusals that no limit bounds. Others keep their mailbox or target, which an investigation needs. */
const unlimitedCodes: ReadonlySet<string | undefined> = new Set(['too-many-requests', 'unavailable'])

/** Of somebody who is signed in, each route that was tried tells what was looked for. */
const refusalKey = ({ event, result, code, address = '', mailbox, target, userId, route }: SecurityEvent): string => {
  const about = unlimitedCodes.has(code) ? undefined : (mailbox ?? target)
  const by = userId === undefined ? undefined : `${userId} ${route}`
  return [event, result, code, addressGroup(address), about, by].join(' ')
}

const listingKey = ({ route, sessionId, apiKeyId, target }: SecurityEvent): string =>
  [route, sessionId ?? apiKeyId, target].join(' ')

const kindOfEvent = ({ event, result, code }: SecurityEvent): SecurityEvent => ({ event, result, code })

const refusalWindowMs = 1_000
const listingWindowMs = 60_000
const maxKeys = 1_000

type SecurityLogOptions = {
  readonly destination: SecurityLogDestination
  /** For what strangers cause, so that it cannot push out the rest. */
  readonly attempts?: SecurityLogDestination
  readonly now: () => Date
  readonly timers?: Timers
  readonly metrics?: Pick<Metrics, 'securityEvents'>
}

export const createSecurityLog = (options: SecurityLogOptions): SecurityLog => {
  const { destination, attempts, now, timers = systemTimers, metrics } = options
  const write = (event: SecurityEvent, count = 1): void => {
    const file = isAttempt(event) && attempts ? attempts : destination
    file.write(securityLine(now(), count === 1 ? event : { ...event, count }))
  }
  const merging = { maxKeys, kindOf: kindOfEvent, timers, write }
  const refusals = createMergeRepeats<SecurityEvent>({ ...merging, windowMs: refusalWindowMs })
  const listings = createMergeRepeats<SecurityEvent>({ ...merging, windowMs: listingWindowMs })

  return {
    record: (event) => {
      metrics?.securityEvents.inc({ event: event.event, result: event.result })
      if (event.result !== 'ok') refusals.record(refusalKey(event), event)
      else if (event.event === 'users-listed') listings.record(listingKey(event), event)
      else write(event)
    },
    close: async () => {
      refusals.close()
      listings.close()
      await Promise.all([destination.close(), attempts?.close()])
    },
  }
}
