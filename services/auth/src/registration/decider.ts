import { timingSafeEqual } from 'node:crypto'
import type { Decider } from '@portal/platform/decider/decider'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type Channel, channels, channelsOf, type PerChannel } from './channel.ts'
import { codeLimits } from './code-limits.ts'
import type { Claim, FreshCodes, RegistrationCommand } from './commands.ts'
import { type RegistrationDetails, type RegistrationEvent, registrationEventSchema } from './events.ts'
import { remember, type Sending, type Wait, waitBeforeSending } from './sending-limits.ts'

type ChannelState = {
  /** Of the newest code; older ones are worth nothing. */
  readonly codeHash: string
  readonly expiresAtMs: number
  readonly wrongAttempts: number
  /** Oldest first. */
  readonly sendings: readonly Sending[]
}

export type RegistrationState =
  | { readonly status: 'none' }
  | {
      readonly status: 'pending'
      readonly details: RegistrationDetails
      readonly channels: PerChannel<ChannelState>
    }
  | {
      readonly status: 'completed'
      readonly details: RegistrationDetails
      readonly channels: PerChannel<ChannelState>
    }

export type RegistrationRejection =
  | { readonly reason: 'already-registered' }
  | { readonly reason: 'not-pending' }
  | Wait
  | { readonly reason: 'does-not-match' }
  /** None that the caller's browser began last. */
  | { readonly reason: 'not-begun-here' }
  | { readonly reason: 'code-expired' }
  | { readonly reason: 'too-many-wrong-codes' }

type Decision = Result<readonly RegistrationEvent[], RegistrationRejection>

export const registrationDecider: Decider<
  RegistrationState,
  RegistrationCommand,
  RegistrationEvent,
  RegistrationRejection
> = {
  category: 'registration',
  initial: { status: 'none' },

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
        return state.status === 'pending' ? ok([{ type: 'CodesNotSent', data: { issueId: command.issueId } }]) : ok([])
      case 'VerifyCodes':
        return verify(command, state)
      case 'ReleaseEmail':
        return state.status === 'completed' && state.details.userId === command.userId
          ? ok([{ type: 'EmailReleased', data: { userId: command.userId } }])
          : ok([])
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'RegistrationInitiated':
        return {
          status: 'pending',
          details: event.data,
          channels: state.status === 'pending' ? state.channels : {},
        }
      case 'CodesIssued':
        return withChannels(state, (channel, before) => {
          const codeHash = event.data.codes[channel]
          return codeHash === undefined ? before : issued(before, codeHash, event.data)
        })
      case 'CodesNotSent':
        return withChannels(
          state,
          (_channel, before) =>
            before && {
              ...before,
              sendings: before.sendings.map((sending) =>
                sending.issueId === event.data.issueId ? { ...sending, failed: true } : sending,
              ),
            },
        )
      case 'WrongCodesEntered':
        return withChannels(state, (channel, before) =>
          before && event.data.channels.includes(channel)
            ? { ...before, wrongAttempts: before.wrongAttempts + 1 }
            : before,
        )
      case 'RegistrationCompleted':
        return state.status === 'pending' ? { ...state, status: 'completed' } : state
      case 'EmailReleased':
        return { status: 'none' }
    }
  },

  parse: storedEventReader(registrationEventSchema),
}

/** Why an initiation would be refused now; asked before the costly part of preparing one. */
export const refusalOfInitiation = (state: RegistrationState, now: Date): RegistrationRejection | undefined => {
  if (state.status === 'completed') return { reason: 'already-registered' }
  return state.status === 'pending' ? refusalOfSending(state.channels, channels, now) : undefined
}

const initiate = (
  { details, fresh }: Extract<RegistrationCommand, { type: 'InitiateRegistration' }>,
  state: RegistrationState,
): Decision => {
  const refusal = refusalOfInitiation(state, fresh.now)
  if (refusal) return rejected(refusal)
  const kind = state.status === 'pending' ? 'resend' : 'first'
  return ok([{ type: 'RegistrationInitiated', data: details }, codesIssued(fresh, kind)])
}

const resend = (
  { fresh, ...claim }: Extract<RegistrationCommand, { type: 'ResendCodes' }>,
  state: RegistrationState,
): Decision => {
  if (state.status !== 'pending') return rejected({ reason: 'not-pending' })
  if (!isOf(state.details, claim)) return rejected(notOf(claim))
  const refusal = refusalOfSending(state.channels, channelsOf(fresh.codes), fresh.now)
  return refusal ? rejected(refusal) : ok([codesIssued(fresh, 'resend')])
}

const completed = ({ userId, emailIndex }: RegistrationDetails): RegistrationEvent => ({
  type: 'RegistrationCompleted',
  data: { userId, emailIndex },
})

const codesIssued = ({ issueId, codes, now }: FreshCodes, kind: Sending['kind']): RegistrationEvent => ({
  type: 'CodesIssued',
  data: {
    issueId,
    codes,
    kind,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeLimits.validMs).toISOString(),
  },
})

/**
 * A registration that is completed accepts the very codes that completed it once more, so that a caller whose answer got
 * lost can ask again.
 */
const verify = (
  { entered, now, ...claim }: Extract<RegistrationCommand, { type: 'VerifyCodes' }>,
  state: RegistrationState,
): Decision => {
  // A claim that is not met is not counted as an attempt: it cannot succeed, and would let anyone use up another's attempts.
  if (state.status === 'none' || !isOf(state.details, claim)) return rejected(notOf(claim))
  const given = channelsOf(entered)
  const codes = given.map((channel) => state.channels[channel])
  if (codes.some((code) => code && code.wrongAttempts >= codeLimits.wrongAttempts)) {
    return rejected({ reason: 'too-many-wrong-codes' })
  }
  if (codes.some((code) => code && code.expiresAtMs <= now.getTime())) return rejected({ reason: 'code-expired' })
  const wrong = given.filter((channel) => !isSameHash(state.channels[channel]?.codeHash, entered[channel]))
  if (state.status === 'completed') {
    return wrong.length === 0 && given.length > 0 ? ok([]) : rejected({ reason: 'does-not-match' })
  }
  if (wrong.length > 0) return ok([{ type: 'WrongCodesEntered', data: { channels: [...wrong] } }])
  if (given.length === 0) return rejected({ reason: 'does-not-match' })
  return ok([completed(state.details)])
}

/**
 * Anybody may begin a registration for any address anew, with a name and a password of their own, and its codes go to the owner.
 * So the owner's browser says which one it began: the codes of a stranger's are not for it.
 */
const isOf = (details: RegistrationDetails, { mobileIndex, browserHash }: Claim): boolean =>
  details.mobileIndex === mobileIndex &&
  (browserHash === undefined || details.browserHash === undefined || isSameHash(details.browserHash, browserHash))

/** The same whatever it is that differs, so that nothing can be found out by asking. */
const notOf = ({ browserHash }: Claim): RegistrationRejection => ({
  reason: browserHash === undefined ? 'does-not-match' : 'not-begun-here',
})

/** In a time that says nothing about how much of it was right. */
const isSameHash = (expected: string | undefined, actual: string | undefined): boolean => {
  if (expected === undefined || actual === undefined) return false
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refusalOfSending = (state: PerChannel<ChannelState>, wanted: readonly Channel[], now: Date): Wait | undefined =>
  waitBeforeSending(
    wanted.map((channel) => state[channel]?.sendings ?? []),
    now,
  )

const issued = (
  before: ChannelState | undefined,
  codeHash: string,
  { issueId, kind, issuedAt, expiresAt }: Extract<RegistrationEvent, { type: 'CodesIssued' }>['data'],
): ChannelState => ({
  codeHash,
  expiresAtMs: Date.parse(expiresAt),
  wrongAttempts: 0,
  sendings: remember(before?.sendings ?? [], { issueId, kind, issuedAtMs: Date.parse(issuedAt), failed: false }),
})

const withChannels = (
  state: RegistrationState,
  change: (channel: Channel, before: ChannelState | undefined) => ChannelState | undefined,
): RegistrationState =>
  state.status === 'none'
    ? state
    : {
        ...state,
        channels: { email: change('email', state.channels.email), mobile: change('mobile', state.channels.mobile) },
      }
