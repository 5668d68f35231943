import {
  invite,
  listInvitations,
  resendInvitation,
  tooManyInvitations,
  withdrawInvitation,
} from '@portal/contracts/auth/invitations'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls, writes } from '@portal/platform/http/record-calls'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import { afterWait } from '../after-wait.ts'
import type { Invitations } from './invitations.ts'

type InvitationRoutesDeps = {
  readonly bind: BindRoute
  readonly invitations: Invitations
  readonly perAdmin: AttemptLimiter
  readonly securityLog: SecurityLog
}

export const invitationRoutes = (
  app: FastifyInstance,
  { bind, invitations, perAdmin, securityLog }: InvitationRoutesDeps,
): void => {
  /** Only what is sent counts. */
  const limited = async <T>(admin: UserId, send: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
    const wait = await perAdmin.attempt(admin)
    if (wait !== undefined) return rejected(afterWait(tooManyInvitations, wait))
    const sent = await send()
    if (!sent.ok) await perAdmin.refund(admin)
    return sent
  }

  const recordedSend = recordCalls(bind, securityLog, { event: 'invitation-sent', methods: writes })
  recordedSend(app, invite, async (call) => {
    const sent = await limited(call.session.userId, () => invitations.invite(call.body, metadataOf(call)))
    return sent.ok ? ok({ success: true, message: 'Invitation sent', data: sent.value }) : sent
  })

  recordedSend(app, resendInvitation, async (call) => {
    const sent = await limited(call.session.userId, () => invitations.resend(call.params.id, metadataOf(call)))
    return sent.ok ? ok({ success: true, message: 'Invitation sent again', data: sent.value }) : sent
  })

  const recordedWithdrawal = recordCalls(bind, securityLog, { event: 'invitation-withdrawn', methods: writes })
  recordedWithdrawal(app, withdrawInvitation, async (call) => {
    const withdrawn = await invitations.withdraw(call.params.id, metadataOf(call))
    return withdrawn.ok ? ok({ success: true, message: 'Invitation withdrawn' }) : withdrawn
  })

  const recordedRead = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  recordedRead(app, listInvitations, async () => ok({ success: true, invitations: await invitations.list() }))
}
