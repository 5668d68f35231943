import { firstSemester } from '@portal/contracts/catalog/enrollment'
import type { ProgramId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { EnrollmentCommand } from './commands.ts'
import { type EnrollmentEvent, enrollmentEventSchema, type RecordedEnrollment } from './events.ts'

/** As many as there can be programmes at a time; it keeps a learner's list on one page. */
export const maxEnrollments = 200

export type EnrollmentsState = ReadonlyMap<ProgramId, RecordedEnrollment>
export type EnrollmentRejection = 'too-many'

/**
 * A stream for each learner: that nobody is enrolled twice in a programme is a rule of one learner's enrolments, and learners
 * enrol at the same time. Whether there is such a programme is asked before, and not a rule of this stream: who enrols
 * in the moment of its removal has a readable record of it, as everybody else who was enrolled.
 */
export const enrollmentDecider: Decider<EnrollmentsState, EnrollmentCommand, EnrollmentEvent, EnrollmentRejection> = {
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
