import { paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const enrollmentEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('LearnerEnrolled'),
    data: z.object({
      userId: userIdSchema,
      programId: programRecordIdSchema,
      /** The name at the time of enrollment. */
      programName: z.string(),
      currentSemester: z.string(),
      paymentStatus: paymentStatusSchema,
      enrolledAt: z.iso.datetime(),
    }),
  }),
])
export type EnrollmentEvent = z.infer<typeof enrollmentEventSchema>
export type RecordedEnrollment = EnrollmentEvent['data']
