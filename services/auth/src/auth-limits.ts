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
  logInFailuresPerEmailAndAddress: { most: 10, windowMs: 15 * minuteMs },
  logInFailuresPerEmail: { most: 100, windowMs: 15 * minuteMs },
  logInFailuresPerEmailInHours: { most: 200, windowMs: 4 * hourMs },
  logInFailuresPerEmailInDay: { most: 400, windowMs: 24 * hourMs },
  logInFailuresPerDevice: { most: 10, windowMs: 15 * minuteMs },
  logInFailuresBeforeNotice: { most: 50, windowMs: 24 * hourMs },
  attackNoticesPerEmail: { most: 1, windowMs: 24 * hourMs },
  logInFailuresPerAddress: { most: 300, windowMs: 15 * minuteMs },
  logInsPerEmail: { most: 60, windowMs: hourMs },
  registrationsPerAddress: { most: 200, windowMs: hourMs },
  registrationsPerEmailAndAddress: { most: 4, windowMs: hourMs },
  registrationsPerEmail: { most: 20, windowMs: hourMs },
  repeatedRegistrations: { most: 1, windowMs: codeLimits.resendIntervalMs },
  codeChecksPerAddress: { most: 100, windowMs: 15 * minuteMs },
  codeChecksPerEmail: { most: 30, windowMs: hourMs },
  smsPerHour: { most: 1_000, windowMs: hourMs },
  codesPerMobile: { most: 20, windowMs: hourMs },
  profileChangesPerUser: { most: 30, windowMs: hourMs },
  passwordChangesPerUser: { most: 10, windowMs: 15 * minuteMs },
  passwordResetsPerAddress: { most: 100, windowMs: hourMs },
  resetLinksPerEmailAndAddress: { most: 5, windowMs: hourMs },
  resetLinksPerEmail: { most: resetLimits.linksPerEmail, windowMs: resetLimits.validMs },
  resetLinksPerAddress: { most: 300, windowMs: hourMs },
}
