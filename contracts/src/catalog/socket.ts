import { z } from 'zod'
import { programRecordIdSchema } from '../shared/ids.ts'
import { enrollmentSchema } from './enrollment.ts'
import { programSchema } from './program.ts'

/**
 * What became of the catalog, to everybody who is connected: the program as it is now, so that nobody has to ask.
 * Messages about one program come in order. One that was missed while a client was away is made good by fetching on
 * reconnection; one that repeats what an answer already held changes nothing.
 */
export const catalogChangedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program-saved'), program: programSchema }),
  /** For those enrolled in it, `removedAt` is since when it is withdrawn. */
  z.object({ kind: z.literal('program-removed'), programId: programRecordIdSchema, removedAt: z.iso.datetime() }),
])
export type CatalogChanged = z.infer<typeof catalogChangedSchema>

/** To all tabs of one learner: they enrolled, or their enrollment changed. */
export const enrollmentChangedSchema = z.object({ enrollment: enrollmentSchema })
export type EnrollmentChanged = z.infer<typeof enrollmentChangedSchema>

export const catalogSocketEvents = {
  catalogChanged: 'catalog:changed',
  enrollmentChanged: 'enrollment:changed',
} as const
