import type { UserId } from '@portal/contracts/shared/ids'

/** What open tabs have shown: for each user, everything up to `seq` in the numbering of `epoch`. */
export type Seen = readonly (readonly [userId: UserId, seq: number, epoch: string])[]

/**
 * Those who have the sockets, where that is other processes: asked before anything is pushed, because what they tell by
 * themselves can get lost on the way. Not every one of them may answer.
 */
export type SeenSource = {
  upTo(userIds: readonly UserId[]): Promise<Seen>
  /** What they have heard of late, for a process that has just started. */
  latest(): Promise<Seen>
}

/** Where the sockets are in this process: it has told everything there is. */
export const toldEverything: SeenSource = { upTo: async () => [], latest: async () => [] }
