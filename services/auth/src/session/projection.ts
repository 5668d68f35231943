import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { endedSessions, endedUsers, sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'
import { hasSurelyExpired, type RecentTimes, recentTimesSchema, withTime } from './agreed-time.ts'

/**
 * A denylist: who is not on it is let in by their token, so that an emptied read model signs nobody out. The list has the
 * sessions in the order in which they ended, so that those whose tokens have expired can be found and forgotten.
 */
const endedList = 'ended-sessions'
const headPlace = { collection: 'ended-sessions-head', key: 'head' } as const

const headSchema = z.object({ lastScore: z.number().int(), recentTimes: recentTimesSchema })
const endedSchema = z.object({ expiresAt: z.iso.datetime() })

/** More than one for each that comes, so that the list gets shorter again after a rush. */
const forgottenAtOnce = 5

const forgetExpired = async (
  view: ReadModelView,
  partition: string,
  recentTimes: RecentTimes,
): Promise<readonly Write[]> => {
  const oldest = await view.range(partition, endedList, { order: 'ascending', limit: forgottenAtOnce })
  return oldest
    .filter(({ value }) => hasSurelyExpired(recentTimes, endedSchema.parse(value).expiresAt))
    .flatMap(({ member }): Write[] => [
      { op: 'remove', list: endedList, member },
      { op: 'delete', collection: endedSessions, key: member },
    ])
}

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
    const headDocument = await view.get({ partition, ...headPlace })
    const head = headSchema.parse(headDocument ?? { lastScore: 0 })
    const recentTimes = withTime(head.recentTimes, at)
    const score = head.lastScore + 1
    return [
      ...(await forgetExpired(view, partition, recentTimes)),
      { op: 'put', collection: endedSessions, key: sessionId, value: { expiresAt } },
      { op: 'add', list: endedList, member: sessionId, score, value: { expiresAt } },
      { op: 'put', ...headPlace, value: { lastScore: score, recentTimes } },
    ]
  },
)
