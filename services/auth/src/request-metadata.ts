import type { EventMetadata } from '@portal/platform/event-store/port'
import type { Session } from '@portal/platform/http/session'
import type { FastifyRequest } from 'fastify'

/** Which request an event came from, and whose, where that is known. */
export const metadataOf = (call: {
  readonly session?: Session | undefined
  readonly request: Pick<FastifyRequest, 'id'>
}): EventMetadata => ({
  correlationId: call.request.id,
  ...(call.session && { actorId: call.session.userId }),
})
