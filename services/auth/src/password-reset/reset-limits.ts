const minuteMs = 60_000

export const resetLimits = {
  /** How long a link can be used. */
  validMs: 30 * minuteMs,
  /** Mails that are being handed over. A provider that stands still must not fill the memory. */
  mailsUnderWay: 500,
} as const
