/**
 * The projections that others wait for before they tell of a change, by name: whoever then fetches finds it. The partition is the
 * message's key on the bus.
 */
export const programsProjectionName = 'programs'
export const enrollmentsProjectionName = 'enrollments'
