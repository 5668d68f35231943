import { z } from 'zod'
import { programRecordIdSchema } from '../shared/ids.ts'
import { feeAccountSchema } from './fee-account.ts'
import { programSchema } from './program.ts'

export const paymentStatusSchema = z.enum(['Pending', 'Completed'])

/** Message for admins and faculty, who only view programs. */
export const onlyLearnersEnroll = 'Only learners can enroll in programs'

export const semesterName = (number: number): string => `Semester ${number}`
export const semesterNumber = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 1)

/** Where every enrollment starts. */
export const firstSemester = 'Semester 1'

/**
 * A learner's enrollment. `programId` is the program's `_id`, which URLs use. The enrollment stays readable after
 * the program is deleted: `withdrawnAt` is the time of deletion, and the program keeps its last content.
 */
export const enrollmentSchema = z.object({
  programId: programRecordIdSchema,
  programName: z.string(),
  currentSemester: z.string(),
  paymentStatus: paymentStatusSchema,
  /** Absent until a payment is confirmed: then nothing is paid, and the installments are those of the program. */
  feeAccount: feeAccountSchema.optional(),
  /** ISO 8601. */
  enrolledAt: z.iso.datetime(),
  withdrawnAt: z.iso.datetime().nullable(),
})
export type Enrollment = z.infer<typeof enrollmentSchema>

/** The enrollment with its full program. `programId` is the program code, as on every program. */
export const enrolledProgramSchema = programSchema.extend({ enrollment: enrollmentSchema })
export type EnrolledProgram = z.infer<typeof enrolledProgramSchema>
