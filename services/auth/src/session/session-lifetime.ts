const dayMs = 24 * 60 * 60 * 1_000

/** How long a log-in lasts. */
export const sessionLifetimeMs = 7 * dayMs
