import { type AuthEvent, authEventSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { OutgoingMessage } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'

/** The bus key, and read-model partition, of an event: that of the e-mail address for what is found by it, else the user's. */
const keyOf = ({ type, data }: AuthEvent): string => {
  switch (type) {
    case 'RegistrationCompleted':
    case 'LoginGranted':
    case 'LoginRevoked':
      return bucketKey(data.emailIndex)
    default:
      return bucketKey(data.userId)
  }
}

export const authMessage = (event: AuthEvent): OutgoingMessage => ({
  topic: 'auth',
  key: keyOf(event),
  type: event.type,
  data: event.data,
})

/** Throws on a message that does not fit its contract. */
export const authEventOf: (message: Pick<Envelope, 'type' | 'data'>) => AuthEvent = storedEventReader(authEventSchema)
