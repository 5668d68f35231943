import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { registerUser } from './completion.ts'
import { registrationDecider } from './decider.ts'
import type { RegistrationDetails } from './events.ts'

export type RegisteredDirectly = 'registered' | 'address-taken'

/** Makes a user without codes, for the portal's own use. Doing it again with the same details changes nothing. */
export const registerDirectly = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  details: RegistrationDetails,
): Promise<RegisteredDirectly> => {
  const { emailIndex, userId } = details
  const handled = await handleCommand(
    eventStore,
    registrationDecider,
    emailIndex,
    { type: 'RegisterDirectly', details },
    {
      eventId: (index) => deterministicEventId('registered-directly', userId, String(index)),
    },
  )
  if (!handled.ok) return 'address-taken'
  await registerUser(eventStore, details)
  return 'registered'
}
