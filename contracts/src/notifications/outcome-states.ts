/** The final states of a recipient; before one of them a recipient is pending. */
export const outcomeStates = ['live', 'pushed', 'skipped', 'failed', 'cancelled'] as const
export type OutcomeState = (typeof outcomeStates)[number]

/** Something for each of them, so that nobody enumerates them by hand. */
export const eachOutcome = <T>(of: (state: OutcomeState) => T): Record<OutcomeState, T> =>
  // The type of fromEntries forgets the keys: these are all the states.
  Object.fromEntries(outcomeStates.map((state) => [state, of(state)])) as Record<OutcomeState, T>
