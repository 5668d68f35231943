import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** There is no decider: no rule connects exports. They share a stream that nothing loads. */
export const auditEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('AuditExported'),
    data: z.object({ requestedBy: userIdSchema, rows: z.number().int() }),
  }),
  z.object({
    type: z.literal('PeopleExported'),
    data: z.object({ requestedBy: userIdSchema, rows: z.number().int() }),
  }),
  z.object({
    type: z.literal('LearnersExported'),
    data: z.object({ requestedBy: userIdSchema, programId: programRecordIdSchema, rows: z.number().int() }),
  }),
])
export type AuditEvent = z.infer<typeof auditEventSchema>

export const auditCategory = 'audit'
export const auditExportsStreamId = 'exports'
