const minuteMs = 60_000

export const resetLimits = {
  /** How long a link can be used. */
  validMs: 30 * minuteMs,
  /** Links to one mailbox in that time: whoever is sent no more has one that works. */
  linksPerEmail: 10,
  /** Of the newest: as many as there can be, so that nobody makes an owner's link worthless by asking for others. */
  tokensKept: 20,
} as const
