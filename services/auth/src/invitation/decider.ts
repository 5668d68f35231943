import type { EncryptedText } from '@portal/contracts/auth/events'
import { invitationLimits, type InvitedRole } from '@portal/contracts/auth/invitations'
import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { constantTimeEqual } from '../constant-time-equal.ts'
import { type InvitationEvent, invitationEventSchema } from './events.ts'

const hourMs = 3_600_000
const validMs = invitationLimits.validHours * hourMs
const keptAfterExpiryMs = invitationLimits.keptDaysAfterExpiry * 24 * hourMs

export type InvitedPerson = {
  /** Of the account that the invitation leads to. */
  readonly userId: UserId
  readonly role: InvitedRole
  readonly emailIndex: string
  readonly profile: EncryptedText
}

type LapseReason = Extract<InvitationEvent, { type: 'InvitationLapsed' }>['data']['reason']

export type InvitationCommand =
  | { readonly type: 'Invite'; readonly person: InvitedPerson; readonly tokenHash: string; readonly now: Date }
  | {
      readonly type: 'ResendInvitation'
      readonly userId: UserId
      readonly tokenHash: string
      readonly now: Date
    }
  | { readonly type: 'WithdrawInvitation'; readonly userId: UserId }
  | {
      readonly type: 'AcceptInvitation'
      readonly tokenHash: string
      readonly credential: EncryptedText
      readonly now: Date
    }
  | { readonly type: 'LapseInvitation'; readonly userId: UserId; readonly reason: LapseReason; readonly now: Date }

type Link = { readonly tokenHash: string; readonly expiresAtMs: number }
export type OpenInvitation = InvitedPerson & Link & { readonly status: 'open' }
export type AcceptedInvitation = InvitedPerson &
  Link & { readonly status: 'accepted'; readonly credential: EncryptedText }

export type InvitationState =
  | { readonly status: 'none' }
  | OpenInvitation
  | AcceptedInvitation
  /** Another account took the address. The link says so. */
  | { readonly status: 'address-taken'; readonly tokenHash: string }

/** 'link-not-valid': unknown, used, withdrawn, replaced or expired. */
export type InvitationRejection = 'already-invited' | 'not-open' | 'link-not-valid' | 'address-taken'

export const invitationDecider: Decider<InvitationState, InvitationCommand, InvitationEvent, InvitationRejection> = {
  category: 'invitation',
  initial: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'Invite': {
        const { person, tokenHash, now } = command
        if (isPending(state, now)) return rejected('already-invited')
        const expired = state.status === 'open' ? [lapsed(state, 'expired')] : []
        return ok([...expired, { type: 'InvitationSent', data: { ...person, ...linkOf(tokenHash, now) } }])
      }
      case 'ResendInvitation': {
        const { userId, tokenHash, now } = command
        if (!isOpenFor(state, userId)) return rejected('not-open')
        return ok([{ type: 'InvitationResent', data: { userId, ...linkOf(tokenHash, now) } }])
      }
      case 'WithdrawInvitation': {
        const { userId } = command
        return isOpenFor(state, userId) ? ok([{ type: 'InvitationWithdrawn', data: { userId } }]) : rejected('not-open')
      }
      case 'AcceptInvitation': {
        const { tokenHash, credential, now } = command
        const invitation = invitationOfLink(state, tokenHash, now)
        if (!invitation.ok) return invitation
        const { userId, emailIndex } = invitation.value
        return ok([{ type: 'InvitationAccepted', data: { userId, emailIndex, credential } }])
      }
      case 'LapseInvitation': {
        const { userId, reason, now } = command
        if (!('userId' in state) || state.userId !== userId) return ok([])
        if (reason === 'expired' && !(state.status === 'open' && isExpired(state, now, keptAfterExpiryMs)))
          return ok([])
        return ok([lapsed(state, reason)])
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'InvitationSent': {
        const { expiresAt, ...invitation } = event.data
        return { status: 'open', ...invitation, expiresAtMs: Date.parse(expiresAt) }
      }
      case 'InvitationResent': {
        const { tokenHash, expiresAt } = event.data
        return state.status === 'open' ? { ...state, tokenHash, expiresAtMs: Date.parse(expiresAt) } : state
      }
      case 'InvitationWithdrawn':
        return { status: 'none' }
      case 'InvitationAccepted':
        return state.status === 'open' ? { ...state, status: 'accepted', credential: event.data.credential } : state
      case 'InvitationLapsed':
        return 'tokenHash' in state && event.data.reason === 'address-taken'
          ? { status: 'address-taken', tokenHash: state.tokenHash }
          : { status: 'none' }
    }
  },

  parse: storedEventReader(invitationEventSchema),
}

const linkOf = (tokenHash: string, now: Date) => ({
  tokenHash,
  expiresAt: new Date(now.getTime() + validMs).toISOString(),
})

const isExpired = ({ expiresAtMs }: Link, now: Date, forMs = 0): boolean => expiresAtMs + forMs <= now.getTime()

/** Its link works. */
export const isPending = (state: InvitationState, now: Date): boolean =>
  state.status === 'open' && !isExpired(state, now)

const isOpenFor = (state: InvitationState, userId: UserId): state is OpenInvitation =>
  state.status === 'open' && state.userId === userId

const lapsed = ({ userId }: Pick<InvitedPerson, 'userId'>, reason: LapseReason): InvitationEvent => ({
  type: 'InvitationLapsed',
  data: { userId, reason },
})

/** The invitation that a link may accept now. */
export const invitationOfLink = (
  state: InvitationState,
  tokenHash: string,
  now: Date,
): Result<OpenInvitation, InvitationRejection> => {
  if (!('tokenHash' in state) || !constantTimeEqual(state.tokenHash, tokenHash)) return rejected('link-not-valid')
  if (state.status === 'address-taken') return rejected('address-taken')
  return state.status !== 'open' || isExpired(state, now) ? rejected('link-not-valid') : ok(state)
}
