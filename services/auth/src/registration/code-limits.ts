const minuteMs = 60_000

/** The rules of one-time codes. Those on sending hold for each channel by itself: they protect a mailbox and a phone. */
export const codeLimits = {
  validMs: 10 * minuteMs,
  wrongAttempts: 5,
  resendIntervalMs: 30_000,
  resendWindowMs: 60 * minuteMs,
  resendsPerWindow: 5,
  /** With those that failed, which may be repeated at once. */
  sendingsPerWindow: 15,
  /** How long a browser is known to have begun a registration: for all resends of an hour, and the last code. */
  browserSecretMs: 70 * minuteMs,
} as const
