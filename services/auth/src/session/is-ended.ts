import type { Session } from '@portal/platform/http/session'
import type { ReadModel } from '@portal/platform/read-model/port'
import { endedSessionRef, endedUserRef } from './projection.ts'

/** For the session verifier: whether a session was ended before its time, or its user is gone. Asked on every request. */
export const makeIsEnded =
  (readModel: Pick<ReadModel, 'getMany'>) =>
  async (session: Pick<Session, 'userId' | 'sessionId'>): Promise<boolean> => {
    const found = await readModel.getMany([endedSessionRef(session), endedUserRef(session.userId)])
    return found.some((document) => document !== undefined)
  }
