import { z } from 'zod'

/** Which form a draft is of. */
export const draftKindSchema = z.enum(['message', 'program'])
export type DraftKind = z.infer<typeof draftKindSchema>
