import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type ActiveUser, userDecider } from '../user/decider.ts'
import { openProfile, type Profile } from '../user/profile.ts'

export type Account = { readonly user: ActiveUser; readonly profile: Profile }

type LoadAccountDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
}

/** The account as its stream has it. Undefined for an unknown or erased person, and for one who lost their address to its owner. */
export const createLoadAccount =
  ({ eventStore, vault }: LoadAccountDeps) =>
  async (userId: UserId): Promise<Account | undefined> => {
    const { state: user } = await loadState(eventStore, userDecider, userId)
    if (user.status !== 'active') return undefined
    const profile = await openProfile(vault, userId, user.profile)
    return profile && { user, profile }
  }
export type LoadAccount = ReturnType<typeof createLoadAccount>
