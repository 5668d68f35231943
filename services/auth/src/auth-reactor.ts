import type { AuthEvent, EndedSessions } from '@portal/contracts/auth/events'
import type { Subscription } from '@portal/platform/bus/port'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { authEventOf } from './auth-projection.ts'
import type { Completion } from './registration/completion.ts'
import type { EndEarlierSessions } from './session/end-earlier-sessions.ts'
import type { Erasure } from './user/erasure.ts'

type Deps = Pick<ServiceDeps, 'bus' | 'logger'> & {
  readonly cursorsIn: ActiveGeneration
  readonly continuity: Continuity
  readonly completion: Completion
  readonly erasure: Erasure
  readonly endEarlierSessions: EndEarlierSessions
}

const endedBy = (event: AuthEvent): EndedSessions | undefined => {
  if (event.type === 'UserPasswordChanged') return event.data.endsSessions
  if (event.type === 'UserEmailReleased') return { reason: 'email-reclaimed' }
  return event.type === 'UserRoleChanged' ? { reason: 'role-changed' } : undefined
}

/**
 * Finishes what spans several streams when its request could not: the user of a completed registration, the consequences of
 * an erasure, the sessions that a new password or role ends. Mostly all of it has been done by the time the message comes, and nothing
 * happens.
 */
export const startAuthReactor = (deps: Deps): Promise<Pick<Subscription, 'stop'>> => {
  const { bus, cursorsIn, continuity, logger, completion, erasure, endEarlierSessions } = deps
  return runConsumer({
    name: 'auth-follow-up',
    topics: ['auth'],
    bus,
    readModel: cursorsIn,
    continuity,
    logger,
    handle: async (envelope) => {
      const event = authEventOf(envelope)
      const metadata = {
        causationId: envelope.id,
        ...(envelope.correlationId && { correlationId: envelope.correlationId }),
      }
      if (event.type === 'RegistrationCompleted') await completion.ensureUser(event.data.emailIndex, metadata)
      if (event.type === 'UserErased') await erasure.finishErasure(event.data, metadata)
      const endsSessions = endedBy(event)
      if (endsSessions) {
        const { userId } = event.data
        const change = { userId, endsSessions, position: envelope.position }
        // The message comes again.
        if (!(await endEarlierSessions(change, metadata)))
          throw new Error('It is not known yet which sessions are open')
      }
    },
  })
}
