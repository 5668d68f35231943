import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import type { Session } from './session.ts'

/**
 * The authority on whether a session is open. Asked for a token that this process has not seen, and again whenever the read model
 * with the ended sessions may have been replaced by an emptied or an older one. Rejects when the authority cannot be reached.
 */
export type SessionRecord = {
  isOpen(session: Pick<Session, 'sessionId' | 'userId'>, token: string): Promise<boolean>
}

const started = 'SessionStarted'
const ended = 'SessionEnded'
const erased = 'UserErased'

/**
 * Reads the session's stream and the user's stream. A session without a recorded start is not open: the log was restored from a
 * copy that is older than the session. Only event types are read, so former shapes of the data do not matter.
 */
export const openSessionRecord = (eventStore: Pick<EventStore, 'read'>): SessionRecord => ({
  isOpen: async ({ sessionId, userId }) => {
    let isStarted = false
    for await (const { type } of eventStore.read(streamOf('session', sessionId))) {
      if (type === ended) return false
      if (type === started) isStarted = true
    }
    if (!isStarted) return false
    for await (const { type } of eventStore.read(streamOf('user', userId))) if (type === erased) return false
    return true
  },
})
