import type { AuthEvent } from '@portal/contracts/auth/events'
import type { Subscription } from '@portal/platform/bus/port'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { ApplyAdminRemoval } from './admin-roster/apply-admin-removal.ts'
import type { RevokeAllApiKeys } from './api-key/revoke-all.ts'
import { authEventOf } from './auth-projection.ts'
import type { AcceptInvitation } from './invitation/accept-invitation.ts'
import type { EndInvitation } from './invitation/end-invitation.ts'
import type { Completion } from './registration/completion.ts'
import { type EndEarlierSessions, sessionsEndedBy } from './session/end-earlier-sessions.ts'
import type { Erasure } from './user/erasure.ts'

type AuthReactorDeps = Pick<ServiceDeps, 'bus' | 'logger'> & {
  readonly cursorsIn: ActiveGeneration
  readonly continuity: Continuity
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly completion: Completion
  readonly erasure: Pick<Erasure, 'finishErasure'>
  readonly applyAdminRemoval: ApplyAdminRemoval
  readonly acceptance: Pick<AcceptInvitation, 'finish'>
  readonly endInvitation: EndInvitation
  readonly endEarlierSessions: EndEarlierSessions
  readonly revokeAllApiKeys: RevokeAllApiKeys
  /** Counts accounts that become an admin or cease to be one. Commands do so, and have no metrics of their own. */
  readonly roleChanges?: { inc(): void } | undefined
}

const changesRole = (event: AuthEvent): boolean =>
  event.type === 'UserRoleChanged' || (event.type === 'UserRegistered' && event.data.role === 'admin')

/**
 * Finishes work that spans several streams if its request could not: creates the user of a completed registration,
 * erases an expired one, completes an erasure and what removed an admin, makes the account of an accepted invitation, ends the sessions after a
 * new password or role. Usually the request has done it already and the reactor changes nothing.
 */
export const startAuthReactor = (deps: AuthReactorDeps): Promise<Pick<Subscription, 'stop'>> => {
  const {
    bus,
    cursorsIn,
    continuity,
    logger,
    vault,
    completion,
    erasure,
    applyAdminRemoval,
    acceptance,
    endInvitation,
    endEarlierSessions,
    revokeAllApiKeys,
    roleChanges,
  } = deps
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
      if (changesRole(event)) roleChanges?.inc()
      if (event.type === 'RegistrationCompleted') {
        await completion.ensureUser(event.data.emailIndex, metadata)
        await endInvitation.lapseIfTaken(event.data, metadata)
      }
      if (event.type === 'RegistrationExpired') await vault.erase(event.data.userId)
      if (event.type === 'InvitationAccepted') await acceptance.finish(event.data.emailIndex, metadata)
      if (event.type === 'InvitationWithdrawn' || event.type === 'InvitationLapsed')
        await endInvitation.destroyData(event.data.userId)
      if (event.type === 'AdminRemoved') await applyAdminRemoval(event.data, metadata)
      if (event.type === 'UserErased') await erasure.finishErasure(event.data, metadata)
      await revokeAllApiKeys(event, metadata)
      const endsSessions = sessionsEndedBy(event)
      if (endsSessions) {
        const { userId } = event.data
        const change = { userId, endsSessions, position: envelope.position }
        // The error makes the bus redeliver the message.
        if (!(await endEarlierSessions(change, metadata)))
          throw new Error('the open-sessions projection is behind, retrying')
      }
    },
  })
}
