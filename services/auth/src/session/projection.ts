import { bucketKey } from '@portal/contracts/shared/buckets'
import { type SessionId, sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { ReadStore, Write } from '@portal/platform/read-model/port'
import { endedSessions, endedUsers, sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

/** A single event with a wrong clock must not expire sessions: this many consecutive events must agree. */
const requiredAgreement = 5
/** Processes that check tokens may have a slower clock than the one that recorded the events. */
const marginMs = 24 * 60 * 60 * 1_000

/** Recording times of the last few events, newest last. Part of a document of the projection. */
const recentTimesSchema = z.array(z.iso.datetime()).default([])
type RecentTimes = z.infer<typeof recentTimesSchema>

const withTime = (recent: RecentTimes, at: string): RecentTimes => [...recent, at].slice(-requiredAgreement)

/** Returns whether tokens with this expiry are certainly rejected by now. */
const hasSurelyExpired = (recent: RecentTimes, expiresAt: string): boolean =>
  recent.length === requiredAgreement && recent.every((at) => Date.parse(at) > Date.parse(expiresAt) + marginMs)

const expiringSchema = z.object({ expiresAt: z.iso.datetime() })
const headSchema = z.object({ lastScore: z.number().int(), recentTimes: recentTimesSchema })

/** Removes more than one per event, so that the list shrinks after a burst. */
const maxRemovedPerEvent = 5

/** The oldest members of a list whose tokens have expired. */
const expiredMembers = async (view: ReadModelView, partition: string, list: string, recentTimes: RecentTimes) => {
  const oldest = await view.range(partition, list, { order: 'ascending', limit: maxRemovedPerEvent })
  return oldest
    .filter(({ value }) => hasSurelyExpired(recentTimes, expiringSchema.parse(value).expiresAt))
    .map(({ member }) => member)
}

/**
 * A denylist: a token that is not on it is accepted, so that an emptied read model logs out no user. The list is in the
 * order in which sessions ended, so that expired ones can be found and removed.
 */
const endedList = 'ended-sessions'
const headRef = { collection: 'ended-sessions-head', key: 'head' } as const

/** An event without an expiry is kept for the longest possible lifetime of a session. */
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
 * The open sessions of a user, in the order in which they began. The projection also reads password and role changes
 * but writes nothing for them: its position then shows that all earlier sessions are listed.
 */
const listOf = (userId: UserId) => `open-sessions:${userId}`

const openSchema = expiringSchema.extend({
  /** Position of its SessionStarted event. */
  startedAt: z.string(),
  /** With its time, from events that carry a name: others must keep giving the entries of earlier releases. */
  device: z.object({ name: z.string(), firstUsedAt: z.iso.datetime() }).optional(),
  /** Absent until a later use is recorded. */
  usedAt: z.iso.datetime().optional(),
})
type Open = z.infer<typeof openSchema>

export type ListedSession = Open & { readonly sessionId: SessionId; readonly userId: UserId }

const heads = 'open-sessions-head'

export const openSessionsProjection = authProjection(
  { name: 'open-sessions' },
  [
    'SessionStarted',
    'SessionUsed',
    'SessionEnded',
    'UserPasswordChanged',
    'UserRoleChanged',
    'UserDeactivated',
    'UserSessionsEnded',
    'UserEmailReleased',
    'UserErased',
  ],
  async ({ event, partition, at, position }, view) => {
    const { userId } = event.data
    const list = listOf(userId)
    const headDocument = await view.get({ partition, collection: heads, key: userId })
    const head = headSchema.parse(headDocument ?? { lastScore: 0 })
    const { lastScore } = head
    switch (event.type) {
      case 'SessionStarted': {
        const { sessionId, expiresAt, deviceName } = event.data
        const device = deviceName === undefined ? {} : { device: { name: deviceName, firstUsedAt: at } }
        const score = lastScore + 1
        const recentTimes = withTime(head.recentTimes, at)
        const expired = await expiredMembers(view, partition, list, recentTimes)
        return [
          ...expired.map((member): Write => ({ op: 'remove', list, member })),
          {
            op: 'add',
            list,
            member: sessionId,
            score,
            value: { expiresAt, startedAt: position, ...device } satisfies Open,
          },
          { op: 'put', collection: heads, key: userId, value: { lastScore: score, recentTimes } },
        ]
      }
      case 'SessionUsed': {
        const { sessionId: member, usedAt } = event.data
        const entry = await view.entry(partition, list, member)
        if (entry === undefined) return []
        return [{ op: 'add', list, member, score: entry.score, value: { ...openSchema.parse(entry.value), usedAt } }]
      }
      case 'SessionEnded':
        return [{ op: 'remove', list, member: event.data.sessionId }]
      case 'UserPasswordChanged':
      case 'UserRoleChanged':
      case 'UserDeactivated':
      case 'UserSessionsEnded':
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

/** Whether the user has ever logged in, as far as it is projected. */
export const hasLoggedIn = async (readModel: ReadStore, userId: UserId): Promise<boolean> =>
  (await readModel.get({ partition: bucketKey(userId), collection: heads, key: userId })) !== undefined

/** Returns up to `limit` open sessions of a user, newest first. */
export const newestSessions = async (
  readModel: ReadStore,
  userId: UserId,
  limit: number,
): Promise<readonly ListedSession[]> => {
  const entries = await readModel.range(bucketKey(userId), listOf(userId), { order: 'descending', limit })
  return entries.map(({ member, value }) => ({
    sessionId: sessionIdSchema.parse(member),
    userId,
    ...openSchema.parse(value),
  }))
}
