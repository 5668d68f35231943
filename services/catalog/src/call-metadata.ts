import type { EventMetadata } from '@portal/platform/event-store/port'
import type { Session } from '@portal/platform/http/session'
import type { FastifyRequest } from 'fastify'

/** What goes on record about the call that led to a change. */
export const metadataOf = (call: { readonly session: Session; readonly request: FastifyRequest }): EventMetadata => ({
  actorId: call.session.userId,
  correlationId: call.request.id,
})
