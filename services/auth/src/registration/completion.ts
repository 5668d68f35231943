import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/read-model/read-models'
import { afterUserEvent } from '../user/after-user-event.ts'
import { userDecider } from '../user/decider.ts'
import { registrationDecider } from './decider.ts'
import type { RegistrationDetails } from './events.ts'

/** Makes the user of a completed registration. Doing it again changes nothing. */
export const registerUser = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  details: RegistrationDetails,
  metadata: EventMetadata = {},
) => {
  const { userId, role, emailIndex, profile, credential } = details
  const command = { type: 'RegisterUser', userId, role, emailIndex, profile, credential } as const
  const handled = await handleCommand(eventStore, userDecider, userId, command, {
    eventId: (index) => deterministicEventId('user-registered', userId, String(index)),
    metadata,
  })
  if (!handled.ok) throw new Error(`The user of a registration was refused: ${handled.error}`)
  return handled.value
}

type Deps = { readonly eventStore: EventStore; readonly readModels: Pick<ReadModels, 'of'> }

/**
 * The second half of a registration: a completed one becomes a user. Each half is one stream, so a crash can come between
 * them; the request that completed it, a repetition of it and the follow-up on the bus may all do this, and it happens once.
 */
export const createCompletion = ({ eventStore, readModels }: Deps) => {
  const registerHere = (details: RegistrationDetails, metadata: EventMetadata = {}) =>
    registerUser(eventStore, details, metadata)

  return {
    registerUser: registerHere,

    /** Makes the user, and waits until they can log in. */
    complete: async (details: RegistrationDetails, metadata: EventMetadata): Promise<void> => {
      const { events, position } = await registerHere(details, metadata)
      const [registered] = events
      if (registered && position !== undefined) await afterUserEvent(readModels, registered, position)
    },

    /** For the follow-up: makes the user of the address's registration unless that was done. */
    followUp: async (emailIndex: string, metadata: EventMetadata): Promise<void> => {
      const { state } = await loadState(eventStore, registrationDecider, emailIndex)
      if (state.status === 'completed') await registerHere(state.details, metadata)
    },
  }
}
export type Completion = ReturnType<typeof createCompletion>
