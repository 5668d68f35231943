import { adminRosterEventSchema } from '@portal/auth/admin-roster/events'
import { apiKeyEventSchema, apiKeyUseEventSchema } from '@portal/auth/api-key/events'
import { firstAdminEventSchema } from '@portal/auth/first-admin/events'
import { invitationEventSchema } from '@portal/auth/invitation/events'
import { mobileNumberEventSchema } from '@portal/auth/mobile-number/events'
import { passwordResetEventSchema } from '@portal/auth/password-reset/events'
import { registrationEventSchema } from '@portal/auth/registration/events'
import { secondFactorEventSchema } from '@portal/auth/second-factor/events'
import { sessionEventSchema } from '@portal/auth/session/events'
import { userEventSchema } from '@portal/auth/user/events'
import { enrollmentEventSchema } from '@portal/catalog/enrollment/events'
import { learnerInvitationEventSchema } from '@portal/catalog/learner-invitation/events'
import { pictureEventSchema } from '@portal/catalog/picture/events'
import { programEventSchema } from '@portal/catalog/program/events'
import { universityEventSchema } from '@portal/catalog/university/events'
import { auditEventSchema } from '@portal/notifications/audit/events'
import { campaignEventSchema } from '@portal/notifications/campaign/events'
import { deviceEventSchema } from '@portal/notifications/device/events'
import { draftEventSchema } from '@portal/notifications/draft/events'
import { inboxEventSchema } from '@portal/notifications/inbox/events'
import { preferencesEventSchema } from '@portal/notifications/preferences/events'
import { templateEventSchema } from '@portal/notifications/template/events'
import { unseenMailEventSchema } from '@portal/notifications/unseen-mail/events'
import { operationSchema } from '@portal/platform/operations/operation'
import type { z } from 'zod'

/**
 * Event types that are newer than the newest golden folder. The next folder must contain them; this list is then empty again.
 */
export const newerEventTypes: readonly string[] = [
  'RecipientsPlanned',
  'CampaignPlanned',
  'RecipientsWithheld',
  'CancelRequested',
  'ResendRequested',
  'CampaignRecalled',
  'EntriesWithdrawn',
  'RecipientsExported',
  'PictureAdded',
  'NotificationMarkedUnread',
  'CampaignHeld',
  'CampaignTakenBack',
  'SendScheduled',
  'ScheduledSendChanged',
  'ScheduledSendDiscarded',
  'ScheduledSendMissed',
  'ProgramRestored',
  'PushTokenRevoked',
  'PushTokenUsed',
  'PreferencesChanged',
  'RecipientsPostponed',
  'UnseenMailSent',
  'SessionUsed',
  'UserDeactivated',
  'UserReactivated',
  'UserSessionsEnded',
  'AdminAdded',
  'AdminRemoved',
  'RegistrationExpired',
  'AuditExported',
  'PeopleExported',
  'InvitationSent',
  'InvitationResent',
  'InvitationWithdrawn',
  'InvitationAccepted',
  'InvitationLapsed',
  'TotpOffered',
  'TotpEnrolled',
  'TotpCodeUsed',
  'RecoveryCodesIssued',
  'RecoveryCodeUsed',
  'SecondFactorRemoved',
  'PasskeyAdded',
  'PasskeyUsed',
  'PasskeyRemoved',
  'ApiKeyCreated',
  'ApiKeyUsed',
  'ApiKeyRevoked',
  'PaymentConfirmed',
  'PaymentsReverted',
  'SemesterChanged',
  'EnrollmentWithdrawn',
  'EnrollmentReinstated',
  'EnrollmentMoved',
  'LearnersExported',
  'ButtonClicked',
  'DraftSaved',
  'DraftDiscarded',
  'TemplateCreated',
  'TemplateChanged',
  'TemplateDeleted',
  'TemplateUsed',
  'LearnerInvited',
  'LearnerInvitationResent',
  'LearnerInvitationWithdrawn',
  'LearnerInvitationAccepted',
  'LearnerInvitationExpired',
]

type TypedSchema = z.ZodObject<{ type: z.ZodLiteral<string> }>
type EventSchema = { readonly options: readonly TypedSchema[] }

/** The schemas of everything that is recorded, by the file that declares each. */
export const eventSchemas: Readonly<Record<string, EventSchema>> = {
  'auth/src/admin-roster/events.ts': adminRosterEventSchema,
  'auth/src/api-key/events.ts': { options: [...apiKeyEventSchema.options, ...apiKeyUseEventSchema.options] },
  'auth/src/first-admin/events.ts': firstAdminEventSchema,
  'auth/src/invitation/events.ts': invitationEventSchema,
  'auth/src/mobile-number/events.ts': mobileNumberEventSchema,
  'auth/src/password-reset/events.ts': passwordResetEventSchema,
  'auth/src/registration/events.ts': registrationEventSchema,
  'auth/src/second-factor/events.ts': secondFactorEventSchema,
  'auth/src/session/events.ts': sessionEventSchema,
  'auth/src/user/events.ts': userEventSchema,
  'catalog/src/enrollment/events.ts': enrollmentEventSchema,
  'catalog/src/learner-invitation/events.ts': { options: [...learnerInvitationEventSchema.options] },
  'catalog/src/picture/events.ts': pictureEventSchema,
  'catalog/src/program/events.ts': programEventSchema,
  'catalog/src/university/events.ts': universityEventSchema,
  'notifications/src/audit/events.ts': auditEventSchema,
  'notifications/src/campaign/events.ts': campaignEventSchema,
  'notifications/src/device/events.ts': deviceEventSchema,
  'notifications/src/draft/events.ts': draftEventSchema,
  'notifications/src/inbox/events.ts': inboxEventSchema,
  'notifications/src/preferences/events.ts': preferencesEventSchema,
  'notifications/src/template/events.ts': templateEventSchema,
  'notifications/src/unseen-mail/events.ts': unseenMailEventSchema,
  'platform/src/operations/operation.ts': operationSchema,
}

/** Every type that this release can record. */
export const eventTypes: readonly string[] = Object.values(eventSchemas).flatMap(({ options }) =>
  options.map(({ shape }) => shape.type.value),
)
