const minuteMs = 60_000

export const resetLimits = {
  /** How long a link can be used. */
  validMs: 30 * minuteMs,
  /** Links to one mailbox in that time: whoever is sent no more has one that works. */
  linksPerEmail: 3,
  /** Of the newest: as many as can be good at once, so that no stranger makes an owner's link worthless by asking for others. */
  tokensKept: 6,
} as const
