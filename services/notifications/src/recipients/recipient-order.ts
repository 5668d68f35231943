import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { matchesWords } from '../audience/indexed-person.ts'
import type { PeopleSnapshot } from '../audience/people-index.ts'

/** Larger than any number of users or recipients, and small enough for `maxRank²` to be a safe integer. */
const maxRank = 2 ** 24
const maxRecipients = 2 ** 24
const itemsPerTurn = 10_000

/** Recipients by name. */
export type RecipientOrder = {
  /** Positions in the order of names. Deleted accounts come last, in the given order. */
  readonly positions: Uint32Array
  /** The place of each recipient in the order of names of all users; `maxRank` if the account was deleted. */
  readonly ranks: Uint32Array
}

export const orderByName = async (
  userIds: readonly UserId[],
  { rankOf }: Pick<PeopleSnapshot, 'rankOf'>,
): Promise<RecipientOrder> => {
  const ranks = new Uint32Array(userIds.length)
  // One number holds both, because a typed array of numbers sorts much faster than objects.
  const keys = new Float64Array(userIds.length)
  for (const [position, userId] of userIds.entries()) {
    if (position % itemsPerTurn === 0) await yieldToEventLoop()
    const rank = Math.min(rankOf(userId), maxRank)
    ranks[position] = rank
    keys[position] = rank * maxRecipients + position
  }
  return { positions: Uint32Array.from(keys.toSorted(), (key) => key % maxRecipients), ranks }
}

/** A user as a search sees them. */
export type SearchedPerson = Parameters<ReturnType<typeof matchesWords>>[0]

/** Whether the user of a rank matches a search. Goes through all users, which is faster than to find each recipient. */
export const searchRanks = async (
  byName: readonly SearchedPerson[],
  q: string,
): Promise<(rank: number | undefined) => boolean> => {
  const matches = matchesWords(q)
  const isMatch = new Uint8Array(byName.length)
  for (const [rank, person] of byName.entries()) {
    if (rank % itemsPerTurn === 0) await yieldToEventLoop()
    if (matches(person)) isMatch[rank] = 1
  }
  return (rank) => rank !== undefined && isMatch[rank] === 1
}
