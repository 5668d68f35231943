import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { DocumentRef, ReadModel } from '../read-model/port.ts'
import type { Session } from './session.ts'

/**
 * Where the read model says that a session was ended before its time, or that its user is gone. Here because auth writes it
 * and every process that checks sessions reads it.
 */
export const sessionsProjectionName = 'sessions'

export const endedSessions = 'ended-session'
export const endedUsers = 'ended-user'

export const endedSessionRef = ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedSessions,
  key: sessionId,
})
export const endedUserRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedUsers,
  key: userId,
})

/** For the session verifier, asked on every request. */
export const makeIsEnded =
  (readModel: Pick<ReadModel, 'getMany'>) =>
  async (session: Pick<Session, 'userId' | 'sessionId'>): Promise<boolean> => {
    const found = await readModel.getMany([endedSessionRef(session), endedUserRef(session.userId)])
    return found.some((document) => document !== undefined)
  }
