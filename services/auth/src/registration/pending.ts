import { isSameHash } from '../same-hash.ts'
import { codeLimits, remember, type Sending, type Wait, waitBeforeSending } from './code-limits.ts'
import type { Claim } from './commands.ts'
import {
  type Audience,
  audiences,
  type Channel,
  channelsOf,
  type PerChannel,
  type RegistrationDetails,
  type RegistrationEvent,
} from './events.ts'

type Code = { readonly hash: string; readonly expiresAtMs: number }

type ChannelState = {
  /** The newest that the browser asked for, and the newest since that a caller without a cookie asked for. */
  readonly codes: { readonly [A in Audience]?: Code | undefined }
  readonly wrongAttempts: Readonly<Record<Audience, number>>
  /** Oldest first. */
  readonly sendings: Readonly<Record<Audience, readonly Sending[]>>
}

/** A registration that one browser began. */
export type Pending = { readonly details: RegistrationDetails; readonly channels: PerChannel<ChannelState> }

type Issue = Extract<RegistrationEvent, { type: 'CodesIssued' }>['data']

const noChannelYet: ChannelState = {
  codes: {},
  wrongAttempts: { browser: 0, anyone: 0 },
  sendings: { browser: [], anyone: [] },
}

/**
 * What the claim is about, the newest first. A browser has only what it began: with another's details, its owner would make a stranger's
 * name and password their account.
 */
export const claimed = (pendings: readonly Pending[], { mobileIndex, browserHash }: Claim): readonly Pending[] => {
  const ofNumber = pendings.filter(({ details }) => details.mobileIndex === mobileIndex).toReversed()
  if (browserHash === undefined) return ofNumber.slice(0, codeLimits.candidates)
  const isOf = ({ details }: Pending) =>
    details.browserHash === undefined || isSameHash(details.browserHash, browserHash)
  return ofNumber.filter(isOf).slice(0, 1)
}

export const audienceOf = ({ browserHash }: Claim): Audience => (browserHash === undefined ? 'anyone' : 'browser')

/** Of the same browser, or neither with one. */
const isSameCaller = (a: RegistrationDetails, b: RegistrationDetails): boolean => a.browserHash === b.browserHash

export const begunBySameCaller = (pendings: readonly Pending[], details: RegistrationDetails): Pending | undefined =>
  pendings.find((pending) => isSameCaller(pending.details, details))

/** A number that was corrected has had no code yet; what was sent to the former one still counts for the hour. */
const withoutCodes = (channel: ChannelState | undefined): ChannelState | undefined =>
  channel && {
    codes: {},
    wrongAttempts: noChannelYet.wrongAttempts,
    sendings: channel.sendings,
  }

export const withInitiated = (pendings: readonly Pending[], details: RegistrationDetails): readonly Pending[] => {
  const before = begunBySameCaller(pendings, details)
  const isSameNumber = before?.details.mobileIndex === details.mobileIndex
  const { email, mobile } = before?.channels ?? {}
  const pending = { details, channels: { email, mobile: isSameNumber ? mobile : withoutCodes(mobile) } }
  return [...pendings.filter((other) => other !== before), pending].slice(-codeLimits.pendingPerEmail)
}

/** Changes the one that an event names, or the newest. */
const changing = (
  pendings: readonly Pending[],
  userId: string | undefined,
  change: (pending: Pending) => Pending,
): readonly Pending[] => {
  const chosen = userId === undefined ? pendings.at(-1) : pendings.findLast(({ details }) => details.userId === userId)
  return pendings.map((pending) => (pending === chosen ? change(pending) : pending))
}

const eachChannel = (
  pending: Pending,
  change: (channel: Channel, before: ChannelState | undefined) => ChannelState | undefined,
): Pending => ({
  ...pending,
  channels: { email: change('email', pending.channels.email), mobile: change('mobile', pending.channels.mobile) },
})

const recipientOf = ({ mobileIndex, emailIndex }: RegistrationDetails, channel: Channel): string =>
  channel === 'mobile' ? mobileIndex : emailIndex

const issued = (before: ChannelState, hash: string, to: string, issue: Issue): ChannelState => {
  const { issueId, kind, issuedAt, expiresAt, by } = issue
  const code: Code = { hash, expiresAtMs: Date.parse(expiresAt) }
  const sending: Sending = { issueId, kind, issuedAtMs: Date.parse(issuedAt), failed: false, to }
  const isFor = (audience: Audience) => by === undefined || by === audience
  const sendingsOf = (audience: Audience) =>
    isFor(audience) ? remember(before.sendings[audience], sending) : before.sendings[audience]
  return {
    // What the browser asks for replaces all earlier codes; what a stranger asks for leaves the browser's code good.
    codes: by === 'anyone' ? { ...before.codes, anyone: code } : { browser: code },
    wrongAttempts: { browser: isFor('browser') ? 0 : before.wrongAttempts.browser, anyone: 0 },
    sendings: { browser: sendingsOf('browser'), anyone: sendingsOf('anyone') },
  }
}

const lastSentMs = ({ channels: { email, mobile } }: Pending): number =>
  Math.max(
    ...[email, mobile].flatMap((channel) =>
      audiences.map((audience) => channel?.sendings[audience].at(-1)?.issuedAtMs ?? 0),
    ),
  )

/** Forgets what no browser can go on with any more. */
export const withIssued = (pendings: readonly Pending[], issue: Issue): readonly Pending[] => {
  const forgottenMs = Date.parse(issue.issuedAt) - codeLimits.browserSecretMs
  return changing(pendings, issue.userId, (pending) =>
    eachChannel(pending, (channel, before) => {
      const hash = issue.codes[channel]
      return hash === undefined
        ? before
        : issued(before ?? noChannelYet, hash, recipientOf(pending.details, channel), issue)
    }),
  ).filter((pending) => lastSentMs(pending) >= forgottenMs)
}

export const withFailed = (pendings: readonly Pending[], issueId: string): readonly Pending[] => {
  const failed = (sendings: readonly Sending[]) =>
    sendings.map((sending) => (sending.issueId === issueId ? { ...sending, failed: true } : sending))
  return pendings.map((pending) =>
    eachChannel(
      pending,
      (_channel, before) =>
        before && {
          ...before,
          sendings: { browser: failed(before.sendings.browser), anyone: failed(before.sendings.anyone) },
        },
    ),
  )
}

export const withWrong = (
  pendings: readonly Pending[],
  { userId, by, channels: wrong }: Extract<RegistrationEvent, { type: 'WrongCodesEntered' }>['data'],
): readonly Pending[] =>
  changing(pendings, userId, (pending) =>
    eachChannel(pending, (channel, before) => {
      if (!before || !wrong.includes(channel)) return before
      const raised = (audience: Audience) =>
        before.wrongAttempts[audience] + (by === undefined || by === audience ? 1 : 0)
      return { ...before, wrongAttempts: { browser: raised('browser'), anyone: raised('anyone') } }
    }),
  )

/** The longest wait that the limits ask for before a code goes over each of these channels. */
export const waitOf = (pending: Pending, wanted: readonly Channel[], by: Audience, now: Date): Wait | undefined =>
  waitBeforeSending(
    wanted.map((channel) => {
      const { browser, anyone } = pending.channels[channel]?.sendings ?? noChannelYet.sendings
      const to = recipientOf(pending.details, channel)
      // Strangers wait after each other and after the browser; the browser only after itself.
      const recent = by === 'browser' ? browser : [...browser, ...anyone]
      return {
        recent: recent.filter((sending) => sending.to === to).toSorted((a, b) => a.issuedAtMs - b.issuedAtMs),
        counted: by === 'browser' ? browser : anyone,
      }
    }),
    now,
  )

const isOutOfAttempts = (channel: ChannelState | undefined, by: Audience): boolean =>
  (channel?.wrongAttempts[by] ?? 0) >= codeLimits.wrongAttempts

const openCodes = (channel: ChannelState | undefined, by: Audience): readonly Code[] => {
  const { browser, anyone } = channel?.codes ?? {}
  const codes = by === 'browser' ? [browser, anyone] : [anyone ?? browser]
  return codes.filter((code) => code !== undefined)
}

const unexpired = (codes: readonly Code[], now: Date): readonly Code[] =>
  codes.filter(({ expiresAtMs }) => expiresAtMs > now.getTime())

/** Whether the browser can still enter the code that it was sent last. */
export const hasUsableCode = (pending: Pending, channel: Channel, now: Date): boolean => {
  const state = pending.channels[channel]
  return !isOutOfAttempts(state, 'browser') && unexpired(openCodes(state, 'browser'), now).length > 0
}

export type Entry =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'wrong'; readonly channels: readonly Channel[] }
  | { readonly outcome: 'expired' | 'too-many' }

/** What entering codes comes to; changes nothing. */
export const checkEntry = (pending: Pending, entered: PerChannel<string>, by: Audience, now: Date): Entry => {
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
    return codes.filter(({ hash }) => isSameHash(hash, code)).length === 0
  })
  return wrong.length === 0 ? { outcome: 'right' } : { outcome: 'wrong', channels: wrong }
}
