import { z } from 'zod'
import { universityIdSchema } from '../shared/ids.ts'

/** What the catalog context tells the others. Key on the bus: 'universities'. */
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
])
export type CatalogEvent = z.infer<typeof catalogEventSchema>
