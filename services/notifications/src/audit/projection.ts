import { semesterNumber } from '@portal/contracts/catalog/enrollment'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authEventOf, type CatalogEventOf, catalogEventOf, notificationsEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'
import type { RecordedAction } from './action.ts'

/** Members are message ids, scores are 1, 2, 3 …, values are RecordedAction. Each partition has one. */
export const actionList = 'actions'

/** The names of programs and universities, because a removal does not say them. */
const nameCollection = 'audit-names'
const namedSchema = z.object({ name: z.string(), isRemoved: z.literal(true).optional() }).optional()
type Named = NonNullable<z.infer<typeof namedSchema>>

const auditedTypes: ReadonlySet<string> = new Set([
  'ProgramSaved',
  'ProgramRemoved',
  'LearnerEnrolled',
  'EnrollmentChanged',
  'EnrollmentEnded',
  'LearnerInvited',
  'LearnerInvitationResent',
  'LearnerInvitationWithdrawn',
  'UniversityAdded',
  'UniversityRenamed',
  'UniversityRemoved',
  'UserProfileChanged',
  'UserRoleChanged',
  'UserDeactivated',
  'UserReactivated',
  'UserErased',
  'SecondFactorRemoved',
  'UserSessionsEnded',
  'InvitationSent',
  'InvitationResent',
  'InvitationWithdrawn',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'CampaignSent',
  'CampaignPlanned',
  'CampaignTakenBack',
  'SendScheduled',
  'ScheduledSendChanged',
  'ScheduledSendDiscarded',
  'CancelRequested',
  'ResendRequested',
  'CampaignRecalled',
  'RecipientsExported',
  'AuditExported',
  'PeopleExported',
  'LearnersExported',
  'OperationRun',
  'TemplateCreated',
  'TemplateChanged',
  'TemplateDeleted',
])

const enrolledSchema = z.object({ userId: z.string() })

/** What was done, without the time and the request. */
type Action = Omit<RecordedAction, 'at' | 'requestId'>
type Folded = { readonly action?: Action | undefined; readonly writes?: readonly Write[] }

/** The actor of a message. Undefined for what the portal did, or an operator. */
const actorOf = ({ actorId }: Envelope): { readonly userId: UserId } | undefined => {
  const userId = userIdSchema.safeParse(actorId).data
  return userId && userId !== portalSender ? { userId } : undefined
}

const typedBy = ({ reason, reference }: NonNullable<Action['typed']>): Pick<Action, 'typed'> =>
  reason || reference ? { typed: { ...(reason && { reason }), ...(reference && { reference }) } } : {}

const accountActions = {
  UserProfileChanged: 'account-corrected',
  UserRoleChanged: 'role-changed',
  UserDeactivated: 'account-deactivated',
  UserReactivated: 'account-reactivated',
  UserErased: 'account-deleted',
  SecondFactorRemoved: 'second-factor-reset',
  UserSessionsEnded: 'person-signed-out',
  InvitationSent: 'person-invited',
  InvitationResent: 'invitation-resent',
  InvitationWithdrawn: 'invitation-withdrawn',
  ApiKeyCreated: 'api-key-created',
  ApiKeyRevoked: 'api-key-revoked',
} as const
const isAccountType = (type: string): type is keyof typeof accountActions => Object.hasOwn(accountActions, type)

const foldAuth = (envelope: Envelope): Folded => {
  const { type, data } = authEventOf(envelope)
  const by = actorOf(envelope)
  if (!by || !isAccountType(type) || !('userId' in data)) return {}
  // Changes of one's own profile and second factor are none of an admin's actions.
  const isOwn = data.userId === by.userId
  if (isOwn && (type === 'UserProfileChanged' || type === 'SecondFactorRemoved')) return {}
  const object = { kind: 'person', id: data.userId } as const
  const reason = type === 'UserDeactivated' ? data.reason : undefined
  return {
    action: {
      type: accountActions[type],
      by,
      object,
      ...('role' in data && { role: data.role }),
      ...typedBy({ reason }),
    },
  }
}

const changeActions = {
  'payment-confirmed': 'payment-confirmed',
  'payments-reverted': 'payments-reverted',
  'semester-changed': 'semester-changed',
  reinstated: 'learner-reinstated',
} as const

type EnrollmentMessage = CatalogEventOf<'LearnerEnrolled' | 'EnrollmentChanged' | 'EnrollmentEnded'>

const foldEnrollment = ({ type, data }: EnrollmentMessage, by: Action['by']): Action | undefined => {
  const common = { by, object: { kind: 'person', id: data.userId } } as const
  switch (type) {
    case 'LearnerEnrolled': {
      const { programName: name, movedFrom: programId } = data
      return programId
        ? { type: 'learner-moved', ...common, programId, name }
        : { type: 'learner-enrolled', ...common, name }
    }
    case 'EnrollmentChanged': {
      const { programId, programName: name, currentSemester } = data.enrollment
      const isSemester = data.change === 'semester-changed'
      const semester = isSemester && { semester: semesterNumber(currentSemester) }
      return { type: changeActions[data.change], ...common, programId, name, ...semester, ...typedBy(data) }
    }
    case 'EnrollmentEnded':
      // The message about the other program says where the learner was moved to.
      if (data.change === 'moved') return undefined
      return { type: 'learner-withdrawn', ...common, programId: data.programId, ...typedBy(data) }
  }
}

type InvitationMessage = CatalogEventOf<
  | 'LearnerInvited'
  | 'LearnerInvitationResent'
  | 'LearnerInvitationWithdrawn'
  | 'LearnerInvitationAccepted'
  | 'LearnerInvitationExpired'
>

/** Who is invited has no name yet, and their address is unreadable once the invitation has ended. */
const foldInvitation = ({ type, data }: InvitationMessage, by: Action['by']): Action | undefined => {
  const { programId } = data
  const common = { by, object: { kind: 'program', id: programId }, programId } as const
  switch (type) {
    case 'LearnerInvited':
      return { type: 'learner-invited', ...common, name: data.programName }
    case 'LearnerInvitationResent':
      return { type: 'learner-invitation-resent', ...common, name: data.programName }
    case 'LearnerInvitationWithdrawn':
      return { type: 'learner-invitation-withdrawn', ...common }
    default:
      return undefined
  }
}

const foldCatalog = async (envelope: Envelope, partition: string, view: ReadModelView): Promise<Folded> => {
  const event = catalogEventOf(envelope)
  const by = actorOf(envelope)
  const known = async (key: string): Promise<Named | undefined> =>
    namedSchema.parse(await view.get({ partition, collection: nameCollection, key }))
  const named = (key: string, value: Named): readonly Write[] => [
    put({ partition, collection: nameCollection, key }, value),
  ]
  switch (event.type) {
    case 'ProgramSaved': {
      const { _id: id, programName: name } = event.data.program
      const before = await known(id)
      const change = before?.isRemoved ? 'program-restored' : 'program-changed'
      const type = before === undefined ? 'program-created' : change
      return { action: by && { type, by, object: { kind: 'program', id }, name }, writes: named(id, { name }) }
    }
    case 'ProgramRemoved': {
      const { programId: id } = event.data
      const { name = '' } = (await known(id)) ?? {}
      const object = { kind: 'program', id } as const
      return {
        action: by && { type: 'program-removed', by, object, name },
        writes: named(id, { name, isRemoved: true }),
      }
    }
    case 'UniversityAdded':
    case 'UniversityRenamed': {
      const { universityId: id, name } = event.data
      const formerName = (await known(id))?.name
      const object = { kind: 'university', id } as const
      const action: Action | undefined =
        by &&
        (event.type === 'UniversityAdded'
          ? { type: 'university-added', by, object, name }
          : { type: 'university-renamed', by, object, name, ...(formerName !== undefined && { formerName }) })
      return { action, writes: named(id, { name }) }
    }
    case 'UniversityRemoved': {
      const { universityId: id } = event.data
      const { name = '' } = (await known(id)) ?? {}
      return { action: by && { type: 'university-removed', by, object: { kind: 'university', id }, name } }
    }
    case 'LearnerEnrolled':
    case 'EnrollmentChanged':
    case 'EnrollmentEnded':
      return { action: by && foldEnrollment(event, by) }
    case 'LearnerInvited':
    case 'LearnerInvitationResent':
    case 'LearnerInvitationWithdrawn':
    case 'LearnerInvitationAccepted':
    case 'LearnerInvitationExpired':
      return { action: by && foldInvitation(event, by) }
  }
}

const templateActions = {
  TemplateCreated: 'template-created',
  TemplateChanged: 'template-changed',
  TemplateDeleted: 'template-deleted',
} as const

const foldNotifications = (envelope: Envelope): Action | undefined => {
  const event = notificationsEventOf(envelope)
  switch (event.type) {
    case 'CampaignSent':
    case 'CampaignPlanned': {
      const { text, sentBy, targeted } = event.data
      if (sentBy === portalSender) return undefined
      const object = { kind: 'notification', id: text.notificationId } as const
      // Another admin can send what one has scheduled.
      const by = actorOf(envelope) ?? { userId: sentBy }
      return { type: 'notification-sent', by, object, count: targeted }
    }
    case 'SendScheduled': {
      const { notificationId: id, sentBy: userId } = event.data
      return { type: 'notification-scheduled', by: { userId }, object: { kind: 'notification', id } }
    }
    case 'ScheduledSendChanged': {
      const { notificationId: id, changedBy: userId } = event.data
      return { type: 'scheduled-changed', by: { userId }, object: { kind: 'notification', id } }
    }
    case 'ScheduledSendDiscarded':
      // It is in no history, so there is nothing to lead to.
      return { type: 'scheduled-discarded', by: { userId: event.data.discardedBy } }
    case 'CampaignTakenBack': {
      const by = actorOf(envelope)
      // It is in no history, so there is nothing to lead to.
      return by && { type: 'notification-taken-back', by }
    }
    case 'CancelRequested':
    case 'ResendRequested':
    case 'CampaignRecalled': {
      const { notificationId: id, reason } = event.data
      const userId = 'recalledBy' in event.data ? event.data.recalledBy : event.data.requestedBy
      const common = { by: { userId }, object: { kind: 'notification', id }, ...(reason && { reason }) } as const
      if (event.type === 'CancelRequested') return { type: 'notification-cancelled', ...common }
      if (event.type === 'CampaignRecalled') return { type: 'notification-recalled', ...common }
      return { type: 'notification-resent', ...common, count: event.data.recipients }
    }
    case 'RecipientsExported': {
      const { notificationId: id, requestedBy: userId, rows: count } = event.data
      return { type: 'recipients-exported', by: { userId }, object: { kind: 'notification', id }, count }
    }
    case 'AuditExported':
    case 'PeopleExported': {
      const { requestedBy: userId, rows: count } = event.data
      return { type: event.type === 'AuditExported' ? 'audit-exported' : 'people-exported', by: { userId }, count }
    }
    case 'LearnersExported': {
      const { requestedBy: userId, programId: id, rows: count } = event.data
      return { type: 'learners-exported', by: { userId }, object: { kind: 'program', id }, count }
    }
    case 'TemplateCreated':
    case 'TemplateChanged':
    case 'TemplateDeleted': {
      const by = actorOf(envelope)
      const { name, formerName } = { formerName: undefined, ...event.data }
      return by && { type: templateActions[event.type], by, name, ...(formerName !== undefined && { formerName }) }
    }
    case 'OperationRun': {
      const { operation, by: operator, reason, userId, people, wasAdmin } = event.data
      const madeAdmin = wasAdmin ? 'admin-password-replaced' : 'admin-made'
      return {
        type: operation === 'AdminMade' ? madeAdmin : 'operation-run',
        by: { operator },
        operation,
        ...(userId && { object: { kind: 'person', id: userId } }),
        ...(people !== undefined && { count: people }),
        ...(reason && { reason }),
      }
    }
    default:
      return undefined
  }
}

const fold = async (envelope: Envelope, partition: string, view: ReadModelView): Promise<Folded> => {
  switch (envelope.topic) {
    case 'auth':
      return foldAuth(envelope)
    case 'catalog':
      return foldCatalog(envelope, partition, view)
    case 'notifications':
      return { action: foldNotifications(envelope) }
  }
}

/** Learners who enroll by themselves are none of an admin's actions. They are many, and would only write positions. */
const isByLearner = ({ type, actorId, data }: Envelope): boolean =>
  type === 'LearnerEnrolled' && (actorId === undefined || enrolledSchema.safeParse(data).data?.userId === actorId)

const partitionOf = (envelope: Envelope): string | undefined =>
  auditedTypes.has(envelope.type) && !isByLearner(envelope) ? `${envelope.topic}-${envelope.key}` : undefined

/** What admins and operators did. One partition per key, because messages of different keys have no common order. */
export const auditProjection: Projection = {
  name: 'audit',
  version: 2,
  topics: ['auth', 'catalog', 'notifications'],
  partitionOf,
  apply: async (envelope, view) => {
    const partition = partitionOf(envelope)
    if (partition === undefined) return []
    const { action, writes = [] } = await fold(envelope, partition, view)
    if (action === undefined) return writes
    const [last] = await view.range(partition, actionList, { order: 'descending', limit: 1 })
    const { correlationId, apiKeyId } = envelope
    const value: RecordedAction = {
      at: eventTime(envelope),
      ...action,
      ...(apiKeyId !== undefined && { apiKeyId }),
      ...(correlationId !== undefined && { requestId: correlationId }),
    }
    return [...writes, { op: 'add', list: actionList, member: envelope.id, score: (last?.score ?? 0) + 1, value }]
  },
}
