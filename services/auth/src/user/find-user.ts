import type { User } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { userDecider } from './decider.ts'
import { type Directory, presentUser } from './directory.ts'
import type { OpenedProfiles } from './opened-profiles.ts'

type Deps = {
  readonly directory: Directory
  readonly eventStore: Pick<EventStore, 'read'>
  readonly profiles: OpenedProfiles
}

/**
 * Undefined for somebody unknown or erased, whose session is over. Since that logs people out, the log has the last word: a
 * directory that is behind, or being built anew, must not.
 */
export const createFindUser =
  ({ directory, eventStore, profiles }: Deps) =>
  async (userId: UserId): Promise<User | undefined> => {
    const listed = await directory.find(userId)
    if (listed) return listed
    const { state } = await loadState(eventStore, userDecider, userId)
    if (state.status !== 'active') return undefined
    const profile = await profiles.open(userId, state.profile)
    return profile && presentUser(userId, state.role, profile)
  }
export type FindUser = ReturnType<typeof createFindUser>
