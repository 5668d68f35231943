import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Entry, ReadStore, Write } from '@portal/platform/read-model/port'
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
const spreadOf = (userId: UserId): number => Number.parseInt(userId.slice(-8), 16) % spreadMs

const userIdSchema = z.string().brand<'UserId'>()

const parseUser = ({ member, score, value }: Entry): PostponedUser => ({
  ...postponedSchema.parse(value),
  userId: userIdSchema.parse(member),
  dueAtMs: score,
})

/** What waits beyond this number stays pending without a time, and is decided again until there is room. */
export const maxPostponedPerUser = 500

/** Maximum number of users per read. */
export const postponedPageSize = 100

/** Reads users whose pushes are due from `fromMs` on, the earliest first. Fewer than `postponedPageSize` are the last ones. */
export const readPostponed = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  fromMs: number,
): Promise<readonly PostponedUser[]> => {
  const range = { from: fromMs, order: 'ascending', limit: postponedPageSize } as const
  return (await pendingDeliveries.range(bucket, postponedList, range)).map(parseUser)
}

export const readPostponedUsers = async (
  view: ReadModelView,
  bucket: string,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, PostponedUser>> => {
  const entries = await view.entries(
    bucket,
    userIds.map((member) => ({ list: postponedList, member })),
  )
  return new Map(
    entries.flatMap((entry) => {
      if (!entry) return []
      const user = parseUser(entry)
      return [[user.userId, user] as const]
    }),
  )
}

const maxEntriesPerRange = 1_000

/** Times at which others are due. Two entries of a list cannot have the same score. */
const readTaken = async (
  view: ReadModelView,
  bucket: string,
  fromMs: number,
  own: ReadonlySet<string>,
): Promise<Set<number>> => {
  const taken = new Set<number>()
  for (let from = fromMs; ;) {
    const range = { from, to: fromMs + 2 * spreadMs, order: 'ascending', limit: maxEntriesPerRange } as const
    const entries = await view.range(bucket, postponedList, range)
    for (const { member, score } of entries) if (!own.has(member)) taken.add(score)
    const last = entries.at(-1)
    if (last === undefined || entries.length < maxEntriesPerRange) return taken
    from = last.score + 1
  }
}

/** Puts these users, whose pushes wait until then. */
export const postponeUsers = async (
  bucket: string,
  until: string,
  users: readonly Pick<PostponedUser, 'userId' | 'attempts'>[],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const untilMs = Date.parse(until)
  const taken = await readTaken(view, bucket, untilMs, new Set(users.map(({ userId }) => userId)))
  return users.map(({ userId, attempts }) => {
    let dueAtMs = untilMs + spreadOf(userId)
    while (taken.has(dueAtMs)) dueAtMs += 1
    taken.add(dueAtMs)
    return putPostponed({ userId, until, attempts, dueAtMs })
  })
}

/** Removes a user for whom nothing waits. */
export const putPostponed = ({ userId, until, attempts, dueAtMs }: PostponedUser): Write =>
  attempts.length === 0
    ? { op: 'remove', list: postponedList, member: userId }
    : { op: 'add', list: postponedList, member: userId, score: dueAtMs, value: { until, attempts } }

/** Removes what no longer waits for these users. */
export const endPostponed = async (
  bucket: string,
  noLonger: ReadonlyMap<UserId, readonly string[]>,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  if (noLonger.size === 0) return []
  const users = await readPostponedUsers(view, bucket, [...noLonger.keys()])
  return [...users].map(([userId, user]) => {
    const ended = noLonger.get(userId) ?? []
    return putPostponed({ ...user, attempts: user.attempts.filter((attempt) => !ended.includes(attempt)) })
  })
}
