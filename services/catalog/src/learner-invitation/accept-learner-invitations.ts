import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventMetadata } from '@portal/platform/event-store/port'
import { ErasedUserError, type PersonalDataVault } from '@portal/platform/personal-data/port'
import type { RecordEnrollment } from '../enrollment/record-enrollment.ts'
import type { ProgramReader } from '../program/program-reader.ts'
import type { AcceptedLearnerInvitation, OpenLearnerInvitation } from './decider.ts'
import type { RecordedAccounts } from './recorded-accounts.ts'
import type { RecordLearnerInvitation } from './record-learner-invitation.ts'

type AcceptDeps = {
  readonly recordInvitation: RecordLearnerInvitation
  readonly recordEnrollment: RecordEnrollment
  readonly accounts: Pick<RecordedAccounts, 'learnerOf'>
  readonly programs: Pick<ProgramReader, 'documents'>
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** Enrolls the owner of an address in the programs to which the address is invited. Each step is safe to repeat. */
export const createAcceptLearnerInvitations = (deps: AcceptDeps) => {
  const { recordInvitation, recordEnrollment, accounts, programs, vault, clockAndIds } = deps

  /** Undefined for a deleted program. */
  const programOf = async (programId: ProgramRecordId) => {
    const [document] = await programs.documents([programId])
    // The error makes the bus redeliver the message.
    if (!document) throw new Error('the programs projection is behind, retrying')
    return document.removedAt === null ? document.program : undefined
  }

  const accept = async (open: OpenLearnerInvitation, userId: UserId, metadata: EventMetadata) => {
    const { emailIndex, invitationId, programId } = open
    const command = (await programOf(programId))
      ? ({ type: 'AcceptLearnerInvitation', invitationId, userId, now: clockAndIds.now() } as const)
      : ({ type: 'ExpireLearnerInvitation', invitationId, reason: 'program-removed' } as const)
    await recordInvitation.record(emailIndex, command, { metadata })
  }

  /** The invitation identifies the request, so that a learner who was withdrawn since then is not enrolled again. */
  const enroll = async (
    { invitationId, programId, invitedBy, userId }: AcceptedLearnerInvitation,
    metadata: EventMetadata,
  ): Promise<void> => {
    const program = await programOf(programId)
    if (!program) return
    const { programName } = program
    const enrolledAt = clockAndIds.now().toISOString()
    const command = { type: 'Enroll', userId, programId, programName, enrolledAt } as const
    const known = await recordEnrollment.load(userId)
    const request = { known, requestId: invitationId, metadata: { ...metadata, actorId: invitedBy } }
    if (recordEnrollment.repeated(command, request) !== undefined) return
    await vault.encrypt(userId, '')
    // Rejected for a learner in too many programs, who can do something about it.
    await recordEnrollment.record(command, request)
  }

  return async (emailIndex: string, metadata: EventMetadata): Promise<void> => {
    const invited = [...(await recordInvitation.load(emailIndex)).values()]
    if (invited.every(({ status }) => status === 'ended')) return
    const userId = await accounts.learnerOf(emailIndex)
    if (userId === undefined) return
    for (const one of invited) if (one.status === 'open') await accept(one, userId, metadata)
    try {
      for (const one of (await recordInvitation.load(emailIndex)).values())
        if (one.status === 'accepted' && one.userId === userId) await enroll(one, metadata)
    } catch (error) {
      if (!(error instanceof ErasedUserError)) throw error
    }
  }
}
export type AcceptLearnerInvitations = ReturnType<typeof createAcceptLearnerInvitations>
