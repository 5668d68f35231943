import type { UserId } from '@portal/contracts/shared/ids'
import { breathe } from '@portal/platform/bus/time-slice'
import type { ReadModel } from '@portal/platform/read-model/port'
import { setTimeout as pause } from 'node:timers/promises'
import { recipientRef } from './projection.ts'

/**
 * Somebody who registered a moment ago may be in the list that the sender chose from, which another projection keeps,
 * before this one has heard of them. So an unknown id is looked up again for a short while before it counts as unknown.
 */
const recheckPausesMs = [20, 60, 120]

/** About a millisecond's work; between two of these, other requests have their turn. */
const lookedUpAtOnce = 500

/** Those of the users who exist. */
export const findKnownRecipients = async (
  readModel: Pick<ReadModel, 'getMany'>,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> => {
  const known = new Set<UserId>()
  const lookUp = async (ids: readonly UserId[]): Promise<readonly UserId[]> => {
    const missing: UserId[] = []
    for (let from = 0; from < ids.length; from += lookedUpAtOnce) {
      if (from > 0) await breathe()
      const some = ids.slice(from, from + lookedUpAtOnce)
      const found = await readModel.getMany(some.map(recipientRef))
      for (const [index, id] of some.entries()) {
        if (found[index] === 'known') known.add(id)
        else if (found[index] === undefined) missing.push(id)
      }
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
