/**
 * The projections that others wait for before they tell of a change: whoever then fetches finds it. The partition is the message's
 * key on the bus. The version rises with every change of a projection's documents.
 */
export const programsProjectionRef = { name: 'programs', version: 1 } as const
export const enrollmentsProjectionRef = { name: 'enrollments', version: 1 } as const
