import { programSchema } from '@portal/contracts/catalog/program'
import { factIdSchema, programRecordIdSchema, toolIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Each event contains the complete program after the change, so that publishing needs no reads. */
export const programEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ProgramAdded'),
    data: z.object({
      program: programSchema,
      /** Keyed hash of the request, where it came with an Idempotency-Key. */
      fingerprint: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal('ProgramUpdated'), data: z.object({ program: programSchema }) }),
  z.object({ type: z.literal('ToolAdded'), data: z.object({ toolId: toolIdSchema, program: programSchema }) }),
  z.object({ type: z.literal('ToolRemoved'), data: z.object({ toolId: toolIdSchema, program: programSchema }) }),
  z.object({ type: z.literal('FactAdded'), data: z.object({ factId: factIdSchema, program: programSchema }) }),
  z.object({ type: z.literal('FactRemoved'), data: z.object({ factId: factIdSchema, program: programSchema }) }),
  z.object({
    type: z.literal('ProgramRemoved'),
    data: z.object({
      programId: programRecordIdSchema,
      removedAt: z.iso.datetime(),
      /** Absent in events of release 0.2.0 and before. */
      removedBy: userIdSchema.optional(),
    }),
  }),
  z.object({ type: z.literal('ProgramRestored'), data: z.object({ program: programSchema }) }),
])
export type ProgramEvent = z.infer<typeof programEventSchema>
