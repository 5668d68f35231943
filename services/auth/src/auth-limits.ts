import type { AttemptLimit } from '@portal/platform/limits/port'
import { resetLimits } from './password-reset/decider.ts'
import { codeLimits } from './registration/code-limits.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How often things may be tried. The rules of one-time codes themselves are in registration/code-limits.ts. */
export type AuthLimits = {
  /** What locks somebody out who mistyped too often: their address only, so that nobody can lock out another. */
  readonly logInFailuresPerEmailAndAddress: AttemptLimit
  /** Against guessing at one account from many addresses. Not for those that its owner has logged in from. */
  readonly logInFailuresPerEmail: AttemptLimit
  /** The same over longer windows: guessing that goes on waits longer after each of them. */
  readonly logInFailuresPerEmailInHours: AttemptLimit
  readonly logInFailuresPerEmailInDay: AttemptLimit
  /** Of a device that the account has logged in with before: no other limit of failures concerns it. */
  readonly logInFailuresPerDevice: AttemptLimit
  /** After so many the owner is told. */
  readonly logInFailuresBeforeNotice: AttemptLimit
  readonly attackNoticesPerEmail: AttemptLimit
  /** Against trying one password on many accounts. A whole campus may share an address. */
  readonly logInFailuresPerAddress: AttemptLimit
  /** With the right password: each takes a hash, and two events when its session ends. */
  readonly logInsPerEmail: AttemptLimit
  readonly registrationsPerAddress: AttemptLimit
  /** Less than those of the mailbox, so that no single caller keeps others from registering an address. */
  readonly registrationsPerEmailAndAddress: AttemptLimit
  /** By callers who have begun none for the address yet. A browser that has begun one is not affected. */
  readonly registrationsPerEmail: AttemptLimit
  readonly repeatedRegistrations: AttemptLimit
  /** Wrong codes. A whole campus may share an address. */
  readonly codeChecksPerAddress: AttemptLimit
  /** Wrong codes of one browser, or of all callers that keep no cookies. */
  readonly codeChecksPerEmail: AttemptLimit
  /** Codes of the whole portal: SMS cost money. Set by SMS_PER_HOUR. */
  readonly smsPerHour: AttemptLimit
  /** However many e-mail addresses it is combined with: a message costs money and wakes somebody up. */
  readonly codesPerMobile: AttemptLimit
  readonly profileChangesPerUser: AttemptLimit
  readonly passwordChangesPerUser: AttemptLimit
  /** Wrong or used tokens. They cannot be guessed; this bounds the work. */
  readonly passwordResetsPerAddress: AttemptLimit
  /** Less than those of the mailbox, so that nobody can keep another from asking. */
  readonly resetLinksPerEmailAndAddress: AttemptLimit
  /** Whoever asks: a mailbox is not to be filled. What is asked for beyond that is not sent. */
  readonly resetLinksPerEmail: AttemptLimit
  readonly resetLinksPerAddress: AttemptLimit
}

export const defaultAuthLimits: AuthLimits = {
  logInFailuresPerEmailAndAddress: { max: 10, windowMs: 15 * minuteMs },
  logInFailuresPerEmail: { max: 100, windowMs: 15 * minuteMs },
  logInFailuresPerEmailInHours: { max: 200, windowMs: 4 * hourMs },
  logInFailuresPerEmailInDay: { max: 400, windowMs: 24 * hourMs },
  logInFailuresPerDevice: { max: 10, windowMs: 15 * minuteMs },
  logInFailuresBeforeNotice: { max: 50, windowMs: 24 * hourMs },
  attackNoticesPerEmail: { max: 1, windowMs: 24 * hourMs },
  logInFailuresPerAddress: { max: 300, windowMs: 15 * minuteMs },
  logInsPerEmail: { max: 60, windowMs: hourMs },
  registrationsPerAddress: { max: 200, windowMs: hourMs },
  registrationsPerEmailAndAddress: { max: 4, windowMs: hourMs },
  registrationsPerEmail: { max: 20, windowMs: hourMs },
  repeatedRegistrations: { max: 1, windowMs: codeLimits.resendIntervalMs },
  codeChecksPerAddress: { max: 100, windowMs: 15 * minuteMs },
  codeChecksPerEmail: { max: 30, windowMs: hourMs },
  smsPerHour: { max: 1_000, windowMs: hourMs },
  codesPerMobile: { max: 20, windowMs: hourMs },
  profileChangesPerUser: { max: 30, windowMs: hourMs },
  passwordChangesPerUser: { max: 10, windowMs: 15 * minuteMs },
  passwordResetsPerAddress: { max: 100, windowMs: hourMs },
  resetLinksPerEmailAndAddress: { max: 5, windowMs: hourMs },
  resetLinksPerEmail: { max: resetLimits.linksPerEmail, windowMs: resetLimits.validMs },
  resetLinksPerAddress: { max: 300, windowMs: hourMs },
}
