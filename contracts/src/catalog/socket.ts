import { z } from 'zod'
import { programRecordIdSchema } from '../shared/ids.ts'
import { enrollmentSchema } from './enrollment.ts'
import { programSchema } from './program.ts'

/**
 * Broadcast to all connected clients after a catalog change. Carries the complete program, so clients need not
 * fetch it. Messages about one program arrive in order. Clients that were offline refetch on reconnect; duplicates
 * are harmless.
 */
export const catalogChangedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program-saved'), program: programSchema }),
  /** Enrolled learners see `removedAt` as the time of withdrawal. */
  z.object({ kind: z.literal('program-removed'), programId: programRecordIdSchema, removedAt: z.iso.datetime() }),
])
export type CatalogChanged = z.infer<typeof catalogChangedSchema>

/** Sent to all tabs of one learner after an enrollment is created or changed. */
export const enrollmentChangedSchema = z.object({ enrollment: enrollmentSchema })
export type EnrollmentChanged = z.infer<typeof enrollmentChangedSchema>

/** Sent to all tabs of one learner who is no longer enrolled. */
export const enrollmentEndedSchema = z.object({ programId: programRecordIdSchema })
export type EnrollmentEnded = z.infer<typeof enrollmentEndedSchema>

/**
 * Sent to admins after learners of a program were enrolled, changed or left, at most once per program and second. They read
 * GET /admin/programs/:id/learners then.
 */
export const learnersChangedSchema = z.object({ programId: programRecordIdSchema })
export type LearnersChanged = z.infer<typeof learnersChangedSchema>

export const catalogSocketEvents = {
  catalogChanged: 'catalog:changed',
  enrollmentChanged: 'enrollment:changed',
  enrollmentEnded: 'enrollment:ended',
  learnersChanged: 'learners:changed',
} as const
