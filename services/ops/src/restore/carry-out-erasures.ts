import { eraseInLog } from '@portal/auth/user/erasure'
import { userIdSchema } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

type Store = { readonly eventStore: EventStore; readonly vault: PersonalDataVault }

/** Erases these users in a store that nothing is served from. Answers how many of them the log had as users; twice is the same as once. */
export const carryOutErasures = async (
  store: Store,
  userIds: Iterable<string>,
  signal: AbortSignal,
): Promise<number> => {
  let erased = 0
  for (const userId of userIds) {
    signal.throwIfAborted()
    if ((await eraseInLog(store, userIdSchema.parse(userId))) === 'erased') erased += 1
  }
  return erased
}
