import { bucketKey } from '@portal/contracts/shared/buckets'
import { type SessionId, sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ReadStore, Write } from '@portal/platform/read-model/port'
import type { ReadModelView } from '@portal/platform/projection/projection'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'
import { hasSurelyExpired, type RecentTimes, recentTimesSchema, withTime } from './agreed-time.ts'

/**
 * The sessions that a user has open, in the order in which they began. It reads changes of passwords and roles too, although it writes
 * nothing for them: once it has come to one, all that began before it are listed.
 */
const listOf = (userId: UserId) => `open-sessions:${userId}`

const openSchema = z.object({
  expiresAt: z.iso.datetime(),
  /** The position of its start. */
  startedAt: z.string(),
})
type Open = z.infer<typeof openSchema>

export type OpenSession = Open & { readonly sessionId: SessionId; readonly userId: UserId }

const heads = 'open-sessions-head'
const headSchema = z.object({ lastScore: z.number().int(), recentTimes: recentTimesSchema })

/** More than one for each that comes, so that the list gets shorter again after a rush. */
const forgottenAtOnce = 5

const forgetExpired = async (view: ReadModelView, partition: string, list: string, recentTimes: RecentTimes) => {
  const oldest = await view.range(partition, list, { order: 'ascending', limit: forgottenAtOnce })
  return oldest
    .filter(({ value }) => hasSurelyExpired(recentTimes, openSchema.parse(value).expiresAt))
    .map(({ member }): Write => ({ op: 'remove', list, member }))
}

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
        return [
          ...(await forgetExpired(view, partition, list, recentTimes)),
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
