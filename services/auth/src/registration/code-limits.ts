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
  sendingsPerWindow: 15,
  /** How long a browser is known to have begun a registration: for all resends of an hour, and the last code. */
  browserSecretMs: 70 * minuteMs,
} as const
