import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { codeLimits, type SendAttempt, type SendLimitReached } from './code-limits.ts'
import type { PendingQuery, FreshCodes, RegistrationCommand } from './commands.ts'
import {
  type RequesterKind,
  type Channel,
  channels,
  channelsOf,
  type PerChannel,
  type RegistrationDetails,
  type RegistrationEvent,
  registrationEventSchema,
} from './events.ts'
import {
  requesterKindOf,
  begunBySameCaller,
  checkCodes,
  findPending,
  hasUsableCode,
  isInUse,
  type PendingRegistration,
  waitOf,
  withSendFailed,
  withInitiated,
  withIssued,
  withWrong,
  withoutUser,
} from './pending.ts'

type Open = {
  readonly status: 'open'
  readonly pendingRegistrations: readonly PendingRegistration[]
  /** The former owner of the address. */
  readonly formerUserId?: UserId | undefined
}

/** The address has an account. */
type Completed = {
  readonly status: 'completed'
  readonly details: RegistrationDetails
  /** Channels with the codes that completed the registration. */
  readonly channels: PendingRegistration['channels']
  /** False if the user has not yet proved that they read mail to the address. */
  readonly isEmailProved: boolean
  readonly formerUserId: UserId | undefined
  /** Registrations whose callers may be the true owner of an address that was not proved. */
  readonly pendingRegistrations: readonly PendingRegistration[]
}

export type RegistrationState = Open | Completed

export type RegistrationRejection =
  | { readonly reason: 'already-registered' }
  | { readonly reason: 'not-pending' }
  | SendLimitReached
  | { readonly reason: 'does-not-match' }
  /** No matching registration that this browser began. */
  | { readonly reason: 'not-begun-here' }
  | { readonly reason: 'code-expired' }
  | { readonly reason: 'too-many-wrong-codes' }
  /** The mobile number has confirmed another account. */
  | { readonly reason: 'number-in-use' }

type Decision = Result<readonly RegistrationEvent[], RegistrationRejection>

export const registrationDecider: Decider<
  RegistrationState,
  RegistrationCommand,
  RegistrationEvent,
  RegistrationRejection
> = {
  category: 'registration',
  initial: { status: 'open', pendingRegistrations: [] },

  decide(command, state) {
    switch (command.type) {
      case 'InitiateRegistration':
        return initiate(command, state)
      case 'RegisterDirectly':
        if (state.status === 'completed') return rejected({ reason: 'already-registered' })
        return ok([{ type: 'RegistrationInitiated', data: command.details }, completed(command.details)])
      case 'ResendCodes':
        return resend(command, state)
      case 'ReportCodesNotSent':
        return state.pendingRegistrations.length > 0
          ? ok([{ type: 'CodesNotSent', data: { issueId: command.issueId } }])
          : ok([])
      case 'VerifyCodes':
        return verify(command, state)
      case 'ExpireRegistration':
        return expire(command, state)
      case 'ProveEmail':
        return state.status === 'completed' && state.details.userId === command.userId && !state.isEmailProved
          ? ok([{ type: 'EmailProved', data: { userId: command.userId, emailIndex: state.details.emailIndex } }])
          : ok([])
      case 'ReleaseEmail':
        return state.status === 'completed' && state.details.userId === command.userId
          ? ok([{ type: 'EmailReleased', data: { userId: command.userId } }])
          : ok([])
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'RegistrationInitiated':
        return { ...state, pendingRegistrations: withInitiated(state.pendingRegistrations, event.data) }
      case 'CodesIssued':
        return { ...state, pendingRegistrations: withIssued(state.pendingRegistrations, event.data) }
      case 'CodesNotSent':
        return { ...state, pendingRegistrations: withSendFailed(state.pendingRegistrations, event.data.issueId) }
      case 'WrongCodesEntered':
        return { ...state, pendingRegistrations: withWrong(state.pendingRegistrations, event.data) }
      case 'RegistrationCompleted': {
        const { userId, proved } = event.data
        const pending = state.pendingRegistrations.findLast(({ details }) => details.userId === userId)
        if (state.status === 'completed' || !pending) return state
        const isEmailProved = proved === undefined || proved.includes('email')
        return {
          status: 'completed',
          ...pending,
          isEmailProved,
          formerUserId: state.formerUserId,
          pendingRegistrations: isEmailProved ? [] : state.pendingRegistrations.filter((other) => other !== pending),
        }
      }
      case 'EmailProved':
        return state.status === 'completed' ? { ...state, isEmailProved: true, pendingRegistrations: [] } : state
      case 'RegistrationExpired':
        return { ...state, pendingRegistrations: withoutUser(state.pendingRegistrations, event.data.userId) }
      case 'EmailReleased':
        return { status: 'open', pendingRegistrations: state.pendingRegistrations, formerUserId: event.data.userId }
    }
  },

  parse: storedEventReader(registrationEventSchema),
}

// Stryker disable next-line ConditionalExpression: no other state has an address to prove; the condition is for the types
const hasOwner = (state: RegistrationState): boolean => state.status === 'completed' && state.isEmailProved

/** Why an initiation would be rejected now. Checked before the password is hashed. */
export const initiationRejection = (state: RegistrationState): RegistrationRejection | undefined =>
  hasOwner(state) ? { reason: 'already-registered' } : undefined

/** The pending registration that this browser began for the address. */
export const pendingOfBrowser = (
  state: RegistrationState,
  browserHash: string | undefined,
): PendingRegistration | undefined =>
  browserHash === undefined
    ? undefined
    : state.pendingRegistrations.find(({ details }) => details.browserHash === browserHash)

/** Skips a channel that must wait if the browser can still enter the code sent over it last. */
const initiate = (
  { details, fresh }: Extract<RegistrationCommand, { type: 'InitiateRegistration' }>,
  state: RegistrationState,
): Decision => {
  const rejection = initiationRejection(state)
  if (rejection) return rejected(rejection)
  const initiated: RegistrationEvent = { type: 'RegistrationInitiated', data: details }
  const { userId } = details
  const before = begunBySameCaller(state.pendingRegistrations, details)
  if (!before) return ok([initiated, codesIssued(fresh, { kind: 'first', by: 'browser', userId })])
  const [now] = withInitiated([before], details)
  const pending = now ?? before
  const waiting = channelsOf(fresh.codes).filter((channel) => waitOf(pending, [channel], 'browser', fresh.now))
  const withoutCode = waiting.filter((channel) => !hasUsableCode(pending, channel, fresh.now))
  const wait = waitOf(pending, withoutCode, 'browser', fresh.now)
  if (wait) return rejected(wait)
  const due = only(fresh, (channel) => !waiting.includes(channel))
  return channelsOf(due.codes).length === 0
    ? ok([initiated])
    : ok([initiated, codesIssued(due, { kind: 'resend', by: 'browser', userId })])
}

/** Also one that the state no longer lists: its data is still readable. */
const expire = (
  { userId, emailIndex, now }: Extract<RegistrationCommand, { type: 'ExpireRegistration' }>,
  state: RegistrationState,
): Decision => {
  const isUser = (state.status === 'completed' && state.details.userId === userId) || state.formerUserId === userId
  const pending = state.pendingRegistrations.find(({ details }) => details.userId === userId)
  if (isUser || (pending && isInUse(pending, now))) return ok([])
  return ok([{ type: 'RegistrationExpired', data: { userId, emailIndex } }])
}

const only = (fresh: FreshCodes, isWanted: (channel: Channel) => boolean): FreshCodes => {
  const codes: { [C in Channel]?: string } = {}
  for (const channel of channels) {
    const code = fresh.codes[channel]
    if (code !== undefined && isWanted(channel)) codes[channel] = code
  }
  return { ...fresh, codes }
}

const resend = (
  { fresh, ...claim }: Extract<RegistrationCommand, { type: 'ResendCodes' }>,
  state: RegistrationState,
): Decision => {
  if (state.pendingRegistrations.length === 0) return rejected({ reason: 'not-pending' })
  const [pending] = findPending(state.pendingRegistrations, claim)
  if (!pending) return rejected(noMatch(claim))
  const by = requesterKindOf(claim)
  const wait = waitOf(pending, channelsOf(fresh.codes), by, fresh.now)
  return wait ? rejected(wait) : ok([codesIssued(fresh, { kind: 'resend', by, userId: pending.details.userId })])
}

const completed = (
  { userId, emailIndex }: RegistrationDetails,
  proved?: readonly Channel[],
): Extract<RegistrationEvent, { type: 'RegistrationCompleted' }> => ({
  type: 'RegistrationCompleted',
  data: { userId, emailIndex, ...(proved && { proved: [...proved] }) },
})

type IssuedFor = { readonly kind: SendAttempt['kind']; readonly by: RequesterKind; readonly userId: UserId }

const codesIssued = ({ issueId, codes, now }: FreshCodes, issuedFor: IssuedFor): RegistrationEvent => ({
  type: 'CodesIssued',
  data: {
    ...issuedFor,
    issueId,
    codes,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeLimits.validMs).toISOString(),
  },
})

/**
 * Only the browser that began a registration learns that its code expired or that it guessed too often. Every other
 * caller gets the same rejection for wrong, expired, exhausted, completed and unknown.
 */
const verify = (
  { entered, now, isNumberTaken = false, ...claim }: Extract<RegistrationCommand, { type: 'VerifyCodes' }>,
  state: RegistrationState,
): Decision => {
  const given = channelsOf(entered)
  if (given.length === 0) return rejected(noMatch(claim))
  if (isRepetition(state, claim, entered, now)) return ok([])
  const by = requesterKindOf(claim)
  const entries = findPending(state.pendingRegistrations, claim).map((pending) => ({
    pending,
    entry: checkCodes(pending, entered, by, now),
  }))
  const right = entries.find(({ entry }) => entry.outcome === 'right')
  if (right) return complete(right.pending, given, isNumberTaken, state)
  const wrong = entries.flatMap(({ pending, entry }): RegistrationEvent[] => {
    if (entry.outcome !== 'wrong') return []
    const { userId } = pending.details
    return [{ type: 'WrongCodesEntered', data: { userId, by, channels: [...entry.channels] } }]
  })
  if (wrong.length > 0) return ok(wrong)
  if (by === 'anyone') return rejected(noMatch(claim))
  switch (entries[0]?.entry.outcome) {
    case 'expired':
      return rejected({ reason: 'code-expired' })
    case 'too-many':
      return rejected({ reason: 'too-many-wrong-codes' })
    default:
      return rejected(noMatch(claim))
  }
}

/** The same codes that completed the registration: a caller whose response was lost repeats the request. */
const isRepetition = (state: RegistrationState, claim: PendingQuery, entered: PerChannel<string>, now: Date): boolean =>
  state.status === 'completed' &&
  findPending([state], claim).length > 0 &&
  checkCodes(state, entered, requesterKindOf(claim), now).outcome === 'right'

const complete = (
  { details }: PendingRegistration,
  given: readonly Channel[],
  isNumberTaken: boolean,
  state: RegistrationState,
): Decision => {
  const proved = isNumberTaken ? given.filter((channel) => channel !== 'mobile') : given
  if (state.status === 'completed') {
    // Only reading mail to an address proves ownership, so only the mailed code can take the address back.
    if (!proved.includes('email')) return rejected({ reason: 'already-registered' })
    return ok([{ type: 'EmailReleased', data: { userId: state.details.userId } }, completed(details, proved)])
  }
  return proved.length === 0 ? rejected({ reason: 'number-in-use' }) : ok([completed(details, proved)])
}

/** The same rejection whatever differs, so that callers cannot probe for registrations. */
const noMatch = ({ browserHash }: PendingQuery): RegistrationRejection => ({
  reason: browserHash === undefined ? 'does-not-match' : 'not-begun-here',
})
