import type { ApiError } from './handler.ts'
import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { FastifyRequest } from 'fastify'
import { isOutcomeUnknown, isTransient } from '../errors/error-kinds.ts'
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

/** An engine that is down fails every request. */
const repeatAfterMs = 60_000

/** Logs each unexpected failure, and one a minute of those that an engine causes. The next line counts the ones left out. */
export const createFailureLog = (nowMs = () => performance.now()) => {
  /** By the name of the error. */
  const logged = new Map<string, { readonly atMs: number; leftOut: number }>()

  const leavesOut = (name: string): boolean => {
    const last = logged.get(name)
    if (last === undefined || nowMs() - last.atMs >= repeatAfterMs) return false
    last.leftOut++
    return true
  }
  return (request: FastifyRequest, err: unknown): void => {
    const fields = fieldsOf(request)
    // Each unknown outcome is a caller's own question, answered by its request id.
    if (!isTransient(err) || isOutcomeUnknown(err)) return request.log.error({ ...fields, err }, 'request failed')
    if (leavesOut(err.name)) return request.log.debug({ ...fields, err }, 'request failed')
    const leftOut = logged.get(err.name)?.leftOut ?? 0
    logged.set(err.name, { atMs: nowMs(), leftOut: 0 })
    request.log.error({ ...fields, err, ...(leftOut > 0 && { leftOut }) }, 'request failed')
  }
}

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
