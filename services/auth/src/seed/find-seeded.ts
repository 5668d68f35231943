import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { registrationDecider } from '../registration/decider.ts'
import { userDecider } from '../user/decider.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'index'>
}

/** Whose the addresses are, in their order: without those that belong to nobody, to another role, or to a deleted account. */
export const createFindSeeded = ({ eventStore, vault }: Deps) => {
  const find = async (email: string, role: Role): Promise<UserId | undefined> => {
    const { state } = await loadState(eventStore, registrationDecider, vault.index('email', email))
    if (state.status !== 'completed' || state.details.role !== role) return undefined
    const { userId } = state.details
    const user = await loadState(eventStore, userDecider, userId)
    return user.state.status === 'active' ? userId : undefined
  }

  return async (emails: readonly string[], role: Role): Promise<readonly UserId[]> => {
    const found: UserId[] = []
    for (const email of emails) {
      const userId = await find(email, role)
      if (userId !== undefined) found.push(userId)
    }
    return found
  }
}
export type FindSeeded = ReturnType<typeof createFindSeeded>
