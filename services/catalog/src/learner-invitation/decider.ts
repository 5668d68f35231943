import type { EncryptedText } from '@portal/contracts/auth/events'
import { learnerLimits } from '@portal/contracts/catalog/learners'
import type { LearnerInvitationId, ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type LearnerInvitationEvent, learnerInvitationEventSchema } from './events.ts'

const validMs = learnerLimits.invitationDays * 24 * 3_600_000

type ExpiryReason = Extract<LearnerInvitationEvent, { type: 'LearnerInvitationExpired' }>['data']['reason']

/** The program as it is now. */
type InvitedTo = { readonly programId: ProgramRecordId; readonly programName: string }

export type LearnerInvitationCommand =
  | ({
      readonly type: 'InviteLearner'
      readonly invitationId: LearnerInvitationId
      readonly emailIndex: string
      readonly address: EncryptedText
      readonly invitedBy: UserId
      readonly now: Date
    } & InvitedTo)
  | ({
      readonly type: 'ResendLearnerInvitation'
      readonly invitationId: LearnerInvitationId
      readonly now: Date
    } & InvitedTo)
  | { readonly type: 'WithdrawLearnerInvitation'; readonly invitationId: LearnerInvitationId }
  /** The account of the address is there. */
  | {
      readonly type: 'AcceptLearnerInvitation'
      readonly invitationId: LearnerInvitationId
      readonly userId: UserId
      readonly now: Date
    }
  /** `now`: one that has expired by then. Without it, whether it has expired or not. */
  | {
      readonly type: 'ExpireLearnerInvitation'
      readonly invitationId: LearnerInvitationId
      readonly reason: ExpiryReason
      readonly now?: Date
    }

export type OpenLearnerInvitation = InvitedTo & {
  readonly status: 'open'
  readonly invitationId: LearnerInvitationId
  readonly emailIndex: string
  readonly address: EncryptedText
  readonly invitedBy: UserId
  readonly invitedAt: string
  readonly expiresAt: string
}
export type AcceptedLearnerInvitation = Pick<OpenLearnerInvitation, 'invitationId' | 'programId' | 'invitedBy'> & {
  readonly status: 'accepted'
  readonly userId: UserId
}
type EndedLearnerInvitation = Pick<OpenLearnerInvitation, 'invitationId'> & { readonly status: 'ended' }

/** The last invitation to each program. */
export type LearnerInvitationsState = ReadonlyMap<
  ProgramRecordId,
  OpenLearnerInvitation | AcceptedLearnerInvitation | EndedLearnerInvitation
>

export type LearnerInvitationRejection = 'already-invited' | 'not-open'

export const hasExpired = ({ expiresAt }: Pick<OpenLearnerInvitation, 'expiresAt'>, now: Date): boolean =>
  Date.parse(expiresAt) <= now.getTime()

const expiryAfter = (now: Date): string => new Date(now.getTime() + validMs).toISOString()

export const openInvitationsOf = (state: LearnerInvitationsState): readonly OpenLearnerInvitation[] =>
  [...state.values()].filter((one) => one.status === 'open')

const findOpen = (
  state: LearnerInvitationsState,
  invitationId: LearnerInvitationId,
): OpenLearnerInvitation | undefined => openInvitationsOf(state).find((open) => open.invitationId === invitationId)

const refOf = ({ invitationId, programId, emailIndex }: OpenLearnerInvitation) => ({
  invitationId,
  programId,
  emailIndex,
})

const expired = (invitation: OpenLearnerInvitation, reason: ExpiryReason): LearnerInvitationEvent => ({
  type: 'LearnerInvitationExpired',
  data: { ...refOf(invitation), reason },
})

const replaced = (
  state: LearnerInvitationsState,
  programId: ProgramRecordId,
  change: (open: OpenLearnerInvitation) => OpenLearnerInvitation | AcceptedLearnerInvitation | EndedLearnerInvitation,
): LearnerInvitationsState => {
  const known = state.get(programId)
  return known?.status === 'open' ? new Map(state).set(programId, change(known)) : state
}

/** One stream per address, so that its owner accepts all at once, and no address is invited to a program twice. */
export const learnerInvitationDecider: Decider<
  LearnerInvitationsState,
  LearnerInvitationCommand,
  LearnerInvitationEvent,
  LearnerInvitationRejection
> = {
  category: 'learnerInvitation',
  initial: new Map(),

  decide(command, state) {
    if (command.type === 'InviteLearner') {
      const { type: _, now, ...invitation } = command
      const known = state.get(command.programId)
      const isOpen = known?.status === 'open'
      if (isOpen && !hasExpired(known, now)) return rejected('already-invited')
      const data = { ...invitation, invitedAt: now.toISOString(), expiresAt: expiryAfter(now) }
      return ok([...(isOpen ? [expired(known, 'expired')] : []), { type: 'LearnerInvited', data }])
    }
    const open = findOpen(state, command.invitationId)
    switch (command.type) {
      case 'ResendLearnerInvitation': {
        if (!open) return rejected('not-open')
        const { programName, now } = command
        const data = { ...refOf(open), programName, address: open.address, expiresAt: expiryAfter(now) }
        return ok([{ type: 'LearnerInvitationResent', data }])
      }
      case 'WithdrawLearnerInvitation':
        return open ? ok([{ type: 'LearnerInvitationWithdrawn', data: refOf(open) }]) : rejected('not-open')
      case 'AcceptLearnerInvitation': {
        const { userId, now } = command
        if (!open) return ok([])
        if (hasExpired(open, now)) return ok([expired(open, 'expired')])
        return ok([{ type: 'LearnerInvitationAccepted', data: { ...refOf(open), userId } }])
      }
      case 'ExpireLearnerInvitation': {
        const { now, reason } = command
        return ok(open && (now === undefined || hasExpired(open, now)) ? [expired(open, reason)] : [])
      }
    }
  },

  evolve(state, event) {
    const { programId } = event.data
    switch (event.type) {
      case 'LearnerInvited':
        return new Map(state).set(programId, { status: 'open', ...event.data })
      case 'LearnerInvitationResent': {
        const { programName, expiresAt } = event.data
        return replaced(state, programId, (open) => ({ ...open, programName, expiresAt }))
      }
      case 'LearnerInvitationAccepted': {
        const { userId } = event.data
        return replaced(state, programId, ({ invitationId, invitedBy }) => ({
          status: 'accepted',
          invitationId,
          programId,
          invitedBy,
          userId,
        }))
      }
      case 'LearnerInvitationWithdrawn':
      case 'LearnerInvitationExpired':
        return replaced(state, programId, ({ invitationId }) => ({ status: 'ended', invitationId }))
    }
  },

  parse: storedEventReader(learnerInvitationEventSchema),
}
