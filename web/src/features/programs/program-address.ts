import type { ProgramId } from '@portal/contracts/shared/ids'

/** Where a programme card leads a learner. */
export const programAddress = (id: ProgramId, isEnrolled: boolean): string =>
  isEnrolled ? `/program-details-active/${id}` : `/program-details-inactives/${id}`
