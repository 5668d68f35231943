/**
 * Event types that are newer than the newest golden folder. The next folder must contain them; this list is then empty again.
 */
export const newerEventTypes: readonly string[] = []
