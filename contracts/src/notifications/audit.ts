import { z } from 'zod'
import { notificationIdSchema, programRecordIdSchema, universityIdSchema, userIdSchema } from '../shared/ids.ts'
import { limits } from '../shared/rules.ts'
import { paginationSchema, positiveInteger } from '../shared/page.ts'
import { defineRoute } from '../shared/route.ts'

/** Who did what. A module of its own, because only one page of admins needs it. */

/** What the list can be filtered by. */
export const auditKinds = [
  'programs',
  'enrollments',
  'universities',
  'notifications',
  'accounts',
  'exports',
  'operations',
] as const
export type AuditKind = (typeof auditKinds)[number]

export const auditFilterSchema = z.object({
  /** The user who did it, or to whom it was done. */
  who: userIdSchema.optional(),
  kind: z.enum(auditKinds, `kind must be one of ${auditKinds.join(', ')}`).optional(),
  /** Days in India Standard Time, both included. */
  from: z.iso.date('from must be a day such as 2026-11-21').optional(),
  to: z.iso.date('to must be a day such as 2026-11-21').optional(),
})
export type AuditFilter = z.infer<typeof auditFilterSchema>

/** The object that a row leads to. */
const objectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), id: programRecordIdSchema }),
  z.object({ kind: z.literal('university'), id: universityIdSchema }),
  z.object({ kind: z.literal('notification'), id: notificationIdSchema }),
  z.object({ kind: z.literal('person'), id: userIdSchema }),
])
export type AuditObject = z.infer<typeof objectSchema>

export const auditRowSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(auditKinds),
  /** `Asha Rao removed the program Data Science` */
  says: z.string(),
  /** Absent if the object no longer exists. */
  object: objectSchema.optional(),
  /** What the admin or operator gave as the reason. */
  reason: z.string().optional(),
  /** Of a payment, as the admin typed it. */
  reference: z.string().optional(),
  /** The id of the request. The security log has its address and browser. */
  requestId: z.string().optional(),
})
export type AuditRow = z.infer<typeof auditRowSchema>

export const auditPageSize = 50

export const listAudit = defineRoute({
  method: 'GET',
  path: '/admin/audit',
  access: 'admin',
  summary: 'What admins and operators did, newest first, 50 a page',
  query: auditFilterSchema.extend({ page: positiveInteger('page', limits.page, 1) }),
  response: z.object({ success: z.literal(true), rows: z.array(auditRowSchema), pagination: paginationSchema }),
})

/** UTF-8 with a byte order mark, one line per row. */
export const exportAudit = defineRoute({
  method: 'GET',
  path: '/admin/audit.csv',
  access: 'admin',
  summary: 'What admins and operators did, as a CSV file with times in IST. The export is recorded',
  query: auditFilterSchema,
  contentType: 'text/csv; charset=utf-8',
  response: z.string(),
})
