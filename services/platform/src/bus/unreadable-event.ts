import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import type { RecordedEvent } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'

const reasonOf = (cause: unknown): string =>
  cause instanceof UnknownEventTypeError
    ? 'is unknown to this release. Run the newer release that recorded it'
    : 'has data that this release cannot read'

/** An event that only another release can read. The message is one line and names the event type. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError'
  readonly isUserFacing = true
  readonly position: string
  constructor(event: { readonly type: string; readonly origin: string; readonly position: string }, cause: unknown) {
    super(`Event type ${event.type} of ${event.origin} at position ${event.position} ${reasonOf(cause)}`, { cause })
    this.position = event.position
  }
}

/** The publishers cannot read a recorded event. */
export const unreadableEvent = ({ type, stream, position }: RecordedEvent, cause: unknown): UnreadableEventError =>
  new UnreadableEventError({ type, position, origin: `category ${categoryOf(stream)}` }, cause)

/** A consumer cannot read a message. */
export const unreadableMessage = ({ type, topic, position }: Envelope, cause: unknown): UnreadableEventError =>
  new UnreadableEventError({ type, position, origin: `topic ${topic}` }, cause)

/** The UnreadableEventError among the error and its causes. */
export const unreadableEventIn = (error: unknown): UnreadableEventError | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnreadableEventError) return cause
  }
  return undefined
}
