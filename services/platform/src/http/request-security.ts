import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../security-log/caller-of.ts'
import type { SecurityEvent } from '../security-log/security-log.ts'

type Kind = Pick<SecurityEvent, 'event' | 'result'>

/** Refusals because of invalid or missing things are not security events. */
const kinds: Partial<Readonly<Record<ProblemCode, Kind>>> = {
  unauthenticated: { event: 'request-refused', result: 'refused' },
  misdirected: { event: 'request-refused', result: 'refused' },
  forbidden: { event: 'request-refused', result: 'refused' },
  'too-many-requests': { event: 'limit-hit', result: 'refused' },
  internal: { event: 'request-failed', result: 'failed' },
  unavailable: { event: 'request-failed', result: 'failed' },
  'unknown-outcome': { event: 'request-failed', result: 'failed' },
}

/** `detail` is the code of the line. */
export const recordForSecurity = (request: FastifyRequest, code: ProblemCode, detail: string): void => {
  const kind = kinds[code]
  if (kind) request.server.securityLog?.record({ ...kind, code: detail, ...callerOf(request) })
}
