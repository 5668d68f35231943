import type { FastifyRequest } from 'fastify'
import type { Caller } from './security-log.ts'

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
