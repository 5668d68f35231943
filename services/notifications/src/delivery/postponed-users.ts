import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'

/** Users whose pushes wait: the part of the pending deliveries that is ordered by user and time. */

/** Members are user ids, scores say when they are due. */
const postponedList = 'postponed'

const postponedSchema = z.object({
  /** ISO 8601. */
  until: z.string(),
  /** Attempt keys of what waits for the user. */
  attempts: z.array(z.string()),
})

/** A user whose pushes wait. */
export type PostponedUser = z.infer<typeof postponedSchema> & { readonly userId: UserId; readonly dueAtMs: number }

/**
 * Users become due within half a minute after `until`, because many have quiet hours that end at the same time. The time
 * depends on the user, so that users who cannot be pushed to do not stand before others.
 */
const spreadMs = 30_000
const dueAtMsOf = (userId: UserId, until: string): number =>
  Date.parse(until) + (Number.parseInt(userId.slice(-8), 16) % spreadMs)

const userIdSchema = z.string().brand<'UserId'>()

/** What waits beyond this number stays pending without a time, and is decided again until there is room. */
export const maxPostponedPerUser = 500

/** Maximum number of users per read. */
export const postponedPageSize = 200

/** Reads users whose pushes are due from `fromMs` on, the earliest first. Fewer than `postponedPageSize` are the last ones. */
export const readPostponed = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  fromMs: number,
): Promise<readonly PostponedUser[]> => {
  const range = { from: fromMs, order: 'ascending', limit: postponedPageSize } as const
  const entries = await pendingDeliveries.range(bucket, postponedList, range)
  return entries.map(({ member, score, value }) => ({
    ...postponedSchema.parse(value),
    userId: userIdSchema.parse(member),
    dueAtMs: score,
  }))
}

export const readPostponedUsers = async (
  view: ReadModelView,
  bucket: string,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, z.infer<typeof postponedSchema>>> => {
  const entries = await view.entries(
    bucket,
    userIds.map((member) => ({ list: postponedList, member })),
  )
  return new Map(
    userIds.flatMap((userId, index) => {
      const entry = entries[index]
      return entry ? [[userId, postponedSchema.parse(entry.value)] as const] : []
    }),
  )
}

export const putPostponed = (userId: UserId, until: string, attempts: readonly string[]): Write =>
  attempts.length === 0
    ? { op: 'remove', list: postponedList, member: userId }
    : {
        op: 'add',
        list: postponedList,
        member: userId,
        score: dueAtMsOf(userId, until),
        value: { until, attempts: [...attempts] },
      }

/** Removes what no longer waits for these users. */
export const endPostponed = async (
  bucket: string,
  noLonger: ReadonlyMap<UserId, readonly string[]>,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  if (noLonger.size === 0) return []
  const users = await readPostponedUsers(view, bucket, [...noLonger.keys()])
  return [...users].map(([userId, { until, attempts }]) => {
    const ended = noLonger.get(userId) ?? []
    return putPostponed(
      userId,
      until,
      attempts.filter((attempt) => !ended.includes(attempt)),
    )
  })
}
