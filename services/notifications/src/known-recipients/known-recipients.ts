import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { recipientProjection, recipientRef } from './projection.ts'

/**
 * The sender's user list comes from another projection, which may already have a user that this one lacks. Unknown
 * ids are read again after these pauses before they count as unknown.
 */
const recheckPausesMs = [20, 60, 120]

/** About a millisecond of work. Yields to other requests between batches. */
const batchSize = 500

const maxCachedUsers = 200_000

/** Known users of a bucket, and the projection's position before they were read. */
type CachedBucket = { readonly position: string | undefined; readonly known: Set<UserId> }

export type KnownRecipients = {
  /** Returns the users that exist. */
  find(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>
}

/**
 * Caches known users by bucket until the projection's position there changes: one read of the position replaces
 * thousands of document reads.
 */
export const createKnownRecipients = (
  readModel: Pick<ReadStore, 'getMany'> & Pick<Checkpoints, 'position'>,
): KnownRecipients => {
  const buckets = new LRUCache<string, CachedBucket>({
    maxSize: maxCachedUsers,
    sizeCalculation: ({ known }) => known.size + 1,
  })

  const cachedBucket = async (bucket: string): Promise<CachedBucket> => {
    const position = await readModel.position(recipientProjection.name, bucket)
    const cached = buckets.get(bucket)
    return cached !== undefined && cached.position === position ? cached : { position, known: new Set() }
  }

  /** Adds existing users to `known`; returns the missing ones. */
  const readUsers = async (ids: readonly UserId[], known: Set<UserId>): Promise<readonly UserId[]> => {
    const missing: UserId[] = []
    for (let from = 0; from < ids.length; from += batchSize) {
      if (from > 0) await yieldToEventLoop()
      const some = ids.slice(from, from + batchSize)
      const found = await readModel.getMany(some.map(recipientRef))
      for (const [index, id] of some.entries()) {
        if (found[index] === 'known') known.add(id)
        else if (found[index] === undefined) missing.push(id)
      }
    }
    return missing
  }

  return {
    async find(userIds) {
      // Parsing and deciding about thousands of ids are both slow: yield in between.
      if (userIds.length > batchSize) await nextTurn()
      const byBucket = Map.groupBy(userIds, bucketKey)
      const cached = new Map<string, CachedBucket>()
      for (const bucket of byBucket.keys()) cached.set(bucket, await cachedBucket(bucket))

      const known = new Set<UserId>()
      const unsure: UserId[] = []
      for (const [bucket, ids] of byBucket) {
        const before = cached.get(bucket)?.known
        for (const id of ids) {
          if (before?.has(id)) known.add(id)
          else unsure.push(id)
        }
      }
      let missing = await readUsers(unsure, known)
      for (const pauseMs of recheckPausesMs) {
        if (missing.length === 0) break
        await pause(pauseMs)
        missing = await readUsers(missing, known)
      }
      for (const id of unsure) if (known.has(id)) cached.get(bucketKey(id))?.known.add(id)
      for (const [bucket, entry] of cached) buckets.set(bucket, entry)
      if (userIds.length > batchSize) await nextTurn()
      return known
    },
  }
}
