import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { firstAdminDecider, firstAdminStreamId } from './decider.ts'

/** Who was chosen as first admin; undefined in a portal that has never been started. */
export const firstAdminId = async (eventStore: Pick<EventStore, 'read'>): Promise<UserId | undefined> => {
  const { state } = await loadState(eventStore, firstAdminDecider, firstAdminStreamId)
  return state.status === 'none' ? undefined : state.details.userId
}
