import { z } from 'zod'
import { programRecordIdSchema, universityIdSchema, userIdSchema } from '../shared/ids.ts'
import { paymentStatusSchema } from './enrollment.ts'
import { programSchema } from './program.ts'

/**
 * What the catalog context tells the others. Keys on the bus: 'universities'; 'programs' for all that happens to a program;
 * the bucket of the learner (`b00` to `b63`) for enrollments.
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
  /** A program was created or changed in any part; it is told whole. */
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
      /** As it was called then. */
      programName: z.string(),
      currentSemester: z.string(),
      paymentStatus: paymentStatusSchema,
      enrolledAt: z.iso.datetime(),
    }),
  }),
])
export type CatalogEvent = z.infer<typeof catalogEventSchema>

/**
 * The projections that others wait for before they tell of a change: whoever then fetches finds it. The partition is the message's
 * key on the bus. The version rises with every change of a projection's documents.
 */
export const programsProjectionRef = { name: 'programs', version: 1 } as const
export const enrollmentsProjectionRef = { name: 'enrollments', version: 1 } as const
