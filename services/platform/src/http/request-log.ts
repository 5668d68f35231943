import type { ApiError } from './handler.ts'
import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { FastifyRequest } from 'fastify'
import { callerOf, type SecurityEvent } from '../security-log/security-log.ts'

/** The route's pattern, not the address: addresses can carry tokens. */
const factsOf = (request: FastifyRequest) => ({
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url,
})

/** Writes have a line each; a read that succeeded is no news. */
export const logWrite = (request: FastifyRequest, startedAtMs: number): void => {
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  request.log.info({ ...factsOf(request), durationMs }, 'request done')
}

/** Its code alone: the message may quote what the caller sent. */
export const logApiError = (request: FastifyRequest, { code }: ApiError): void =>
  request.log.info({ ...factsOf(request), code }, 'request refused')

export const logFailure = (request: FastifyRequest, err: unknown): void =>
  request.log.error({ ...factsOf(request), err }, 'request failed')

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
