import { universityIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const universityEventSchema = z.discriminatedUnion('type', [
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
export type UniversityEvent = z.infer<typeof universityEventSchema>
