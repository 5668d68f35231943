/** The page that a program card opens for a learner. `id` is the `_id` of the program. */
export const programAddress = (id: string, isEnrolled: boolean): string =>
  isEnrolled ? `/program-details-active/${id}` : `/program-details-inactives/${id}`

export const semestersText = (count: number): string => `${count} ${count === 1 ? 'semester' : 'semesters'}`
