import type { EventMetadata } from '../event-store/port.ts'
import type { Session } from '../session/session.ts'

/** What goes on record about the call that led to a change: which it was, and whose, where that is known. */
export const metadataOf = ({
  session,
  request,
}: {
  readonly session?: Session | undefined
  readonly request: { readonly id: string }
}): EventMetadata => ({
  correlationId: request.id,
  ...(session && { actorId: session.userId }),
})
