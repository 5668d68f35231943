import type { UserId } from '@portal/contracts/shared/ids'
import { constantTimeEqual } from '../constant-time-equal.ts'
import {
  codeLimits,
  appendSendAttempt,
  type SendAttempt,
  type SendLimitReached,
  waitBeforeSending,
} from './code-limits.ts'
import type { PendingQuery } from './commands.ts'
import {
  type RequesterKind,
  requesterKinds,
  type Channel,
  channelsOf,
  type PerChannel,
  type RegistrationDetails,
  type RegistrationEvent,
} from './events.ts'

type Code = {
  readonly issueId: string
  readonly hash: string
  readonly expiresAtMs: number
  /** It may not have arrived, so the code before it is valid as well. */
  readonly isUnsent: boolean
}

type ChannelState = {
  /** The codes that the browser requested, and newer ones that a caller without a cookie requested. Newest first. */
  readonly codes: { readonly [A in RequesterKind]?: readonly Code[] | undefined }
  readonly wrongAttempts: Readonly<Record<RequesterKind, number>>
  /** Oldest first. */
  readonly sendAttempts: Readonly<Record<RequesterKind, readonly SendAttempt[]>>
}

/** A pending registration, begun by one browser. */
export type PendingRegistration = { readonly details: RegistrationDetails; readonly channels: PerChannel<ChannelState> }

type Issue = Extract<RegistrationEvent, { type: 'CodesIssued' }>['data']

const noChannelYet: ChannelState = {
  codes: {},
  wrongAttempts: { browser: 0, anyone: 0 },
  sendAttempts: { browser: [], anyone: [] },
}

/**
 * The matching registrations, newest first. A browser matches only its own. If it could complete another one, the owner
 * of the address would confirm a stranger's name and password.
 */
export const findPending = (
  pendingRegistrations: readonly PendingRegistration[],
  { mobileIndex, browserHash }: PendingQuery,
): readonly PendingRegistration[] => {
  const ofNumber = pendingRegistrations.filter(({ details }) => details.mobileIndex === mobileIndex).toReversed()
  if (browserHash === undefined) return ofNumber.slice(0, codeLimits.candidates)
  const isOf = ({ details }: PendingRegistration) =>
    details.browserHash === undefined || constantTimeEqual(details.browserHash, browserHash)
  return ofNumber.filter(isOf).slice(0, 1)
}

export const requesterKindOf = ({ browserHash }: PendingQuery): RequesterKind =>
  browserHash === undefined ? 'anyone' : 'browser'

/** Begun by the same browser, or both without a cookie. */
const isSameCaller = (a: RegistrationDetails, b: RegistrationDetails): boolean => a.browserHash === b.browserHash

export const begunBySameCaller = (
  pendingRegistrations: readonly PendingRegistration[],
  details: RegistrationDetails,
): PendingRegistration | undefined => pendingRegistrations.find((pending) => isSameCaller(pending.details, details))

/** A corrected number has no code yet. Sends to the former number still count for the hourly limit. */
const withoutCodes = (channel: ChannelState | undefined): ChannelState | undefined =>
  channel && {
    codes: {},
    wrongAttempts: noChannelYet.wrongAttempts,
    sendAttempts: channel.sendAttempts,
  }

export const withInitiated = (
  pendingRegistrations: readonly PendingRegistration[],
  details: RegistrationDetails,
): readonly PendingRegistration[] => {
  const before = begunBySameCaller(pendingRegistrations, details)
  const isSameNumber = before?.details.mobileIndex === details.mobileIndex
  const { email, mobile } = before?.channels ?? {}
  const pending = { details, channels: { email, mobile: isSameNumber ? mobile : withoutCodes(mobile) } }
  return [...pendingRegistrations.filter((other) => other !== before), pending].slice(-codeLimits.pendingPerEmail)
}

/** Changes the registration that the event names, or the newest. */
const changing = (
  pendingRegistrations: readonly PendingRegistration[],
  userId: string | undefined,
  change: (pending: PendingRegistration) => PendingRegistration,
): readonly PendingRegistration[] => {
  const chosen =
    userId === undefined
      ? pendingRegistrations.at(-1)
      : pendingRegistrations.findLast(({ details }) => details.userId === userId)
  return pendingRegistrations.map((pending) => (pending === chosen ? change(pending) : pending))
}

const eachChannel = (
  pending: PendingRegistration,
  change: (channel: Channel, before: ChannelState | undefined) => ChannelState | undefined,
): PendingRegistration => ({
  ...pending,
  channels: { email: change('email', pending.channels.email), mobile: change('mobile', pending.channels.mobile) },
})

const recipientOf = ({ mobileIndex, emailIndex }: RegistrationDetails, channel: Channel): string =>
  channel === 'mobile' ? mobileIndex : emailIndex

const issued = (before: ChannelState, hash: string, to: string, issue: Issue): ChannelState => {
  const { issueId, kind, issuedAt, expiresAt, by } = issue
  const code: Code = { issueId, hash, expiresAtMs: Date.parse(expiresAt), isUnsent: false }
  const after = (earlier: readonly Code[] = []) => [code, ...earlier].slice(0, codeLimits.sendAttemptsPerWindow)
  const sending: SendAttempt = { issueId, kind, issuedAtMs: Date.parse(issuedAt), failed: false, to }
  const isFor = (requester: RequesterKind) => by === undefined || by === requester
  const sendAttemptsOf = (requester: RequesterKind) =>
    isFor(requester) ? appendSendAttempt(before.sendAttempts[requester], sending) : before.sendAttempts[requester]
  return {
    // Codes that the browser requests replace all earlier ones. Codes that a stranger requests leave those of the
    // browser valid.
    codes:
      by === 'anyone'
        ? { ...before.codes, anyone: after(before.codes.anyone ?? before.codes.browser) }
        : { browser: after(before.codes.browser) },
    wrongAttempts: { browser: isFor('browser') ? 0 : before.wrongAttempts.browser, anyone: 0 },
    sendAttempts: { browser: sendAttemptsOf('browser'), anyone: sendAttemptsOf('anyone') },
  }
}

export const withoutUser = (
  pendingRegistrations: readonly PendingRegistration[],
  userId: UserId,
): readonly PendingRegistration[] => pendingRegistrations.filter(({ details }) => details.userId !== userId)

/** Whether its own browser may still complete it. Codes that strangers request do not keep it. */
export const isInUse = ({ channels: { email, mobile } }: PendingRegistration, now: Date): boolean =>
  [email, mobile].some((channel) => {
    const last = channel?.sendAttempts.browser.at(-1)
    return last !== undefined && now.getTime() - last.issuedAtMs < codeLimits.browserSecretMs
  })

const lastSentMs = ({ channels: { email, mobile } }: PendingRegistration): number =>
  Math.max(
    ...[email, mobile].flatMap((channel) =>
      requesterKinds.map((requester) => channel?.sendAttempts[requester].at(-1)?.issuedAtMs ?? 0),
    ),
  )

/** Drops registrations that no browser can continue. */
export const withIssued = (
  pendingRegistrations: readonly PendingRegistration[],
  issue: Issue,
): readonly PendingRegistration[] => {
  const droppedBeforeMs = Date.parse(issue.issuedAt) - codeLimits.browserSecretMs
  return changing(pendingRegistrations, issue.userId, (pending) =>
    eachChannel(pending, (channel, before) => {
      const hash = issue.codes[channel]
      return hash === undefined
        ? before
        : issued(before ?? noChannelYet, hash, recipientOf(pending.details, channel), issue)
    }),
  ).filter((pending) => lastSentMs(pending) >= droppedBeforeMs)
}

export const withSendFailed = (
  pendingRegistrations: readonly PendingRegistration[],
  issueId: string,
): readonly PendingRegistration[] => {
  const failed = (sendAttempts: readonly SendAttempt[]) =>
    sendAttempts.map((sending) => (sending.issueId === issueId ? { ...sending, failed: true } : sending))
  const unsent = (codes: readonly Code[] | undefined) =>
    codes?.map((code) => (code.issueId === issueId ? { ...code, isUnsent: true } : code))
  return pendingRegistrations.map((pending) =>
    eachChannel(
      pending,
      (_channel, before) =>
        before && {
          ...before,
          codes: { browser: unsent(before.codes.browser), anyone: unsent(before.codes.anyone) },
          sendAttempts: { browser: failed(before.sendAttempts.browser), anyone: failed(before.sendAttempts.anyone) },
        },
    ),
  )
}

export const withWrong = (
  pendingRegistrations: readonly PendingRegistration[],
  { userId, by, channels: wrong }: Extract<RegistrationEvent, { type: 'WrongCodesEntered' }>['data'],
): readonly PendingRegistration[] =>
  changing(pendingRegistrations, userId, (pending) =>
    eachChannel(pending, (channel, before) => {
      if (!before || !wrong.includes(channel)) return before
      const raised = (requester: RequesterKind) =>
        before.wrongAttempts[requester] + (by === undefined || by === requester ? 1 : 0)
      return { ...before, wrongAttempts: { browser: raised('browser'), anyone: raised('anyone') } }
    }),
  )

/** The longest wait that the limits require before a code is sent over each of these channels. */
export const waitOf = (
  pending: PendingRegistration,
  wanted: readonly Channel[],
  by: RequesterKind,
  now: Date,
): SendLimitReached | undefined =>
  waitBeforeSending(
    wanted.map((channel) => {
      const { browser, anyone } = pending.channels[channel]?.sendAttempts ?? noChannelYet.sendAttempts
      const to = recipientOf(pending.details, channel)
      // A stranger waits after sends of strangers and of the browser; the browser only after its own.
      const recent = by === 'browser' ? browser : [...browser, ...anyone]
      return {
        recent: recent.filter((sending) => sending.to === to).toSorted((a, b) => a.issuedAtMs - b.issuedAtMs),
        counted: by === 'browser' ? browser : anyone,
      }
    }),
    now,
  )

const isOutOfAttempts = (channel: ChannelState | undefined, by: RequesterKind): boolean =>
  (channel?.wrongAttempts[by] ?? 0) >= codeLimits.wrongAttempts

/** The newest code that was sent, and those after it that could not be sent. */
const openOf = (codes: readonly Code[] = []): readonly Code[] => {
  const lastSent = codes.findIndex(({ isUnsent }) => !isUnsent)
  return lastSent < 0 ? codes : codes.slice(0, lastSent + 1)
}

const openCodes = (channel: ChannelState | undefined, by: RequesterKind): readonly Code[] => {
  const { browser, anyone } = channel?.codes ?? {}
  return by === 'browser' ? [...openOf(browser), ...openOf(anyone)] : openOf(anyone ?? browser)
}

const unexpired = (codes: readonly Code[], now: Date): readonly Code[] =>
  codes.filter(({ expiresAtMs }) => expiresAtMs > now.getTime())

/** Whether the browser can still enter the code that was sent last. */
export const hasUsableCode = (pending: PendingRegistration, channel: Channel, now: Date): boolean => {
  const state = pending.channels[channel]
  return !isOutOfAttempts(state, 'browser') && unexpired(openCodes(state, 'browser'), now).length > 0
}

type CodeCheck =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'wrong'; readonly channels: readonly Channel[] }
  | { readonly outcome: 'expired' | 'too-many' }

/** Checks entered codes without changing anything. */
export const checkCodes = (
  pending: PendingRegistration,
  entered: PerChannel<string>,
  by: RequesterKind,
  now: Date,
): CodeCheck => {
  const given = channelsOf(entered)
  const states = given.map((channel) => pending.channels[channel])
  if (states.some((state) => isOutOfAttempts(state, by))) return { outcome: 'too-many' }
  const isExpired = (state: ChannelState | undefined) => {
    const codes = openCodes(state, by)
    return codes.length > 0 && unexpired(codes, now).length === 0
  }
  if (states.some(isExpired)) return { outcome: 'expired' }
  const wrong = given.filter((channel) => {
    const codes = unexpired(openCodes(pending.channels[channel], by), now)
    const code = entered[channel] ?? ''
    return codes.filter(({ hash }) => constantTimeEqual(hash, code)).length === 0
  })
  return wrong.length === 0 ? { outcome: 'right' } : { outcome: 'wrong', channels: wrong }
}
