import type { UserId } from '@portal/contracts/shared/ids'
import { messagePosition } from '@portal/platform/bus/relay'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { EndEarlierSessions } from '../session/end-earlier-sessions.ts'
import { waitForUserEvent } from '../user/wait-for-user-event.ts'
import { userDecider } from '../user/decider.ts'
import { registrationDecider, type RegistrationState } from './decider.ts'
import type { RegistrationDetails } from './events.ts'

type UserOptions = {
  readonly metadata?: EventMetadata
  /** Default: true. */
  readonly isEmailProved?: boolean
  readonly isForNewStream?: boolean
}

/** Creates the user of a completed registration. A repetition changes nothing. */
export const registerUser = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  details: RegistrationDetails,
  { metadata = {}, isEmailProved: emailVerified = true, isForNewStream = false }: UserOptions = {},
) => {
  const { userId, role, emailIndex, profile, credential } = details
  const command = { type: 'RegisterUser', userId, role, emailIndex, profile, credential, emailVerified } as const
  const handled = await handleCommand(eventStore, userDecider, userId, command, {
    eventId: eventIdsOf('user-registered', userId),
    metadata,
    isForNewStream,
  })
  if (!handled.ok) throw new Error(`failed to create the user of a registration: ${handled.error}`)
  return handled.value
}

/** Creates a user without codes, for use by the portal itself. Repeating it with the same details changes nothing. */
export const registerDirectly = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  details: RegistrationDetails,
): Promise<'registered' | 'address-taken'> => {
  const { emailIndex, userId } = details
  const handled = await handleCommand(
    eventStore,
    registrationDecider,
    emailIndex,
    { type: 'RegisterDirectly', details },
    { eventId: eventIdsOf('registered-directly', userId), isForNewStream: true },
  )
  if (!handled.ok) return 'address-taken'
  await registerUser(eventStore, details, { isForNewStream: true })
  return 'registered'
}

type CompletionDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly endEarlierSessions: EndEarlierSessions
}

type CompletedRegistration = Extract<RegistrationState, { status: 'completed' }>

/**
 * Creates the user of a completed registration. Registration and user are two streams, so a crash can separate them.
 * The request, its repetition and the auth reactor may each run this; it takes effect once.
 */
export const createCompletion = ({ eventStore, readModels, endEarlierSessions }: CompletionDeps) => {
  /** Runs before the new user is registered, so that revoking the former login does not revoke the new one. */
  const releaseFormer = async (userId: UserId | undefined, metadata: EventMetadata) => {
    if (userId === undefined) return undefined
    const handled = await handleCommand(
      eventStore,
      userDecider,
      userId,
      { type: 'ReleaseUserEmail' },
      { eventId: eventIdsOf('user-email-released', userId), metadata },
    )
    return handled.ok ? handled.value : undefined
  }

  const makeUser = async (registration: CompletedRegistration, metadata: EventMetadata) => {
    const released = await releaseFormer(registration.formerUserId, metadata)
    const { details, isEmailProved } = registration
    return { released, registered: await registerUser(eventStore, details, { metadata, isEmailProved }) }
  }

  return {
    /** Creates the user. Waits until they can log in and the former owner of the address cannot. */
    complete: async (registration: CompletedRegistration, metadata: EventMetadata): Promise<void> => {
      const { released, registered } = await makeUser(registration, metadata)
      for (const { events, position } of [released, registered].filter((handled) => handled !== undefined)) {
        const [event] = events
        if (!event || position === undefined) continue
        await waitForUserEvent(readModels, event, position)
        if (event.type !== 'UserEmailReleased') continue
        const endsSessions = { reason: 'email-reclaimed' } as const
        const { userId } = event.data
        await endEarlierSessions({ userId, endsSessions, position: messagePosition(position, 0) }, metadata)
      }
    },

    /** Creates the user of the completed registration if it is missing; for the auth reactor. */
    ensureUser: async (emailIndex: string, metadata: EventMetadata): Promise<void> => {
      const { state } = await loadState(eventStore, registrationDecider, emailIndex)
      if (state.status === 'completed') await makeUser(state, metadata)
    },
  }
}
export type Completion = ReturnType<typeof createCompletion>
