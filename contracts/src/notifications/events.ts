import { z } from 'zod'
import { encryptedTextSchema } from '../auth/events.ts'
import {
  draftIdSchema,
  notificationIdSchema,
  programRecordIdSchema,
  sessionIdSchema,
  templateIdSchema,
  userIdSchema,
} from '../shared/ids.ts'
import { draftKindSchema } from './draft-kind.ts'
import { notificationTypeSchema, outcomeStates } from './notification.ts'
import { notificationButtonSchema } from './notification-button.ts'
import { preferencesSchema } from './preferences.ts'
import { missedReasons } from './send-time.ts'
import { translationSchema } from './translation.ts'

export const deliveryOutcomeSchema = z.object({
  userId: userIdSchema,
  state: z.enum(outcomeStates),
  /** Details that the state does not carry: 'no device', the provider's error code, … */
  reason: z.string().max(200).optional(),
  /** Which attempt ended so; absent for the first. An outcome of an earlier attempt does not end a later one. */
  attempt: z.number().int().min(2).optional(),
  /** The push that carried it together with others. */
  summaryId: z.string().max(100).optional(),
})
export type DeliveryOutcome = z.infer<typeof deliveryOutcomeSchema>

export const notificationTextSchema = z.object({
  notificationId: notificationIdSchema,
  title: z.string(),
  message: z.string(),
  type: notificationTypeSchema,
  button: notificationButtonSchema.optional(),
  /** The address of a picture. */
  image: z.string().optional(),
  /** It goes above what its recipients have chosen about pushes and e-mails. Absent otherwise. */
  isUrgent: z.literal(true).optional(),
  translation: translationSchema.optional(),
  /**
   * Title or message, also of the translation, have placeholders, which readers see filled in. Absent otherwise, also in texts
   * that the portal writes and in those of earlier releases: their braces are text.
   */
  hasPlaceholders: z.literal(true).optional(),
  /** The programs of the rule that selected the recipients: `{{program}}` names none but these. Absent for any. */
  programIds: z.array(programRecordIdSchema).optional(),
})
export type NotificationText = z.infer<typeof notificationTextSchema>

/** What the list of scheduled sends shows of one. */
const scheduledSendSchema = z.object({
  notificationId: notificationIdSchema,
  title: z.string(),
  /** The recipients as a sentence, with their number when it was scheduled. */
  says: z.string(),
  sendAt: z.iso.datetime(),
  sentBy: userIdSchema,
  version: z.number().int(),
})

/** A text without the id of a notification. */
export const templateTextSchema = notificationTextSchema.omit({ notificationId: true })
export type TemplateText = z.infer<typeof templateTextSchema>

const ofTemplate = { templateId: templateIdSchema, name: z.string() }

/** Also as they are recorded. */
export const templateEventSchemas = [
  z.object({ type: z.literal('TemplateCreated'), data: z.object({ ...ofTemplate, text: templateTextSchema }) }),
  z.object({
    type: z.literal('TemplateChanged'),
    /** `formerName`: if it was renamed. */
    data: z.object({ ...ofTemplate, text: templateTextSchema, formerName: z.string().optional() }),
  }),
  z.object({ type: z.literal('TemplateDeleted'), data: z.object(ofTemplate) }),
  z.object({
    type: z.literal('TemplateUsed'),
    data: z.object({ templateId: templateIdSchema, usedBy: userIdSchema, usedAt: z.iso.datetime() }),
  }),
] as const

/**
 * Integration events of the notifications context. Message keys: the recipients' bucket (`b00` to `b63`) for
 * everything with a bucket or one user, so that changes to one inbox stay in order; the partition of the text (`n00`
 * to `n63`) for TextErased; 'exports', 'operations' and 'templates' as noted below; 'campaigns' for the others.
 */
export const notificationsEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CampaignSent'),
    data: z.object({
      text: notificationTextSchema,
      sentBy: userIdSchema,
      targeted: z.number().int(),
      buckets: z.array(z.string()),
      remindsOf: notificationIdSchema.optional(),
    }),
  }),
  /** An admin has confirmed a send, which can be taken back until it is due. */
  z.object({
    type: z.literal('CampaignHeld'),
    data: z.object({
      notificationId: notificationIdSchema,
      title: z.string(),
      sentBy: userIdSchema,
      targeted: z.number().int(),
      dueAt: z.iso.datetime(),
    }),
  }),
  z.object({
    type: z.literal('CampaignTakenBack'),
    data: z.object({ notificationId: notificationIdSchema, sentBy: userIdSchema }),
  }),
  /** A send was scheduled, or what was scheduled was changed. */
  z.object({ type: z.literal('SendScheduled'), data: scheduledSendSchema }),
  z.object({
    type: z.literal('ScheduledSendChanged'),
    data: scheduledSendSchema.extend({ changedBy: userIdSchema }),
  }),
  z.object({
    type: z.literal('ScheduledSendDiscarded'),
    data: z.object({ notificationId: notificationIdSchema, discardedBy: userIdSchema }),
  }),
  /** It was not sent at its time, and waits for an admin's decision. */
  z.object({
    type: z.literal('ScheduledSendMissed'),
    data: z.object({ notificationId: notificationIdSchema, reason: z.enum(missedReasons) }),
  }),
  /** A large campaign was accepted. RecipientsTargeted messages follow until all recipients have it. */
  z.object({
    type: z.literal('CampaignPlanned'),
    data: z.object({
      text: notificationTextSchema,
      sentBy: userIdSchema,
      targeted: z.number().int(),
      buckets: z.array(z.string()),
      remindsOf: notificationIdSchema.optional(),
    }),
  }),
  z.object({
    type: z.literal('RecipientsTargeted'),
    data: z.object({ text: notificationTextSchema, bucket: z.string(), userIds: z.array(userIdSchema) }),
  }),
  z.object({
    type: z.literal('RecipientsSettled'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      outcomes: z.array(deliveryOutcomeSchema),
    }),
  }),
  /** These recipients stay pending. They are pushed at `until` at the earliest, together with what came meanwhile. */
  z.object({
    type: z.literal('RecipientsPostponed'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      userIds: z.array(userIdSchema),
      until: z.iso.datetime(),
      /** Absent for the first. */
      attempt: z.number().int().min(2).optional(),
    }),
  }),
  /** Planned recipients who do not get the notification, because it was stopped before. They count as cancelled. */
  z.object({
    type: z.literal('RecipientsWithheld'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      userIds: z.array(userIdSchema),
      reason: z.string(),
    }),
  }),
  /** Failed recipients of the bucket become pending again. */
  z.object({
    type: z.literal('RecipientsResent'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      userIds: z.array(userIdSchema),
      attempt: z.number().int().min(2),
    }),
  }),
  /** Pending deliveries of the bucket must not be pushed any more. */
  z.object({
    type: z.literal('DeliveryStopped'),
    data: z.object({ notificationId: notificationIdSchema, bucket: z.string(), reason: z.string() }),
  }),
  /**
   * Withdraws the inbox entries of `take` recipients of the bucket, in the order of their ids, after the first `skip`.
   * In slices, because a message changes a limited number of documents.
   */
  z.object({
    type: z.literal('EntriesWithdrawn'),
    data: z.object({
      notificationId: notificationIdSchema,
      bucket: z.string(),
      skip: z.number().int(),
      take: z.number().int(),
    }),
  }),
  /** The text of a recalled campaign must disappear. The key is the partition of the text. */
  z.object({ type: z.literal('TextErased'), data: z.object({ notificationId: notificationIdSchema }) }),
  /** What admins did with a campaign, for its history. */
  z.object({
    type: z.literal('CancelRequested'),
    data: z.object({
      notificationId: notificationIdSchema,
      requestedBy: userIdSchema,
      reason: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('ResendRequested'),
    data: z.object({
      notificationId: notificationIdSchema,
      requestedBy: userIdSchema,
      reason: z.string().optional(),
      attempt: z.number().int(),
      recipients: z.number().int(),
    }),
  }),
  z.object({
    type: z.literal('CampaignRecalled'),
    data: z.object({
      notificationId: notificationIdSchema,
      recalledBy: userIdSchema,
      reason: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('RecipientsExported'),
    data: z.object({
      notificationId: notificationIdSchema,
      requestedBy: userIdSchema,
      rows: z.number().int(),
    }),
  }),
  /** An admin exported what admins and operators did. The key is 'exports'. */
  z.object({
    type: z.literal('AuditExported'),
    data: z.object({ requestedBy: userIdSchema, rows: z.number().int() }),
  }),
  /** An admin exported users. The key is 'exports'. */
  z.object({
    type: z.literal('PeopleExported'),
    data: z.object({ requestedBy: userIdSchema, rows: z.number().int() }),
  }),
  /** An admin exported the learners of a program. The key is 'exports'. */
  z.object({
    type: z.literal('LearnersExported'),
    data: z.object({ requestedBy: userIdSchema, programId: programRecordIdSchema, rows: z.number().int() }),
  }),
  /** An operator ran a command of the portal. The key is 'operations'. */
  z.object({
    type: z.literal('OperationRun'),
    data: z.object({
      /** The type of the recorded operation. */
      operation: z.string(),
      /** The operating-system user name. */
      by: z.string(),
      reason: z.string().optional(),
      /** The user whom it concerns. */
      userId: userIdSchema.optional(),
      /** How many users it concerns. */
      people: z.number().int().optional(),
      /** Whether a user who was made an admin was one before. */
      wasAdmin: z.literal(true).optional(),
    }),
  }),
  z.object({
    type: z.literal('NotificationRead'),
    data: z.object({ notificationId: notificationIdSchema, userId: userIdSchema }),
  }),
  /** The user wants to come back to a notification that was read. Campaigns count it as read all the same. */
  z.object({
    type: z.literal('NotificationMarkedUnread'),
    data: z.object({ notificationId: notificationIdSchema, userId: userIdSchema }),
  }),
  /** The user followed the button. */
  z.object({
    type: z.literal('ButtonClicked'),
    data: z.object({ notificationId: notificationIdSchema, userId: userIdSchema }),
  }),
  z.object({
    type: z.literal('AllNotificationsRead'),
    data: z.object({
      userId: userIdSchema,
      readUpTo: z.number().int(),
      /**
       * The newest notification that the user had seen. It defines what is read. Older events lack it and use
       * `readUpTo`.
       */
      newestId: notificationIdSchema.optional(),
    }),
  }),
  /**
   * A slice of the notifications that an AllNotificationsRead covers: `take` arrivals, starting `skip` below the
   * newest. Working in slices keeps a mark-all over 100,000 notifications from blocking others.
   */
  z.object({
    type: z.literal('ArrivalsCovered'),
    data: z.object({
      userId: userIdSchema,
      readUpTo: z.number().int(),
      newestId: notificationIdSchema.optional(),
      skip: z.number().int(),
      take: z.number().int(),
    }),
  }),
  z.object({
    type: z.literal('PushTokenRegistered'),
    data: z.object({
      userId: userIdSchema,
      /** The session that registered the token. The token is removed when that session ends. */
      sessionId: sessionIdSchema,
      tokenIndex: z.string(),
      /** Encrypted with the user's key. */
      token: encryptedTextSchema,
      /** Browser and system. Absent in events of earlier releases. */
      deviceName: z.string().optional(),
    }),
  }),
  /** The browser uses its token. Once a day at most. */
  z.object({
    type: z.literal('PushTokenUsed'),
    data: z.object({ userId: userIdSchema, tokenIndex: z.string() }),
  }),
  /** The user removed the device. */
  z.object({
    type: z.literal('PushTokenRevoked'),
    data: z.object({ userId: userIdSchema, tokenIndex: z.string() }),
  }),
  z.object({
    type: z.literal('PushTokenRemoved'),
    data: z.object({
      userId: userIdSchema,
      tokenIndex: z.string(),
      /** 'superseded': the user registered newer tokens. */
      reason: z.enum(['moved', 'logged-out', 'unregistered', 'superseded']),
    }),
  }),
  z.object({
    type: z.literal('PreferencesChanged'),
    data: z.object({ userId: userIdSchema, preferences: preferencesSchema }),
  }),
  z.object({
    type: z.literal('DraftSaved'),
    data: z.object({
      draftId: draftIdSchema,
      userId: userIdSchema,
      kind: draftKindSchema,
      /** What the list shows, and the form. Encrypted with the user's key. */
      summary: encryptedTextSchema,
      content: encryptedTextSchema,
      savedAt: z.iso.datetime(),
      /** Counts the changes of the draft. */
      version: z.number().int(),
    }),
  }),
  z.object({
    type: z.literal('DraftDiscarded'),
    data: z.object({ draftId: draftIdSchema, userId: userIdSchema }),
  }),
  /** Templates of all admins. The key is 'templates'. */
  ...templateEventSchemas,
  /** An e-mail told the user of notifications that they had not read. Those in it that were in no earlier one. */
  z.object({
    type: z.literal('UnseenMailSent'),
    data: z.object({ userId: userIdSchema, notificationIds: z.array(notificationIdSchema) }),
  }),
])
export type NotificationsEvent = z.infer<typeof notificationsEventSchema>

/** The projection of the lists of people and learners. The gateway waits for it before it tells admins of a change. */
export const audienceProjectionRef = { name: 'audience', version: 4 } as const
/** Its partition of enrollments. A separate one: messages of the topics 'auth' and 'catalog' have no common order. */
export const enrolledPartition = (bucket: string): string => `enrolled-${bucket}`

/** The projections of lists that the gateway tells admins to read again. */
export const draftProjectionRef = { name: 'drafts', version: 2 } as const
export const templateProjectionRef = { name: 'templates' } as const
