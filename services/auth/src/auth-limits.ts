import type { AttemptLimit } from '@portal/platform/limits/port'
import { resetLimits } from './password-reset/decider.ts'
import { passkeyChallengeValidMs } from './second-factor/passkey-challenge.ts'
import { codeLimits } from './registration/code-limits.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Rate limits of authentication. The rules of one-time codes are in registration/code-limits.ts. */
export type AuthLimits = {
  /** Limit per account and client address, so that a stranger cannot lock out the owner. */
  readonly logInFailuresPerEmailAndAddress: AttemptLimit
  /**
   * Against guessing one account from many addresses. Does not apply to addresses that the owner has logged in from.
   */
  readonly logInFailuresPerEmail: AttemptLimit
  /** The same over longer windows: persistent guessing waits longer after each window. */
  readonly logInFailuresPerEmailInHours: AttemptLimit
  readonly logInFailuresPerEmailInDay: AttemptLimit
  /** Limit for a device that the account has logged in with before. No other failure limit applies to it. */
  readonly logInFailuresPerDevice: AttemptLimit
  /** Failures before the owner gets a notice. */
  readonly logInFailuresBeforeNotice: AttemptLimit
  readonly attackNoticesPerEmail: AttemptLimit
  /** Mails about logins with new devices. */
  readonly newDeviceNoticesPerUser: AttemptLimit
  /** Mails about new passwords, roles and second factors. */
  readonly changeNoticesPerUser: AttemptLimit
  /** Mails to a person without an account who is invited to programs. Those beyond the limit are not sent. */
  readonly learnerInvitationsPerEmail: AttemptLimit
  /** For as long as an event is news. */
  readonly noticesPerEvent: AttemptLimit
  /** Against trying one password on many accounts. Generous, because a whole campus may share an address. */
  readonly logInFailuresPerAddress: AttemptLimit
  /** Successful logins. Each costs a hash, and two events when its session ends. */
  readonly logInsPerEmail: AttemptLimit
  /** Guesses of six digits by those who know the password. */
  readonly wrongSecondStepsPerUser: AttemptLimit
  readonly wrongSecondStepsPerUserInDay: AttemptLimit
  readonly wrongRecoveryCodesPerUserAndAddress: AttemptLimit
  /** Signatures cannot be guessed; this limits the work. */
  readonly wrongPasskeysPerUserAndAddress: AttemptLimit
  /** Each challenge can be answered once, while it is valid. */
  readonly passkeyChallengeUses: AttemptLimit
  /** Secrets made for authenticator apps. Each is an event. */
  readonly totpOffersPerUser: AttemptLimit
  readonly registrationsPerAddress: AttemptLimit
  /** Lower than the limit per mailbox, so that no single caller blocks registrations of an address. */
  readonly registrationsPerEmailAndAddress: AttemptLimit
  /** Limit for callers without a pending registration of the address. A browser that has one is not affected. */
  readonly registrationsPerEmail: AttemptLimit
  /** The first one of each client address, so that a few callers do not use up what the owner of the mailbox needs. */
  readonly firstRegistrationsPerEmail: AttemptLimit
  readonly firstRegistrationsPerEmailAndAddress: AttemptLimit
  readonly repeatedRegistrations: AttemptLimit
  /** Wrong codes. Generous, because a whole campus may share an address. */
  readonly codeChecksPerAddress: AttemptLimit
  /** Wrong codes per browser, or of all callers without cookies together. */
  readonly codeChecksPerEmail: AttemptLimit
  /** All SMS codes of the portal, because each costs money. Set by SMS_PER_HOUR. */
  readonly smsPerHour: AttemptLimit
  /** A share of the budget, so that no few callers and no range of numbers, such as that of one operator, use it up. */
  readonly smsPerAddress: AttemptLimit
  readonly smsPerNumberPrefix: AttemptLimit
  /** Counts per number, whatever the e-mail address: a message costs money and may wake the owner. */
  readonly codesPerMobile: AttemptLimit
  /** Limit for callers without a cookie, per address, number and channel, whether or not there is such a registration. */
  readonly resendsPerPair: AttemptLimit
  readonly profileChangesPerUser: AttemptLimit
  readonly passwordChangesPerUser: AttemptLimit
  /** Wrong ones, where the own password confirms a deletion, or a change of another account. */
  readonly passwordChecksPerUser: AttemptLimit
  /** Bounds what a stolen session of an admin can change. */
  readonly accountChangesPerAdmin: AttemptLimit
  readonly erasuresPerAdmin: AttemptLimit
  /** Wrong or used tokens. Tokens cannot be guessed; this limits the work. */
  readonly passwordResetsPerAddress: AttemptLimit
  /** Lower than the limit per mailbox, so that one caller cannot block requests of another. */
  readonly resetLinksPerEmailAndAddress: AttemptLimit
  /** Counts all callers, to protect the mailbox. Requests beyond the limit send nothing. */
  readonly resetLinksPerEmail: AttemptLimit
  readonly resetLinksPerAddress: AttemptLimit
  /** First and repeated ones: each sends mail to an address that the admin typed. */
  readonly invitationsPerAdmin: AttemptLimit
}

/** One address or prefix gets a tenth of the portal's budget. */
export const smsLimits = (
  smsPerHour: number,
): Pick<AuthLimits, 'smsPerHour' | 'smsPerAddress' | 'smsPerNumberPrefix'> => {
  const share = { max: Math.ceil(smsPerHour / 10), windowMs: hourMs }
  return { smsPerHour: { max: smsPerHour, windowMs: hourMs }, smsPerAddress: share, smsPerNumberPrefix: share }
}

export const defaultAuthLimits: AuthLimits = {
  logInFailuresPerEmailAndAddress: { max: 10, windowMs: 15 * minuteMs },
  logInFailuresPerEmail: { max: 100, windowMs: 15 * minuteMs, isForgottenAtRestart: true },
  logInFailuresPerEmailInHours: { max: 200, windowMs: 4 * hourMs, isForgottenAtRestart: true },
  logInFailuresPerEmailInDay: { max: 400, windowMs: 24 * hourMs, isForgottenAtRestart: true },
  logInFailuresPerDevice: { max: 10, windowMs: 15 * minuteMs },
  logInFailuresBeforeNotice: { max: 50, windowMs: 24 * hourMs },
  attackNoticesPerEmail: { max: 1, windowMs: 24 * hourMs },
  newDeviceNoticesPerUser: { max: 5, windowMs: 24 * hourMs },
  changeNoticesPerUser: { max: 10, windowMs: 24 * hourMs },
  learnerInvitationsPerEmail: { max: 10, windowMs: 24 * hourMs },
  noticesPerEvent: { max: 1, windowMs: 48 * hourMs },
  logInFailuresPerAddress: { max: 300, windowMs: 15 * minuteMs },
  logInsPerEmail: { max: 60, windowMs: hourMs },
  wrongSecondStepsPerUser: { max: 10, windowMs: 15 * minuteMs },
  wrongSecondStepsPerUserInDay: { max: 30, windowMs: 24 * hourMs },
  wrongRecoveryCodesPerUserAndAddress: { max: 10, windowMs: 15 * minuteMs },
  wrongPasskeysPerUserAndAddress: { max: 10, windowMs: 15 * minuteMs },
  passkeyChallengeUses: { max: 1, windowMs: passkeyChallengeValidMs },
  totpOffersPerUser: { max: 10, windowMs: 15 * minuteMs },
  registrationsPerAddress: { max: 200, windowMs: hourMs },
  registrationsPerEmailAndAddress: { max: 4, windowMs: hourMs },
  registrationsPerEmail: { max: 10, windowMs: hourMs },
  firstRegistrationsPerEmail: { max: 20, windowMs: hourMs },
  firstRegistrationsPerEmailAndAddress: { max: 1, windowMs: hourMs },
  repeatedRegistrations: { max: 1, windowMs: codeLimits.resendIntervalMs },
  codeChecksPerAddress: { max: 100, windowMs: 15 * minuteMs },
  codeChecksPerEmail: { max: 30, windowMs: hourMs },
  ...smsLimits(1_000),
  codesPerMobile: { max: 20, windowMs: hourMs },
  resendsPerPair: { max: 1, windowMs: codeLimits.resendIntervalMs },
  profileChangesPerUser: { max: 30, windowMs: hourMs },
  passwordChangesPerUser: { max: 10, windowMs: 15 * minuteMs },
  passwordChecksPerUser: { max: 10, windowMs: 15 * minuteMs },
  accountChangesPerAdmin: { max: 100, windowMs: 15 * minuteMs },
  erasuresPerAdmin: { max: 20, windowMs: 15 * minuteMs },
  passwordResetsPerAddress: { max: 100, windowMs: hourMs },
  resetLinksPerEmailAndAddress: { max: 5, windowMs: hourMs },
  resetLinksPerEmail: { max: resetLimits.linksPerEmail, windowMs: resetLimits.validMs },
  resetLinksPerAddress: { max: 300, windowMs: hourMs },
  invitationsPerAdmin: { max: 20, windowMs: hourMs },
}
