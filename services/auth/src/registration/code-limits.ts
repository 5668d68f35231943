const minuteMs = 60_000

/** The rules of one-time codes. Send limits apply per channel: they protect a mailbox and a phone. */
export const codeLimits = {
  validMs: 10 * minuteMs,
  /** Limit per kind of requester: the guesses of a stranger do not use up those of the browser that began. */
  wrongAttempts: 5,
  /** Higher than the limits on new registrations of a mailbox (auth-limits.ts) allow in `browserSecretMs`. */
  pendingPerEmail: 64,
  /** How many of the newest registrations a caller without a cookie can complete. */
  candidates: 5,
  resendIntervalMs: 30_000,
  resendWindowMs: 60 * minuteMs,
  resendsPerWindow: 5,
  /** Includes failed sends, which may be retried at once. */
  sendAttemptsPerWindow: 15,
  /** How long a browser can continue its registration: all resends of an hour, and the lifetime of the last code. */
  browserSecretMs: 70 * minuteMs,
  /** How long an unfinished registration is kept. */
  unfinishedMs: 24 * 60 * minuteMs,
} as const

/** One attempt to send a code over one channel. */
export type SendAttempt = {
  readonly issueId: string
  readonly kind: 'first' | 'resend'
  readonly issuedAtMs: number
  readonly failed: boolean
  /** Keyed hash of the address or number. */
  readonly to: string
}

/** The limit that was reached, and how long to wait. */
export type SendLimitReached = {
  readonly reason: 'sent-too-recently' | 'sent-too-often'
  readonly retryAfterSeconds: number
}

/** Oldest first. */
type SendHistory = {
  /** Sends that the next one must keep the interval from. */
  readonly recent: readonly SendAttempt[]
  /** Sends that count for the hourly limit. */
  readonly counted: readonly SendAttempt[]
}

/** The longest wait that the limits require before the next code over all of these channels. */
export const waitBeforeSending = (histories: readonly SendHistory[], now: Date): SendLimitReached | undefined => {
  const nowMs = now.getTime()
  const recentMs = Math.max(...histories.map(({ recent }) => untilIntervalIsOver(recent, nowMs)), 0)
  const oftenMs = Math.max(...histories.map(({ counted }) => untilWindowHasRoom(counted, nowMs)), 0)
  if (oftenMs > recentMs) return { reason: 'sent-too-often', retryAfterSeconds: Math.ceil(oftenMs / 1_000) }
  if (recentMs > 0) return { reason: 'sent-too-recently', retryAfterSeconds: Math.ceil(recentMs / 1_000) }
  return undefined
}

/** Appends a send attempt and drops those that no limit counts. */
export const appendSendAttempt = (sendAttempts: readonly SendAttempt[], sending: SendAttempt): readonly SendAttempt[] =>
  [...sendAttempts, sending].slice(-codeLimits.sendAttemptsPerWindow)

/** A failed send may be retried at once. */
const untilIntervalIsOver = (sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const last = sendAttempts.findLast(({ failed }) => !failed)
  return last ? Math.max(0, last.issuedAtMs + codeLimits.resendIntervalMs - nowMs) : 0
}

/** A failed send does not count as a resend, but all attempts together are limited. */
const untilWindowHasRoom = (sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const resent = sendAttempts.filter(({ failed, kind }) => !failed && kind === 'resend')
  return Math.max(
    untilFewerThan(codeLimits.resendsPerWindow, resent, nowMs),
    untilFewerThan(codeLimits.sendAttemptsPerWindow, sendAttempts, nowMs),
  )
}

/** Milliseconds until fewer than `count` sends are inside the window. */
const untilFewerThan = (count: number, sendAttempts: readonly SendAttempt[], nowMs: number): number => {
  const deciding = sendAttempts.at(-count)
  return deciding ? Math.max(0, deciding.issuedAtMs + codeLimits.resendWindowMs - nowMs) : 0
}
