import { type AuthEvent, authEventSchema } from '@portal/contracts/auth/events'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { ProjectionRef } from '@portal/platform/read-model/projection-key'

/** Throws if the message does not match its contract. */
export const authEventOf: (message: Pick<Envelope, 'type' | 'data'>) => AuthEvent = storedEventReader(authEventSchema)

/** A projection of auth's own messages. The partition is the message key. */
export type AuthProjection<Type extends AuthEvent['type'] = AuthEvent['type']> = Projection & {
  readonly reads: readonly Type[]
}

type Occurrence<Type extends AuthEvent['type']> = {
  readonly event: Extract<AuthEvent, { type: Type }>
  readonly partition: string
  /** ISO 8601, when the event happened. Differs from the recording time after `make move-log`. */
  readonly at: string
  /** Sorts as text in log order. */
  readonly position: string
}

export const authProjection = <Type extends AuthEvent['type']>(
  ref: ProjectionRef,
  reads: readonly Type[],
  apply: (occurrence: Occurrence<Type>, view: ReadModelView) => Promise<readonly Write[]>,
): AuthProjection<Type> => {
  const types: ReadonlySet<string> = new Set(reads)
  const isRead = (event: AuthEvent): event is Extract<AuthEvent, { type: Type }> => types.has(event.type)
  return {
    ...ref,
    reads,
    topics: ['auth'],
    partitionOf: ({ type, key }) => (types.has(type) ? key : undefined),
    apply: async (envelope, view) => {
      const event = authEventOf(envelope)
      return isRead(event)
        ? apply({ event, partition: envelope.key, at: eventTime(envelope), position: envelope.position }, view)
        : []
    },
  }
}
