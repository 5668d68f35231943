import { z } from 'zod'
import { programRecordIdSchema } from '../shared/ids.ts'
import { programSchema } from './program.ts'

export const paymentStatusSchema = z.enum(['Pending', 'Completed'])

/** To admins and to the faculty, who look at programs. */
export const onlyLearnersEnroll = 'Only learners can enroll in programs'

/** Every learner's: the portal does not know how far somebody has come. */
export const firstSemester = 'Semester 1'

/**
 * A learner's enrollment. `programId` is the program's `_id`, by which the details are addressed. It stays readable when
 * the program is deleted: then `withdrawnAt` says since when, and the program is shown as it was.
 */
export const enrollmentSchema = z.object({
  programId: programRecordIdSchema,
  programName: z.string(),
  currentSemester: z.string(),
  paymentStatus: paymentStatusSchema,
  /** ISO 8601. */
  enrolledAt: z.iso.datetime(),
  withdrawnAt: z.iso.datetime().nullable(),
})
export type Enrollment = z.infer<typeof enrollmentSchema>

/** The enrollment with all that is known of its program. `programId` is the code, as on every program. */
export const enrolledProgramSchema = programSchema.extend({ enrollment: enrollmentSchema })
export type EnrolledProgram = z.infer<typeof enrolledProgramSchema>
