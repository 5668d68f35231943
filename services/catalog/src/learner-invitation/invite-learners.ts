import { type LearnerRow, learnerLimits, tooManyOpenInvitations } from '@portal/contracts/catalog/learners'
import type { Program } from '@portal/contracts/catalog/program'
import { learnerInvitationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { email } from '@portal/contracts/shared/rules'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { Position } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { ErasedUserError, type PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ChangeRequest } from '../enrollment/change-learners.ts'
import { hasExpired } from './decider.ts'
import type { LearnerInvitationReader } from './projection.ts'
import type { InvitationRef, RecordLearnerInvitation } from './record-learner-invitation.ts'

type InviteLearnersDeps = {
  readonly recordInvitation: RecordLearnerInvitation
  readonly invitations: Pick<LearnerInvitationReader, 'count'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt' | 'erase'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  /** Of one program. Default: that of the contract. */
  readonly maxOpenInvitations?: number | undefined
}

type Inviting = { readonly program: Program; readonly invitedBy: UserId; readonly request: ChangeRequest }

type Invitee = InvitationRef & { readonly contact: string; readonly address: string }
/** 'invited': by this request before. */
type Known = 'new' | 'invited' | 'already-invited'

/** The store groups concurrent appends. */
const concurrency = 32

const rowOf = (
  { contact, invitationId }: Invitee,
  fate: LearnerRow['fate'],
  { isDryRun }: ChangeRequest,
): LearnerRow => (fate === 'invited' && !isDryRun ? { contact, invitationId, fate } : { contact, fate })

/** Invites the people of a list who have no account. What is no address stays unknown. */
export const createInviteLearners = (deps: InviteLearnersDeps) => {
  const { recordInvitation, invitations, vault, clockAndIds } = deps
  const { maxOpenInvitations = learnerLimits.openInvitations } = deps
  const inviteeOf = (contact: string, { program, request }: Inviting): Invitee | undefined => {
    const { data: address } = email.safeParse(contact)
    if (address === undefined) return undefined
    const emailIndex = vault.index('email', address)
    const id = deterministicEventId('learner-invitation', request.requestId, program._id, emailIndex)
    return { contact, address, emailIndex, invitationId: learnerInvitationIdSchema.parse(id) }
  }

  const known = async ({ emailIndex, invitationId }: Invitee, program: Program, now: Date): Promise<Known> => {
    const last = (await recordInvitation.load(emailIndex)).get(program._id)
    if (last?.invitationId === invitationId) return 'invited'
    return last?.status === 'open' && !hasExpired(last, now) ? 'already-invited' : 'new'
  }

  const invite = async (invitee: Invitee, { program, invitedBy, request }: Inviting, now: Date) => {
    const { emailIndex, invitationId } = invitee
    const address = await vault.encrypt(invitationId, invitee.address)
    const { _id: programId, programName } = program
    const invited = { invitationId, emailIndex, address, programId, programName, invitedBy, now }
    return recordInvitation.record(emailIndex, { type: 'InviteLearner', ...invited }, { metadata: request.metadata })
  }

  /** Another request may have been faster, or have withdrawn it meanwhile. */
  const inviteNow = async (invitee: Invitee, inviting: Inviting, now: Date) => {
    try {
      const recorded = await invite(invitee, inviting, now)
      if (recorded.ok) return { fate: 'invited' as const, position: recorded.value.position }
      await vault.erase(invitee.invitationId)
      return { fate: 'already-invited' as const }
    } catch (error) {
      if (!(error instanceof ErasedUserError)) throw error
      return { fate: 'invited' as const }
    }
  }

  /** The rows in the order of the contacts. */
  return async (contacts: readonly string[], inviting: Inviting): Promise<Result<readonly LearnerRow[], ApiError>> => {
    const { program, request } = inviting
    const now = clockAndIds.now()
    const rows: LearnerRow[] = []
    const wanted = new Map<string, { readonly index: number; readonly invitee: Invitee }>()
    for (const [index, contact] of contacts.entries()) {
      const invitee = inviteeOf(contact, inviting)
      if (!invitee) rows[index] = { contact, fate: 'unknown' }
      else if (wanted.has(invitee.emailIndex)) rows[index] = { contact, fate: 'repeated' }
      else wanted.set(invitee.emailIndex, { index, invitee })
    }
    const fresh: { readonly index: number; readonly invitee: Invitee }[] = []
    await forEachConcurrently(concurrency, wanted.values(), async (one) => {
      const is = await known(one.invitee, program, now)
      if (is === 'new') fresh.push(one)
      rows[one.index] = rowOf(one.invitee, is === 'new' ? 'invited' : is, request)
    })
    // Several requests at the same moment may exceed it by what they have in common.
    if (fresh.length > 0 && (await invitations.count(program._id)) + fresh.length > maxOpenInvitations)
      return rejected(tooManyOpenInvitations)
    if (request.isDryRun) return ok(rows)

    const positions: (Position | undefined)[] = []
    await forEachConcurrently(concurrency, fresh, async ({ index, invitee }) => {
      const { fate, ...recorded } = await inviteNow(invitee, inviting, now)
      rows[index] = rowOf(invitee, fate, request)
      if ('position' in recorded) positions.push(recorded.position)
    })
    await recordInvitation.untilListed(positions)
    return ok(rows)
  }
}
export type InviteLearners = ReturnType<typeof createInviteLearners>
