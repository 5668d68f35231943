import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Session } from '@portal/platform/http/session'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, ReadModel, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'
import { sessionLifetimeMs } from './session-lifetime.ts'

/**
 * A denylist: who is not on it is let in by their token, so that an emptied read model signs nobody out. The list
 * keeps the order in which sessions ended, so that each is forgotten once its token would have expired anyway.
 */
const endedSessions = 'ended-session'
const endedUsers = 'ended-user'
const endedList = 'ended-sessions'
const headPlace = { collection: 'ended-sessions-head', key: 'head' } as const

const headSchema = z.object({ lastScore: z.number().int() })
const endedSchema = z.object({ at: z.iso.datetime() })

const endedSessionRef = ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedSessions,
  key: sessionId,
})
const endedUserRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedUsers,
  key: userId,
})

/** Asked on every request of a signed-in user. */
export const makeIsEnded =
  (readModel: Pick<ReadModel, 'getMany'>) =>
  async (session: Pick<Session, 'userId' | 'sessionId'>): Promise<boolean> => {
    const found = await readModel.getMany([endedSessionRef(session), endedUserRef(session.userId)])
    return found.some((document) => document !== undefined)
  }

/** More than one for each that comes, so that the list gets shorter again after a rush. */
const forgottenAtOnce = 5

const forgetExpired = async (view: ReadModelView, partition: string, at: string): Promise<readonly Write[]> => {
  const expiredBefore = new Date(Date.parse(at) - sessionLifetimeMs).toISOString()
  const oldest = await view.range(partition, endedList, { order: 'ascending', limit: forgottenAtOnce })
  return oldest
    .filter(({ value }) => endedSchema.parse(value).at < expiredBefore)
    .flatMap(({ member }): Write[] => [
      { op: 'remove', list: endedList, member },
      { op: 'delete', collection: endedSessions, key: member },
    ])
}

export const sessionProjection = authProjection(
  'sessions',
  ['SessionEnded', 'UserErased'],
  async ({ event, partition, at }, view) => {
    if (event.type === 'UserErased')
      return [{ op: 'put', collection: endedUsers, key: event.data.userId, value: { at } }]
    const { sessionId } = event.data
    const headDocument = await view.get({ partition, ...headPlace })
    const { lastScore } = headDocument === undefined ? { lastScore: 0 } : headSchema.parse(headDocument)
    const score = lastScore + 1
    return [
      ...(await forgetExpired(view, partition, at)),
      { op: 'put', collection: endedSessions, key: sessionId, value: { at } },
      { op: 'add', list: endedList, member: sessionId, score, value: { at } },
      { op: 'put', ...headPlace, value: { lastScore: score } },
    ]
  },
)
