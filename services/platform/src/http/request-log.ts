import type { FastifyRequest } from 'fastify'
import type { ApiError } from './handler.ts'

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
