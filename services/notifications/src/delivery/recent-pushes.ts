import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { put } from '../read-model.ts'
import { attemptKey } from './attempts.ts'

/** A window in which a user gets a limited number of pushes. */
export const pushWindow = { pushes: 5, lengthMs: 10 * 60_000 } as const

const recentPushesSchema = z.array(z.object({ key: z.string(), at: z.string() })).default([])

const recentPushesRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'recent-pushes',
  key: userId,
})

/** A push: its key is the summary's id, or the attempt key of the notification that it carried. */
export type RecentPush = z.infer<typeof recentPushesSchema>[number]

/** The newest recorded pushes to each user, at most `pushWindow.pushes`. */
export const readRecentPushes = async (
  pendingDeliveries: Pick<ReadStore, 'getMany'>,
  userIds: readonly UserId[],
): Promise<readonly (readonly RecentPush[])[]> =>
  (await pendingDeliveries.getMany(userIds.map(recentPushesRef))).map((document) => recentPushesSchema.parse(document))

export const countPushes = async (
  outcomes: readonly DeliveryOutcome[],
  notificationId: NotificationId,
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const pushed = outcomes.filter(({ state }) => state === 'pushed')
  if (pushed.length === 0) return []
  const known = await view.getMany(pushed.map(({ userId }) => recentPushesRef(userId)))
  return pushed.map(({ userId, attempt = 1, summaryId }, index) => {
    const key = summaryId ?? attemptKey({ notificationId, attempt })
    const others = recentPushesSchema.parse(known[index]).filter((push) => push.key !== key)
    return put(recentPushesRef(userId), [...others, { key, at }].slice(-pushWindow.pushes))
  })
}

/** Far more users than get pushes within the window. */
const maxUsers = 100_000

/**
 * Says when the next push to a user fits into the window. Counts recorded pushes, and those of this process that are not
 * projected yet. Times are on the system clock, in milliseconds since 1970.
 */
export const createPushWindow = (pendingDeliveries: Pick<ReadStore, 'getMany'>) => {
  const started = boundedCache<UserId, readonly RecentPush[]>(maxUsers)

  /** Pushes with a time after `wallMs` are from before the clock was set back. */
  const inWindow = (pushes: readonly RecentPush[], wallMs: number): readonly RecentPush[] =>
    pushes.filter(({ at }) => {
      const atMs = Date.parse(at)
      return atMs > wallMs - pushWindow.lengthMs && atMs <= wallMs + pushWindow.lengthMs
    })

  return {
    /** Reads the recorded pushes. The returned function gives the time of the next push; undefined for now. */
    of: async (
      userIds: readonly UserId[],
      wallMs: number,
    ): Promise<(userId: UserId, key: string) => number | undefined> => {
      const recorded = await readRecentPushes(pendingDeliveries, userIds)
      const byUser = new Map(userIds.map((userId, index) => [userId, recorded[index] ?? []]))
      return (userId, key) => {
        const all = [...(byUser.get(userId) ?? []), ...(started.get(userId) ?? [])]
        const pushes = [...new Map(inWindow(all, wallMs).map((push) => [push.key, push])).values()]
        // A repetition of a push replaces it on the device.
        if (pushes.length < pushWindow.pushes || pushes.some((push) => push.key === key)) return undefined
        const [oldest] = pushes
          .map(({ at }) => Date.parse(at))
          .toSorted((a, b) => a - b)
          .slice(-pushWindow.pushes)
        return oldest === undefined ? undefined : oldest + pushWindow.lengthMs
      }
    },
    /** A push to the user starts. */
    start: (userId: UserId, key: string, wallMs: number): void => {
      const at = new Date(wallMs).toISOString()
      const others = inWindow(started.get(userId) ?? [], wallMs).filter((push) => push.key !== key)
      started.set(userId, [...others, { key, at }].slice(-pushWindow.pushes))
    },
  }
}
export type PushWindow = ReturnType<typeof createPushWindow>
