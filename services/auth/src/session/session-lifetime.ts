const dayMs = 24 * 60 * 60 * 1_000

/** How long a log-in lasts, if the settings do not say. */
export const defaultSessionLifetimeMs = 7 * dayMs
