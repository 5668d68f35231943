import type { Decider } from '@portal/platform/decider/decider'
import { ok, type Result } from '@portal/platform/decider/result'
import type { SessionCommand } from './commands.ts'
import { type SessionEvent, sessionEventSchema } from './events.ts'

export type SessionState = 'none' | 'live' | 'ended'

/** A session is never refused anything: starting and ending again changes nothing. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent, never> = {
  category: 'session',
  initial: 'none',

  decide(command, state): Result<readonly SessionEvent[], never> {
    const { sessionId, userId } = command
    switch (command.type) {
      case 'StartSession':
        return state === 'none'
          ? ok([{ type: 'SessionStarted', data: { sessionId, userId, expiresAt: command.expiresAt.toISOString() } }])
          : ok([])
      // One whose start is not recorded (the log was lost, its signing key was not) is ended all the same.
      case 'EndSession':
        return state === 'ended'
          ? ok([])
          : ok([{ type: 'SessionEnded', data: { sessionId, userId, reason: command.reason } }])
    }
  },

  evolve: (_state, event) => (event.type === 'SessionStarted' ? 'live' : 'ended'),

  parse: (stored) => sessionEventSchema.parse(stored),
}
