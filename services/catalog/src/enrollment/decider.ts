import { firstSemester } from '@portal/contracts/catalog/enrollment'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type EnrollmentEvent, enrollmentEventSchema, type RecordedEnrollment } from './events.ts'

/** The program is one that there is; its name goes on record as it is then. */
export type EnrollmentCommand = {
  readonly type: 'Enroll'
  readonly userId: UserId
  readonly programId: ProgramRecordId
  readonly programName: string
  readonly enrolledAt: string
}

/** As many as there can be programs at a time; it keeps a learner's list on one page. */
export const maxEnrollments = 200

type EnrollmentsState = ReadonlyMap<ProgramRecordId, RecordedEnrollment>

/**
 * A stream for each learner: that nobody is enrolled twice in a program is a rule of one learner's enrollments, and learners
 * enroll at the same time. Whether there is such a program is asked before, and not a rule of this stream: who enrolls
 * in the moment of its removal has a readable record of it, as everybody else who was enrolled.
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

  // The first one counts.
  evolve: (state, { data }) => (state.has(data.programId) ? state : new Map(state).set(data.programId, data)),

  parse: storedEventReader(enrollmentEventSchema),
}
