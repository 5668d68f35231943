import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { isOfCurrentPassword, userDecider } from '../user/decider.ts'
import { firstAdminDecider, firstAdminStreamId } from './decider.ts'

/** Id of the first admin; undefined in a portal that has never been started. */
export const firstAdminId = async (eventStore: Pick<EventStore, 'read'>): Promise<UserId | undefined> => {
  const { state } = await loadState(eventStore, firstAdminDecider, firstAdminStreamId)
  return state.status === 'none' ? undefined : state.details.userId
}

type IsFirstPasswordExpiredDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** Returns whether the user still has the temporary first password after its expiry. */
export const createIsFirstPasswordExpired =
  ({ eventStore, clockAndIds }: IsFirstPasswordExpiredDeps) =>
  async (userId: UserId): Promise<boolean> => {
    const { state: first } = await loadState(eventStore, firstAdminDecider, firstAdminStreamId)
    if (first.status === 'none' || first.details.userId !== userId || first.passwordExpiresAt === undefined)
      return false
    if (clockAndIds.now().getTime() < Date.parse(first.passwordExpiresAt)) return false
    const { state: user } = await loadState(eventStore, userDecider, userId)
    return isOfCurrentPassword(user, first.details.credential)
  }
export type IsFirstPasswordExpired = ReturnType<typeof createIsFirstPasswordExpired>
