import type { UserId } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { registrationDecider } from '../registration/decider.ts'
import { userDecider } from '../user/decider.ts'
import { openProfile } from '../user/profile.ts'
import { mobileNumberDecider } from './decider.ts'

type ConfirmNumberDeps = {
  readonly eventStore: EventStore
  readonly vault: Pick<PersonalDataVault, 'decrypt' | 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
}

/** A registration or a correction may take this long from confirming the number to recording it in the profile. */
const inFlightMs = 60_000

/** Returns whether the number may confirm this user. A number that confirmed an account confirms no other. */
export const createConfirmNumber =
  ({ eventStore, vault, clockAndIds }: ConfirmNumberDeps) =>
  async (
    mobileIndex: string,
    { userId, emailIndex }: { readonly userId: UserId; readonly emailIndex: string },
    metadata: EventMetadata,
  ): Promise<boolean> => {
    const now = clockAndIds.now()
    /** An admin has corrected it. */
    const hasOtherNumber = async (owner: UserId): Promise<boolean> => {
      const { state } = await loadState(eventStore, userDecider, owner)
      const profile = state.status === 'active' ? await openProfile(vault, owner, state.profile) : undefined
      return profile !== undefined && vault.index('mobile', profile.mobileNumber) !== mobileIndex
    }
    const abandonedBy = async (): Promise<UserId | undefined> => {
      const { confirmed } = (await loadState(eventStore, mobileNumberDecider, mobileIndex)).state
      if (!confirmed || now.getTime() - Date.parse(confirmed.at) < inFlightMs) return undefined
      const { state } = await loadState(eventStore, registrationDecider, confirmed.emailIndex)
      const hasAccount = state.status === 'completed' && state.details.userId === confirmed.userId
      return hasAccount && !(await hasOtherNumber(confirmed.userId)) ? undefined : confirmed.userId
    }
    const command = { type: 'ConfirmNumber', userId, emailIndex, now, abandonedBy: await abandonedBy() } as const
    const handled = await handleCommand(eventStore, mobileNumberDecider, mobileIndex, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
    return handled.ok
  }
export type ConfirmNumber = ReturnType<typeof createConfirmNumber>
