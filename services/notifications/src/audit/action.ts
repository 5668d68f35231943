import type { EncryptedText } from '@portal/contracts/auth/events'
import type { AuditKind } from '@portal/contracts/notifications/audit'
import type { Role } from '@portal/contracts/auth/user'
import type { NotificationId, ProgramRecordId, UniversityId, UserId } from '@portal/contracts/shared/ids'

/** What can be done, and under which kind the list shows it. Stored, so names never change. */
export const kindOfAction = {
  'program-created': 'programs',
  'program-changed': 'programs',
  'program-removed': 'programs',
  'program-restored': 'programs',
  'learner-enrolled': 'enrollments',
  'learner-withdrawn': 'enrollments',
  'learner-reinstated': 'enrollments',
  'learner-moved': 'enrollments',
  'payment-confirmed': 'enrollments',
  'payments-reverted': 'enrollments',
  'semester-changed': 'enrollments',
  'learner-invited': 'enrollments',
  'learner-invitation-resent': 'enrollments',
  'learner-invitation-withdrawn': 'enrollments',
  'university-added': 'universities',
  'university-renamed': 'universities',
  'university-removed': 'universities',
  'notification-sent': 'notifications',
  'notification-taken-back': 'notifications',
  'notification-scheduled': 'notifications',
  'scheduled-changed': 'notifications',
  'scheduled-discarded': 'notifications',
  'notification-cancelled': 'notifications',
  'notification-resent': 'notifications',
  'notification-recalled': 'notifications',
  'template-created': 'notifications',
  'template-changed': 'notifications',
  'template-deleted': 'notifications',
  'role-changed': 'accounts',
  'account-corrected': 'accounts',
  'account-deactivated': 'accounts',
  'account-reactivated': 'accounts',
  'account-deleted': 'accounts',
  'second-factor-reset': 'accounts',
  'person-signed-out': 'accounts',
  'person-invited': 'accounts',
  'invitation-resent': 'accounts',
  'invitation-withdrawn': 'accounts',
  'api-key-created': 'accounts',
  'api-key-revoked': 'accounts',
  'admin-made': 'accounts',
  'admin-password-replaced': 'accounts',
  'recipients-exported': 'exports',
  'audit-exported': 'exports',
  'people-exported': 'exports',
  'learners-exported': 'exports',
  'operation-run': 'operations',
} as const satisfies Readonly<Record<string, AuditKind>>

export type ActionType = keyof typeof kindOfAction
const isActionType = (type: unknown): type is ActionType =>
  typeof type === 'string' && Object.hasOwn(kindOfAction, type)

type ActionObject =
  | { readonly kind: 'program'; readonly id: ProgramRecordId }
  | { readonly kind: 'university'; readonly id: UniversityId }
  | { readonly kind: 'notification'; readonly id: NotificationId }
  | { readonly kind: 'person'; readonly id: UserId }

export type TypedByAdmin<Text extends string = string> = {
  readonly reason?: Text | undefined
  /** Of a payment. */
  readonly reference?: Text | undefined
}

/** One thing that somebody did. Contains no name of a user. */
export type RecordedAction = {
  /** ISO 8601. */
  readonly at: string
  readonly type: ActionType
  /** A user, or the operating-system user name of an operator. */
  readonly by: { readonly userId: UserId } | { readonly operator: string }
  /** The API key of that user, if a program did it. */
  readonly apiKeyId?: string | undefined
  readonly object?: ActionObject | undefined
  /** The program that a learner is in, or was moved from. */
  readonly programId?: ProgramRecordId | undefined
  /** The number of a semester. */
  readonly semester?: number | undefined
  /** The name of a program, university or template at that time. Users and notifications have their names elsewhere. */
  readonly name?: string | undefined
  /** The name of a university or template before it was renamed. */
  readonly formerName?: string | undefined
  readonly role?: Role | undefined
  /** Recipients, rows or users. */
  readonly count?: number | undefined
  /** The type of a recorded operation. */
  readonly operation?: string | undefined
  readonly reason?: string | undefined
  /** What the admin typed, encrypted with the key of the person to whom it was done. */
  readonly typed?: TypedByAdmin<EncryptedText> | undefined
  readonly requestId?: string | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The other fields are the projection's own. A schema would check 100,000 of them in seconds. */
const isRecordedAction = (value: unknown): value is RecordedAction =>
  isObject(value) && typeof value['at'] === 'string' && isActionType(value['type']) && isObject(value['by'])

export const recordedActionOf = (value: unknown): RecordedAction => {
  if (!isRecordedAction(value)) throw new Error(`the read model holds a malformed action: ${JSON.stringify(value)}`)
  return value
}
