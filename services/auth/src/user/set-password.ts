import type { SealedText } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { userDecider } from './decider.ts'

/** Gives a user another credential, on the word of the portal's operator. A repetition with the same one changes nothing. */
export const setPassword = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  userId: UserId,
  credential: SealedText,
): Promise<void> => {
  const handled = await handleCommand(
    eventStore,
    userDecider,
    userId,
    { type: 'SetPassword', credential },
    {
      eventId: (index) => deterministicEventId('password-set', userId, credential, String(index)),
    },
  )
  if (!handled.ok) throw new Error(`A password could not be set: ${handled.error}`)
}
