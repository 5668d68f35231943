import { firstSemester } from '@portal/contracts/catalog/enrollment'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type EnrollmentEvent, enrollmentEventSchema, type RecordedEnrollment } from './events.ts'

/** The program must exist. Its current name is recorded. */
export type EnrollmentCommand = {
  readonly type: 'Enroll'
  readonly userId: UserId
  readonly programId: ProgramRecordId
  readonly programName: string
  readonly enrolledAt: string
}

/** Equals the maximum number of programs, so a learner's list fits on one page. */
export const maxEnrollments = limits.enrollmentsPerUser

type EnrollmentsState = ReadonlyMap<ProgramRecordId, RecordedEnrollment>

/**
 * One stream per learner. The rule against duplicate enrollments concerns one learner only, and learners enroll
 * concurrently. The caller checks that the program exists; this stream does not enforce it. A learner who enrolls
 * while the program is being deleted keeps a readable record, like every other enrolled learner.
 */
export const enrollmentDecider: Decider<EnrollmentsState, EnrollmentCommand, EnrollmentEvent, 'too-many'> = {
  category: 'enrollment',
  initial: new Map(),

  decide({ userId, programId, programName, enrolledAt }, state) {
    if (state.has(programId)) return ok([])
    if (state.size >= maxEnrollments) return rejected('too-many')
    const enrolled = { userId, programId, programName, enrolledAt }
    return ok([
      { type: 'LearnerEnrolled', data: { ...enrolled, currentSemester: firstSemester, paymentStatus: 'Pending' } },
    ])
  },

  // The first enrollment in a program wins.
  evolve: (state, { data }) => (state.has(data.programId) ? state : new Map(state).set(data.programId, data)),

  parse: storedEventReader(enrollmentEventSchema),
}
