import type { ApiError } from './handler.ts'
import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { FastifyRequest } from 'fastify'
import { callerOf, type SecurityEvent } from '../security-log/security-log.ts'

/** The route's pattern and not the URL, which can contain tokens. */
const fieldsOf = (request: FastifyRequest) => ({
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url,
})

/** One line per write. Successful reads are not logged. */
export const logWrite = (request: FastifyRequest, startedAtMs: number): void => {
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  request.log.info({ ...fieldsOf(request), durationMs }, 'request done')
}

/** Logs only the code: the message may quote the caller's input. */
export const logApiError = (request: FastifyRequest, { code }: ApiError): void =>
  request.log.info({ ...fieldsOf(request), code }, 'request rejected')

export const logFailure = (request: FastifyRequest, err: unknown): void =>
  request.log.error({ ...fieldsOf(request), err }, 'request failed')

type Kind = Pick<SecurityEvent, 'event' | 'result'>

/** Invalid requests and missing resources are not security events. */
const kinds: Partial<Readonly<Record<ProblemCode, Kind>>> = {
  unauthenticated: { event: 'request-refused', result: 'refused' },
  misdirected: { event: 'request-refused', result: 'refused' },
  forbidden: { event: 'request-refused', result: 'refused' },
  'too-many-requests': { event: 'limit-hit', result: 'refused' },
  internal: { event: 'request-failed', result: 'failed' },
  unavailable: { event: 'request-failed', result: 'failed' },
  'unknown-outcome': { event: 'request-failed', result: 'failed' },
}

/** `detail` becomes the `code` of the security log line. */
export const recordForSecurity = (request: FastifyRequest, code: ProblemCode, detail: string): void => {
  const kind = kinds[code]
  if (kind) request.server.securityLog?.record({ ...kind, code: detail, ...callerOf(request) })
}
