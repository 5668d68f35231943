import type { UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadModels } from '@portal/platform/read-model/read-models'
import { registrationDecider } from '../registration/decider.ts'
import { afterUserEvent } from './after-user-event.ts'
import { userDecider } from './decider.ts'
import type { OpenedProfiles } from './opened-profiles.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly profiles: OpenedProfiles
}

export type Erased = { readonly userId: UserId; readonly emailIndex: string }

export const createErasure = ({ eventStore, readModels, vault, profiles }: Deps) => {
  /** What follows from the record; done again after a crash, as often as it is asked. */
  const carryOut = async ({ userId, emailIndex }: Erased, metadata: EventMetadata): Promise<void> => {
    await vault.erase(userId)
    profiles.forget(userId)
    await handleCommand(
      eventStore,
      registrationDecider,
      emailIndex,
      { type: 'ReleaseEmail', userId },
      {
        eventId: (index) => deterministicEventId('email-released', userId, String(index)),
        metadata,
      },
    )
  }

  return {
    carryOut,

    /** Forgets a user for good: from now on nobody can read what they had entered, and their sessions are over. */
    eraseUser: async (userId: UserId, metadata: EventMetadata = {}): Promise<'erased' | 'no-such-user'> => {
      const handled = await handleCommand(
        eventStore,
        userDecider,
        userId,
        { type: 'EraseUser' },
        {
          eventId: (index) => deterministicEventId('user-erased', userId, String(index)),
          metadata,
        },
      )
      if (!handled.ok) return 'no-such-user'
      const [erased] = handled.value.events
      if (erased?.type === 'UserErased') {
        await carryOut(erased.data, metadata)
        if (handled.value.position !== undefined) await afterUserEvent(readModels, erased, handled.value.position)
      }
      return 'erased'
    },
  }
}
export type Erasure = ReturnType<typeof createErasure>
