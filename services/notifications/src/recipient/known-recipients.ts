import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { setTimeout as pause } from 'node:timers/promises'
import { recipientRef } from './projection.ts'

/**
 * Somebody who registered a moment ago may be in the list that the sender chose from, which another projection keeps,
 * before this one has heard of them. So an unknown id is looked up again for a short while before it counts as unknown.
 */
const recheckPausesMs = [20, 60, 120]

/** Those of the users who exist. */
export const findKnownRecipients = async (
  readModel: Pick<ReadModel, 'getMany'>,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> => {
  const known = new Set<UserId>()
  const lookUp = async (ids: readonly UserId[]): Promise<readonly UserId[]> => {
    const found = await readModel.getMany(ids.map(recipientRef))
    const missing: UserId[] = []
    for (const [index, id] of ids.entries()) {
      if (found[index] === 'known') known.add(id)
      else if (found[index] === undefined) missing.push(id)
    }
    return missing
  }
  let missing = await lookUp(userIds)
  for (const pauseMs of recheckPausesMs) {
    if (missing.length === 0) break
    await pause(pauseMs)
    missing = await lookUp(missing)
  }
  return known
}
