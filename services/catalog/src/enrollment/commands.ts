import type { ProgramId, UserId } from '@portal/contracts/shared/ids'

/** The programme is one that there is; its name goes on record as it is then. */
export type EnrollmentCommand = {
  readonly type: 'Enroll'
  readonly userId: UserId
  readonly programId: ProgramId
  readonly programName: string
  readonly enrolledAt: string
}
