import { type AuthEvent, authEventSchema } from '@portal/contracts/auth/events'
import { type CatalogEvent, catalogEventSchema } from '@portal/contracts/catalog/events'
import { type NotificationsEvent, notificationsEventSchema } from '@portal/contracts/notifications/events'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { OutgoingMessage } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'

export type AuthEventOf<T extends AuthEvent['type']> = Extract<AuthEvent, { type: T }>
export type CatalogEventOf<T extends CatalogEvent['type']> = Extract<CatalogEvent, { type: T }>
export type NotificationsEventOf<T extends NotificationsEvent['type']> = Extract<NotificationsEvent, { type: T }>

/** Builds a message for the topic 'notifications'. */
export const notificationsMessage = (key: string, { type, data }: NotificationsEvent): OutgoingMessage => ({
  topic: 'notifications',
  key,
  type,
  data,
})

/** Parsed envelopes. With an in-process bus, several consumers get the same one; it is parsed once. */
const parsed = new WeakMap<Envelope, NotificationsEvent>()

const readNotificationsEvent = storedEventReader(notificationsEventSchema)
const readAuthEvent = storedEventReader(authEventSchema)
const readCatalogEvent = storedEventReader(catalogEventSchema)

/** Parses a message of the topic 'notifications'. Throws if it does not match its schema. */
export const notificationsEventOf = (envelope: Envelope): NotificationsEvent => {
  const known = parsed.get(envelope)
  if (known) return known
  const event = readNotificationsEvent(envelope)
  parsed.set(envelope, event)
  return event
}

/** Parses a message of the topic 'auth'. Throws if it does not match its schema. */
export const authEventOf = (envelope: Envelope): AuthEvent => readAuthEvent(envelope)

/** Parses a message of the topic 'catalog'. Throws if it does not match its schema. */
export const catalogEventOf = (envelope: Envelope): CatalogEvent => readCatalogEvent(envelope)
