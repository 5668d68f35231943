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
    }
  | {
      readonly type: 'EndSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly expiresAt: Date
      readonly reason: SessionEndReason
    }

export type SessionState = 'none' | 'live' | 'ended'

/** A session is never refused anything: starting and ending again changes nothing. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent, never> = {
  category: 'session',
  initial: 'none',

  decide(command, state): Result<readonly SessionEvent[], never> {
    const { sessionId, userId } = command
    const expiresAt = command.expiresAt.toISOString()
    switch (command.type) {
      case 'StartSession':
        return ok(state === 'none' ? [{ type: 'SessionStarted', data: { sessionId, userId, expiresAt } }] : [])
      // One whose start is not recorded (the log was lost, its signing key was not) is ended all the same.
      case 'EndSession': {
        const { reason } = command
        return ok(state === 'ended' ? [] : [{ type: 'SessionEnded', data: { sessionId, userId, expiresAt, reason } }])
      }
    }
  },

  evolve: (_state, event) => (event.type === 'SessionStarted' ? 'live' : 'ended'),

  parse: storedEventReader(sessionEventSchema),
}
