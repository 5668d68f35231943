import { programNotFound } from '@portal/contracts/catalog/errors'
import {
  invitationsNotOpen,
  type LearnerInvitation,
  listLearnerInvitations,
  resendLearnerInvitations,
  withdrawLearnerInvitations,
} from '@portal/contracts/catalog/learner-invitations'
import type { Program } from '@portal/contracts/catalog/program'
import type { LearnerInvitationId, UserId } from '@portal/contracts/shared/ids'
import { paginationOf } from '@portal/contracts/shared/page'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { Position } from '@portal/platform/event-store/port'
import type { BindRoute } from '@portal/platform/http/handler'
import { reads, recordCalls, writes } from '@portal/platform/http/record-calls'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import { changeRequestOf, type LearnerCall } from '../enrollment/learner-routes.ts'
import { bindToProgram } from '../program/bind-to-program.ts'
import type { ProgramReader } from '../program/program-reader.ts'
import type { LearnerInvitationCommand } from './decider.ts'
import type { LearnerInvitationReader, ListedLearnerInvitation } from './projection.ts'
import type { RecordLearnerInvitation } from './record-learner-invitation.ts'
import type { RecordedAccounts } from './recorded-accounts.ts'

type InvitationRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly programs: Pick<ProgramReader, 'get'>
  readonly invitations: LearnerInvitationReader
  readonly recordInvitation: RecordLearnerInvitation
  readonly accounts: Pick<RecordedAccounts, 'nameOf'>
}

type ChangeCall = LearnerCall & { readonly body: { readonly invitationIds: readonly LearnerInvitationId[] } }

const concurrency = 32

/** Who is invited to a program, as admins see and change it. */
export const learnerInvitationRoutes = (app: FastifyInstance, deps: InvitationRoutesDeps): void => {
  const { bind, securityLog, clockAndIds, vault, programs, invitations, recordInvitation, accounts } = deps
  const bindReading = bindToProgram(recordCalls(bind, securityLog, { event: 'users-listed', methods: reads }))
  const bindChange = bindToProgram(recordCalls(bind, securityLog, { event: 'learners-changed', methods: writes }))

  const present = async (listed: readonly ListedLearnerInvitation[]): Promise<LearnerInvitation[]> => {
    const names = new Map<UserId, string>()
    const presented: LearnerInvitation[] = []
    for (const { invitationId: _id, address, invitedBy, invitedAt, expiresAt } of listed) {
      const email = await vault.decrypt(_id, address)
      // It ends at this moment.
      if (email === undefined) continue
      const name = names.get(invitedBy) ?? (await accounts.nameOf(invitedBy))
      names.set(invitedBy, name)
      presented.push({ _id, email, invitedAt, invitedBy: name, expiresAt })
    }
    return presented
  }

  /** Returns how many were still open. */
  const change = async (
    call: ChangeCall,
    program: Program,
    command: (invitationId: LearnerInvitationId) => LearnerInvitationCommand,
  ): Promise<number> => {
    const { requestId, metadata } = changeRequestOf(call, clockAndIds)
    const positions: (Position | undefined)[] = []
    let changed = 0
    await forEachConcurrently(concurrency, new Set(call.body.invitationIds), async (invitationId) => {
      const listed = await invitations.find(program._id, invitationId)
      if (!listed) return
      const recorded = await recordInvitation.record(listed.emailIndex, command(invitationId), { requestId, metadata })
      if (!recorded.ok) return
      changed += 1
      positions.push(recorded.value.position)
    })
    await recordInvitation.untilListed(positions)
    return changed
  }

  const answer = (changed: number, message: string) =>
    changed === 0 ? rejected(invitationsNotOpen) : ok({ success: true as const, message, changed })

  bindReading(app, listLearnerInvitations, async ({ query }, id) => {
    if (!(await programs.get(id))) return rejected(programNotFound)
    const [listed, total] = await Promise.all([invitations.page(id, query), invitations.count(id)])
    return ok({ success: true, invitations: await present(listed), pagination: paginationOf(query, total) })
  })

  bindChange(app, resendLearnerInvitations, async (call, id) => {
    const program = await programs.get(id)
    if (!program) return rejected(programNotFound)
    const { _id: programId, programName } = program
    const now = clockAndIds.now()
    const changed = await change(call, program, (invitationId) => ({
      type: 'ResendLearnerInvitation',
      invitationId,
      programId,
      programName,
      now,
    }))
    return answer(changed, `Sent ${changed === 1 ? 'the invitation' : `${changed} invitations`} again`)
  })

  bindChange(app, withdrawLearnerInvitations, async (call, id) => {
    const program = await programs.get(id)
    if (!program) return rejected(programNotFound)
    const changed = await change(call, program, (invitationId) => ({ type: 'WithdrawLearnerInvitation', invitationId }))
    return answer(changed, `Withdrew ${changed === 1 ? 'the invitation' : `${changed} invitations`}`)
  })
}
