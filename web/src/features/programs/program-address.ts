/** Where a programme card leads a learner. The address is the programme's `_id`. */
export const programAddress = (id: string, isEnrolled: boolean): string =>
  isEnrolled ? `/program-details-active/${id}` : `/program-details-inactives/${id}`
