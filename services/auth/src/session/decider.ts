import type { SessionEndReason } from '@portal/contracts/auth/events'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type SessionEvent, sessionEventSchema } from './events.ts'

export type SessionCommand =
  | {
      readonly type: 'StartSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly expiresAt: Date
      readonly deviceName: string
      readonly isNewDevice?: boolean
    }
  | {
      readonly type: 'UseSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly usedAt: Date
    }
  | {
      readonly type: 'EndSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly expiresAt: Date
      readonly reason: SessionEndReason
    }

type SessionState = 'none' | 'live' | 'ended'

/** Never rejects: starting or ending a session again changes nothing. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent, never> = {
  category: 'session',
  initial: 'none',

  decide(command, state): Result<readonly SessionEvent[], never> {
    const { sessionId, userId } = command
    switch (command.type) {
      case 'StartSession': {
        const { deviceName, isNewDevice } = command
        const expiresAt = command.expiresAt.toISOString()
        const newDevice = isNewDevice ? { isNewDevice } : {}
        const data = { sessionId, userId, expiresAt, deviceName, ...newDevice }
        return ok(state === 'none' ? [{ type: 'SessionStarted', data }] : [])
      }
      case 'UseSession': {
        const usedAt = command.usedAt.toISOString()
        return ok(state === 'live' ? [{ type: 'SessionUsed', data: { sessionId, userId, usedAt } }] : [])
      }
      // Also ends a session without a recorded start: the log may be lost while the signing key is not.
      case 'EndSession': {
        const { reason } = command
        const expiresAt = command.expiresAt.toISOString()
        return ok(state === 'ended' ? [] : [{ type: 'SessionEnded', data: { sessionId, userId, expiresAt, reason } }])
      }
    }
  },

  evolve(state, { type }) {
    if (type === 'SessionUsed') return state
    return type === 'SessionStarted' ? 'live' : 'ended'
  },

  parse: storedEventReader(sessionEventSchema),
}
