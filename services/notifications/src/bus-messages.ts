import { type AuthEvent, authEventSchema } from '@portal/contracts/auth/events'
import { type NotificationsEvent, notificationsEventSchema } from '@portal/contracts/notifications/events'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { OutgoingMessage } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'

export type NotificationsEventOf<T extends NotificationsEvent['type']> = Extract<NotificationsEvent, { type: T }>

/** What the publishers send on the topic 'notifications'. */
export const notificationsMessage = (key: string, { type, data }: NotificationsEvent): OutgoingMessage => ({
  topic: 'notifications',
  key,
  type,
  data,
})

/** Several consumers get the same envelope where bus and consumers share a process: it is parsed once. */
const parsed = new WeakMap<Envelope, NotificationsEvent>()

const readNotificationsEvent = storedEventReader(notificationsEventSchema)
const readAuthEvent = storedEventReader(authEventSchema)

/** The event of a message of the topic 'notifications'. Throws on one that does not fit its contract. */
export const notificationsEventOf = (envelope: Envelope): NotificationsEvent => {
  const known = parsed.get(envelope)
  if (known) return known
  const event = readNotificationsEvent(envelope)
  parsed.set(envelope, event)
  return event
}

/** The event of a message of the topic 'auth'. Throws on one that does not fit its contract. */
export const authEventOf = (envelope: Envelope): AuthEvent => readAuthEvent(envelope)
