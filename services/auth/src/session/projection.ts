import { bucketKey } from '@portal/contracts/shared/buckets'
import { type SessionId, sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { ReadStore, Write } from '@portal/platform/read-model/port'
import { endedSessions, endedUsers, sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

/** One event under a clock that is far ahead must not decide that sessions have expired: so many in a row have to agree. */
const requiredAgreement = 5
/** Clocks of processes that check tokens may be behind the one that recorded the events. */
const marginMs = 24 * 60 * 60 * 1_000

/** When the last few events were recorded, the newest last; part of a projection's own document. */
const recentTimesSchema = z.array(z.iso.datetime()).default([])
type RecentTimes = z.infer<typeof recentTimesSchema>

const withTime = (recent: RecentTimes, at: string): RecentTimes => [...recent, at].slice(-requiredAgreement)

/** Whether a token that was valid until `expiresAt` is certainly refused by now. */
const hasSurelyExpired = (recent: RecentTimes, expiresAt: string): boolean =>
  recent.length === requiredAgreement && recent.every((at) => Date.parse(at) > Date.parse(expiresAt) + marginMs)

const expiringSchema = z.object({ expiresAt: z.iso.datetime() })
const headSchema = z.object({ lastScore: z.number().int(), recentTimes: recentTimesSchema })

/** More than one for each that comes, so that a list gets shorter again after a rush. */
const forgottenAtOnce = 5

/** The oldest members of a list whose tokens have expired. */
const expiredMembers = async (view: ReadModelView, partition: string, list: string, recentTimes: RecentTimes) => {
  const oldest = await view.range(partition, list, { order: 'ascending', limit: forgottenAtOnce })
  return oldest
    .filter(({ value }) => hasSurelyExpired(recentTimes, expiringSchema.parse(value).expiresAt))
    .map(({ member }) => member)
}

/**
 * A denylist: who is not on it is let in by their token, so that an emptied read model signs nobody out. The list has the
 * sessions in the order in which they ended, so that those whose tokens have expired can be found and forgotten.
 */
const endedList = 'ended-sessions'
const headRef = { collection: 'ended-sessions-head', key: 'head' } as const

/** What is not told when it expires is remembered for as long as a session can last at all. */
const longestLifetimeMs = 366 * 24 * 60 * 60 * 1_000
const latestExpiry = (at: string): string => new Date(Date.parse(at) + longestLifetimeMs).toISOString()

export const sessionProjection = authProjection(
  sessionsProjectionRef,
  ['SessionEnded', 'UserErased'],
  async ({ event, partition, at }, view) => {
    if (event.type === 'UserErased')
      return [{ op: 'put', collection: endedUsers, key: event.data.userId, value: { at } }]
    const { sessionId, expiresAt = latestExpiry(at) } = event.data
    const headDocument = await view.get({ partition, ...headRef })
    const head = headSchema.parse(headDocument ?? { lastScore: 0 })
    const recentTimes = withTime(head.recentTimes, at)
    const expired = await expiredMembers(view, partition, endedList, recentTimes)
    const score = head.lastScore + 1
    return [
      ...expired.flatMap((member): Write[] => [
        { op: 'remove', list: endedList, member },
        { op: 'delete', collection: endedSessions, key: member },
      ]),
      { op: 'put', collection: endedSessions, key: sessionId, value: { expiresAt } },
      { op: 'add', list: endedList, member: sessionId, score, value: { expiresAt } },
      { op: 'put', ...headRef, value: { lastScore: score, recentTimes } },
    ]
  },
)

/**
 * The sessions that a user has open, in the order in which they began. It reads changes of passwords and roles too, although it writes
 * nothing for them: once it has come to one, all that began before it are listed.
 */
const listOf = (userId: UserId) => `open-sessions:${userId}`

const openSchema = expiringSchema.extend({
  /** The position of its start. */
  startedAt: z.string(),
})
type Open = z.infer<typeof openSchema>

type OpenSession = Open & { readonly sessionId: SessionId; readonly userId: UserId }

const heads = 'open-sessions-head'

export const openSessionsProjection = authProjection(
  { name: 'open-sessions' },
  ['SessionStarted', 'SessionEnded', 'UserPasswordChanged', 'UserRoleChanged', 'UserEmailReleased', 'UserErased'],
  async ({ event, partition, at, position }, view) => {
    const { userId } = event.data
    const list = listOf(userId)
    const headDocument = await view.get({ partition, collection: heads, key: userId })
    const head = headSchema.parse(headDocument ?? { lastScore: 0 })
    const { lastScore } = head
    switch (event.type) {
      case 'SessionStarted': {
        const { sessionId, expiresAt } = event.data
        const score = lastScore + 1
        const recentTimes = withTime(head.recentTimes, at)
        const expired = await expiredMembers(view, partition, list, recentTimes)
        return [
          ...expired.map((member): Write => ({ op: 'remove', list, member })),
          { op: 'add', list, member: sessionId, score, value: { expiresAt, startedAt: position } satisfies Open },
          { op: 'put', collection: heads, key: userId, value: { lastScore: score, recentTimes } },
        ]
      }
      case 'SessionEnded':
        return [{ op: 'remove', list, member: event.data.sessionId }]
      case 'UserPasswordChanged':
      case 'UserRoleChanged':
      case 'UserEmailReleased':
        return []
      case 'UserErased':
        return [
          { op: 'trim', list, upToScore: lastScore },
          { op: 'delete', collection: heads, key: userId },
        ]
    }
  },
)

/** At most `limit` of a user's open sessions, the newest first. */
export const newestSessions = async (
  readModel: ReadStore,
  userId: UserId,
  limit: number,
): Promise<readonly OpenSession[]> => {
  const entries = await readModel.range(bucketKey(userId), listOf(userId), { order: 'descending', limit })
  return entries.map(({ member, value }) => ({
    sessionId: sessionIdSchema.parse(member),
    userId,
    ...openSchema.parse(value),
  }))
}
