import type { AuditKind } from '@portal/contracts/notifications/audit'
import { roleSchema } from '@portal/contracts/auth/user'
import { z } from 'zod'

/** What can be done, and under which kind the list shows it. Stored, so names never change. */
export const kindOfAction = {
  'program-created': 'programs',
  'program-changed': 'programs',
  'program-removed': 'programs',
  'program-restored': 'programs',
  'university-added': 'universities',
  'university-renamed': 'universities',
  'university-removed': 'universities',
  'notification-sent': 'notifications',
  'notification-taken-back': 'notifications',
  'notification-cancelled': 'notifications',
  'notification-resent': 'notifications',
  'notification-recalled': 'notifications',
  'role-changed': 'accounts',
  'account-corrected': 'accounts',
  'account-deactivated': 'accounts',
  'account-reactivated': 'accounts',
  'account-deleted': 'accounts',
  'person-invited': 'accounts',
  'invitation-resent': 'accounts',
  'invitation-withdrawn': 'accounts',
  'admin-made': 'accounts',
  'admin-password-replaced': 'accounts',
  'recipients-exported': 'exports',
  'audit-exported': 'exports',
  'operation-run': 'operations',
} as const satisfies Readonly<Record<string, AuditKind>>

export type ActionType = keyof typeof kindOfAction
const isActionType = (type: unknown): type is ActionType =>
  typeof type === 'string' && Object.hasOwn(kindOfAction, type)

/** Stored values are the projection's own, so ids are not checked again. */
const storedObjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), id: z.string().brand<'ProgramRecordId'>() }),
  z.object({ kind: z.literal('university'), id: z.string().brand<'UniversityId'>() }),
  z.object({ kind: z.literal('notification'), id: z.string().brand<'NotificationId'>() }),
  z.object({ kind: z.literal('person'), id: z.string().brand<'UserId'>() }),
])

const storedActionSchema = z.object({
  /** ISO 8601. */
  at: z.string(),
  type: z.custom<ActionType>(isActionType),
  /** A user, or the operating-system user name of an operator. */
  by: z.union([z.object({ userId: z.string().brand<'UserId'>() }), z.object({ operator: z.string() })]),
  object: storedObjectSchema.optional(),
  /** The name of a program or university at that time. Users and notifications have their names elsewhere. */
  name: z.string().optional(),
  /** The name of a university before it was renamed. */
  formerName: z.string().optional(),
  role: roleSchema.optional(),
  /** Recipients, rows or users. */
  count: z.number().int().optional(),
  /** The type of a recorded operation. */
  operation: z.string().optional(),
  reason: z.string().optional(),
  requestId: z.string().optional(),
})
/** One thing that somebody did. Contains no name of a user. */
export type RecordedAction = z.infer<typeof storedActionSchema>
export const recordedActionOf = (value: unknown): RecordedAction => storedActionSchema.parse(value)
