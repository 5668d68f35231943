const minuteMs = 60_000

/** The rules of one-time codes. Those on sending hold for each channel by itself: they protect a mailbox and a phone. */
export const codeLimits = {
  validMs: 10 * minuteMs,
  /** Of each audience: a stranger's guesses do not use up those of the browser that began. */
  wrongAttempts: 5,
  /** More than the limits on new registrations of an address (auth-limits.ts) allow in `browserSecretMs`. */
  pendingPerEmail: 64,
  /** Whose codes a caller without a cookie can enter. */
  candidates: 5,
  resendIntervalMs: 30_000,
  resendWindowMs: 60 * minuteMs,
  resendsPerWindow: 5,
  /** With those that failed, which may be repeated at once. */
  sendAttemptsPerWindow: 15,
  /** How long a browser is known to have begun a registration: for all resends of an hour, and the last code. */
  browserSecretMs: 70 * minuteMs,
} as const

/** One code sent, or meant to be sent, over one channel. */
export type SendAttempt = {
  readonly issueId: string
  readonly kind: 'first' | 'resend'
  readonly issuedAtMs: number
  readonly failed: boolean
  /** Keyed hash of the address or number. */
  readonly to: string
}

/** Which rule asks to wait, and for how long. */
export type SendLimitReached = {
  readonly reason: 'sent-too-recently' | 'sent-too-often'
  readonly retryAfterSeconds: number
}

/** Oldest first. */
type SendHistory = {
  /** Those that the next one keeps its distance from. */
  readonly recent: readonly SendAttempt[]
  /** Those that count for the hour. */
  readonly counted: readonly SendAttempt[]
}

/** The longest wait that the limits ask for before one more code goes over each of these channels. */
export const waitBeforeSending = (histories: readonly SendHistory[], now: Date): SendLimitReached | undefined => {
  const nowMs = now.getTime()
  const recentMs = Math.max(...histories.map(({ recent }) => untilIntervalIsOver(recent, nowMs)), 0)
  const oftenMs = Math.max(...histories.map(({ counted }) => untilWindowHasRoom(counted, nowMs)), 0)
  if (oftenMs > recentMs) return { reason: 'sent-too-often', retryAfterSeconds: Math.ceil(oftenMs / 1_000) }
  if (recentMs > 0) return { reason: 'sent-too-recently', retryAfterSeconds: Math.ceil(recentMs / 1_000) }
  return undefined
}

/** Adds a sending and forgets those that no limit looks at any more. */
export const appendSendAttempt = (sendAttempts: readonly SendAttempt[], sending: SendAttempt): readonly SendAttempt[] =>
  [...sendAttempts, sending].slice(-codeLimits.sendAttemptsPerWindow)

/** What failed may be repeated at once. */
const untilIntervalIsOver = (sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const last = sendAttempts.findLast(({ failed }) => !failed)
  return last ? Math.max(0, last.issuedAtMs + codeLimits.resendIntervalMs - nowMs) : 0
}

/** What failed does not count as a resend, but it cannot be repeated for ever either. */
const untilWindowHasRoom = (sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const resent = sendAttempts.filter(({ failed, kind }) => !failed && kind === 'resend')
  return Math.max(
    untilFewerThan(codeLimits.resendsPerWindow, resent, nowMs),
    untilFewerThan(codeLimits.sendAttemptsPerWindow, sendAttempts, nowMs),
  )
}

/** How long until fewer than `count` of the sendAttempts are inside the window. */
const untilFewerThan = (count: number, sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const deciding = sendAttempts.at(-count)
  return deciding ? Math.max(0, deciding.issuedAtMs + codeLimits.resendWindowMs - nowMs) : 0
}
