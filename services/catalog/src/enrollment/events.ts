import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { enrollmentSchema, paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import { amountPaiseSchema } from '@portal/contracts/catalog/installments'
import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

const userId = userIdSchema

/** The enrollment after the event, with the name of the program at that time. */
const enrollment = enrollmentSchema.omit({ withdrawnAt: true })
export type RecordedEnrollment = z.infer<typeof enrollment>

/** What an admin typed, encrypted with the learner's key. */
const typed = encryptedTextSchema

export const paymentSchema = z.object({
  /** That of the request. Further payments of the same learner in one request have a number after it. */
  paymentId: z.string().max(100),
  amountPaise: amountPaiseSchema,
  /** A day. */
  paidOn: z.iso.date(),
  reference: typed.optional(),
  /** Keyed hash of the reference. */
  referenceIndex: z.string().optional(),
})
export type Payment = z.infer<typeof paymentSchema>

/** `part` counts the payments of one learner in a request. The first has the id that the request gave it before it could have several. */
export const partOfRequest = (requestId: string, part: number): string =>
  part === 1 ? requestId : `${requestId}:${part}`
export const isPartOfRequest = (paymentId: string, requestId: string): boolean =>
  paymentId === requestId || paymentId.startsWith(`${requestId}:`)

/** The enrollments of one learner. `actorId` in the metadata is the admin who acted, or the learner. */
export const enrollmentEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('LearnerEnrolled'),
    data: z.object({
      userId,
      programId: programRecordIdSchema,
      /** The name at the time of enrollment. */
      programName: z.string(),
      currentSemester: z.string(),
      paymentStatus: paymentStatusSchema,
      enrolledAt: z.iso.datetime(),
    }),
  }),
  z.object({
    type: z.literal('PaymentConfirmed'),
    data: z.object({
      userId,
      enrollment,
      payment: paymentSchema,
      /** The admin wants the learner to be told. */
      notify: z.literal(true).optional(),
    }),
  }),
  z.object({
    type: z.literal('PaymentsReverted'),
    data: z.object({ userId, enrollment, paymentIds: z.array(z.string()), reason: typed }),
  }),
  z.object({ type: z.literal('SemesterChanged'), data: z.object({ userId, enrollment }) }),
  z.object({
    type: z.literal('EnrollmentWithdrawn'),
    data: z.object({ userId, programId: programRecordIdSchema, reason: typed }),
  }),
  /** The withdrawal was a mistake. */
  z.object({ type: z.literal('EnrollmentReinstated'), data: z.object({ userId, enrollment }) }),
  /** The payments count for the other program. */
  z.object({
    type: z.literal('EnrollmentMoved'),
    data: z.object({ userId, fromProgramId: programRecordIdSchema, enrollment }),
  }),
])
export type EnrollmentEvent = z.infer<typeof enrollmentEventSchema>
