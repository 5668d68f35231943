import { z } from 'zod'
import { programRecordIdSchema, universityIdSchema, userIdSchema } from '../shared/ids.ts'
import { enrollmentSchema, paymentStatusSchema } from './enrollment.ts'
import { amountPaiseSchema, feeAccountSchema } from './fee-account.ts'
import { programSchema } from './program.ts'

/**
 * Integration events of the catalog context. Message keys: 'universities', 'programs', and the learner's bucket
 * (`b00` to `b63`) for enrollments.
 */
export const catalogEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('UniversityAdded'),
    data: z.object({ universityId: universityIdSchema, name: z.string() }),
  }),
  z.object({
    type: z.literal('UniversityRenamed'),
    data: z.object({ universityId: universityIdSchema, name: z.string() }),
  }),
  z.object({ type: z.literal('UniversityRemoved'), data: z.object({ universityId: universityIdSchema }) }),
  /** A program was created or changed. Carries the complete program. */
  z.object({ type: z.literal('ProgramSaved'), data: z.object({ program: programSchema }) }),
  z.object({
    type: z.literal('ProgramRemoved'),
    data: z.object({ programId: programRecordIdSchema, removedAt: z.iso.datetime() }),
  }),
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
      /** What the learner brings along from another program. */
      feeAccount: feeAccountSchema.optional(),
      movedFrom: programRecordIdSchema.optional(),
    }),
  }),
  z.object({
    type: z.literal('EnrollmentChanged'),
    data: z.object({
      userId: userIdSchema,
      enrollment: enrollmentSchema.omit({ withdrawnAt: true }),
      change: z.enum(['payment-confirmed', 'payments-reverted', 'semester-changed', 'reinstated']),
      /** A payment was confirmed, and its admin wants the learner to be told. */
      confirmedPayment: z.object({ paymentId: z.string(), amountPaise: amountPaiseSchema }).optional(),
    }),
  }),
  z.object({
    type: z.literal('EnrollmentEnded'),
    data: z.object({
      userId: userIdSchema,
      programId: programRecordIdSchema,
      change: z.enum(['withdrawn', 'moved']),
    }),
  }),
])
export type CatalogEvent = z.infer<typeof catalogEventSchema>

/**
 * Projections that other services wait for before they notify clients, so that a client that refetches sees the
 * change. The partition is the message key. Increment the version with every change to a projection's documents.
 */
export const programsProjectionRef = { name: 'programs', version: 1 } as const
export const enrollmentsProjectionRef = { name: 'enrollments', version: 1 } as const
