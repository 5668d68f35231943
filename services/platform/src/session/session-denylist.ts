import { bucketKey } from '@portal/contracts/shared/buckets'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { DocumentRef, ReadStore } from '../read-model/port.ts'
import type { Session } from './session.ts'

/**
 * The read model of sessions that ended early and of erased users. Defined here because auth writes it and every process that verifies
 * sessions reads it.
 */
export const sessionsProjectionRef = { name: 'sessions', version: 1 } as const

export const endedSessions = 'ended-session'
export const endedUsers = 'ended-user'

export const endedSessionRef = ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedSessions,
  key: sessionId,
})
const endedUserRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: endedUsers,
  key: userId,
})

/** The ended sessions of a read model, for the session verifier. */
export type SessionDenylist = {
  /** Rejects when the read model cannot be read. */
  isEnded(session: Pick<Session, 'userId' | 'sessionId'>): Promise<boolean>
  /** Changes when the read model may have lost data (`ReadStore.lineage`). */
  lineage(): string
}

export const makeDenylist = (readModel: Pick<ReadStore, 'getMany' | 'lineage'>): SessionDenylist => ({
  isEnded: makeIsEnded(readModel),
  lineage: () => readModel.lineage(),
})

/** Called on every request. */
export const makeIsEnded =
  (readModel: Pick<ReadStore, 'getMany'>) =>
  async (session: Pick<Session, 'userId' | 'sessionId'>): Promise<boolean> => {
    const found = await readModel.getMany([endedSessionRef(session), endedUserRef(session.userId)])
    return found.some((document) => document !== undefined)
  }

type NamedSession = Pick<Session, 'userId' | 'sessionId'>

/** Half of the documents that one call may read: each session needs two. */
const sessionsPerRead = 5_000

/** Returns the ids of the sessions that have ended or whose user was erased. */
export const makeEndedAmong =
  (readModel: Pick<ReadStore, 'getMany'>) =>
  async (sessions: readonly NamedSession[]): Promise<ReadonlySet<SessionId>> => {
    const ended = new Set<SessionId>()
    for (let from = 0; from < sessions.length; from += sessionsPerRead) {
      const some = sessions.slice(from, from + sessionsPerRead)
      const found = await readModel.getMany(
        some.flatMap((session) => [endedSessionRef(session), endedUserRef(session.userId)]),
      )
      for (const [index, { sessionId }] of some.entries())
        if (found[2 * index] !== undefined || found[2 * index + 1] !== undefined) ended.add(sessionId)
    }
    return ended
  }
