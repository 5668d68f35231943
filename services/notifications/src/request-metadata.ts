import type { EventMetadata } from '@portal/platform/event-store/port'
import type { Session } from '@portal/platform/http/session'
import type { FastifyRequest } from 'fastify'

/** Whose request an event came from, and which. */
export const metadataOf = (call: { readonly session: Session; readonly request: FastifyRequest }): EventMetadata => ({
  actorId: call.session.userId,
  correlationId: call.request.id,
})
