import type { PeopleSnapshot } from '../audience/people-index.ts'
import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'

/** Above the number of users and of recipients. Their product is a safe integer. */
const maxRank = 2 ** 24
const maxRecipients = 2 ** 24
const recipientsPerTurn = 10_000

/** Sorts positions 0 to n − 1 by the rank of their users. Users of the same rank keep the given order. */
export const orderByName = async (
  userIds: readonly UserId[],
  { rankOf }: Pick<PeopleSnapshot, 'rankOf'>,
): Promise<Uint32Array> => {
  // One number holds both, because a typed array of numbers sorts much faster than objects.
  const keys = new Float64Array(userIds.length)
  for (const [position, userId] of userIds.entries()) {
    if (position % recipientsPerTurn === 0) await yieldToEventLoop()
    keys[position] = Math.min(rankOf(userId), maxRank) * maxRecipients + position
  }
  return Uint32Array.from(keys.toSorted(), (key) => key % maxRecipients)
}
