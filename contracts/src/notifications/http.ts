import { z } from 'zod'
import { paymentStatusSchema } from '../catalog/enrollment.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { apiKeyIdSchema, notificationIdSchema, programRecordIdSchema, userIdSchema } from '../shared/ids.ts'
import { idempotencyHeaders } from '../shared/idempotency.ts'
import { pageQuerySchema, paginationSchema, positiveInteger } from '../shared/page.ts'
import { imageUrlOrNone } from '../shared/image-url.ts'
import { secondLanguageSchema } from '../shared/languages.ts'
import { asLine, limits, optionalLine, requiredLine, requiredText } from '../shared/rules.ts'
import { audienceRoles, audienceSchema, personSchema, requestedAudienceSchema } from './audience.ts'
import { testOutcomeSchema, tooManyTests } from './devices.ts'
import * as error from './errors.ts'
import { idParams } from './inbox-http.ts'
import { notificationButtonSchema } from './notification-button.ts'
import { sendAtSchema } from './send-time.ts'
import { deliveryStatusSchema, inboxItemSchema, notificationTypeSchema, strictInboxItemSchema } from './notification.ts'
import { hasPlaceholder, wrongPlaceholder } from './placeholders.ts'
import { strictSentItemSchema, sentItemSchema } from './sent-item.ts'

// Services bind all routes of notifications from this module.
export * from './inbox-http.ts'
export * from './push-http.ts'

const recentPageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ success: z.literal(true), notifications: z.array(item), pagination: paginationSchema })

/** What an admin can filter the history by. A learner's inbox ignores it. */
export const historyFilterSchema = z.object({
  /** Matches every word in the title or the message. */
  q: z.string().trim().max(limits.titleChars).optional(),
  type: notificationTypeSchema.optional(),
  sentBy: userIdSchema.optional(),
  /** 'portal': what the portal sent itself, such as notices of enrollments. Default: all. */
  source: z.enum(['all', 'admins', 'portal']).optional(),
  /** 'pending': some recipients have no outcome yet. 'failed': some pushes failed. */
  status: z.enum(['pending', 'failed', 'cancelled', 'recalled']).optional(),
  /** Days in India Standard Time, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})
export type HistoryFilter = z.infer<typeof historyFilterSchema>

export const listRecentNotifications = defineRoute({
  method: 'GET',
  path: '/notifications/recent',
  access: 'signed-in',
  apiKey: 'read-results',
  summary: "For admins the sent notifications with progress, for others the caller's inbox, newest first",
  query: pageQuerySchema.extend(historyFilterSchema.shape),
  response: recentPageOf(z.union([sentItemSchema, inboxItemSchema])),
  strictResponse: recentPageOf(z.union([strictSentItemSchema, strictInboxItemSchema])),
})

const directRecipients = z
  .array(userIdSchema, 'Please select at least one user')
  .min(1, 'Please select at least one user')
  .max(limits.recipientsPerSend, `A notification can go to at most ${limits.recipientsPerSend} users at once`)

const withRightPlaceholders = (text: z.ZodString) =>
  text.refine((typed) => wrongPlaceholder(typed) === undefined, {
    error: ({ input }) => (typeof input === 'string' ? wrongPlaceholder(input) : undefined),
  })

const onlyInTexts = 'Placeholders work only in the title and the message'
const isWithoutPlaceholder = (typed: string): boolean => !hasPlaceholder(typed)

/** Not of recorded buttons, which stay readable. */
const withoutPlaceholders = notificationButtonSchema
  .refine(({ label }) => isWithoutPlaceholder(label), { error: onlyInTexts, path: ['label'] })
  .refine(({ url }) => isWithoutPlaceholder(url), { error: onlyInTexts, path: ['url'] })

/** Invisible. Word processors add them to Urdu; screens find the direction by the letters. */
const directionMarks = /[\u061C\u200E\u200F\uFEFF\u202A-\u202E\u2066-\u2069]/gu
const withoutDirectionMarks = (text: string): string => text.replaceAll(directionMarks, '')

/** Title and message once more. Recipients who chose the language read these. */
const translationBody = z.object({
  lang: secondLanguageSchema,
  title: withRightPlaceholders(
    asLine(
      requiredText('Title', limits.titleChars, 'Please enter the title in the second language').overwrite(
        withoutDirectionMarks,
      ),
      'Title',
    ),
  ),
  message: withRightPlaceholders(
    requiredText('Message', limits.messageChars, 'Please enter the message in the second language'),
  ),
})

/** A notification as an admin writes it. */
export const campaignTextSchema = z.object({
  title: withRightPlaceholders(requiredLine('Title', limits.titleChars, 'Please enter a notification title')),
  message: withRightPlaceholders(requiredText('Message', limits.messageChars, 'Please enter a notification message')),
  type: notificationTypeSchema.default('System Maintenance'),
  /** Shown below the message. */
  button: withoutPlaceholders.optional(),
  /** The address of a picture above the message: an uploaded one, or one that begins with https://. */
  image: imageUrlOrNone(limits.notificationImageChars).refine(isWithoutPlaceholder, onlyInTexts).optional(),
  /** Whether it goes above what its recipients have chosen: types switched off, quiet hours and summaries. */
  isUrgent: z.boolean('Urgent must be true or false').optional(),
  translation: translationBody.optional(),
})

const isOneOf = ({ userIds, audience }: { readonly userIds?: unknown; readonly audience?: unknown }): boolean =>
  (userIds === undefined) !== (audience === undefined)

/** A notification and who gets it. */
const sendFields = campaignTextSchema.extend({
  /** The selected users; absent if a rule selects them. */
  userIds: directRecipients.optional(),
  /** The rule that selects users when the notification is sent; absent if `userIds` names them. */
  audience: requestedAudienceSchema.optional(),
  /** The count that the sender was shown. The answer says how many fewer it became. */
  expectedCount: z.number().int().nonnegative().optional(),
})

const withRecipients = <Body extends z.ZodType<z.output<typeof sendFields>>>(body: Body) =>
  body
    .refine((fields) => isOneOf(fields) || fields.userIds !== undefined, {
      message: 'Please select at least one user',
      path: ['userIds'],
    })
    .refine((fields) => isOneOf(fields) || fields.userIds === undefined, {
      message: 'Please give either userIds or audience, not both',
      path: ['audience'],
    })

export const holdNotificationBody = withRecipients(sendFields)

export const sendNotificationBody = withRecipients(
  sendFields.extend({
    /** When it is sent: 1 minute to 12 months ahead. At once if absent. */
    sendAt: sendAtSchema.optional(),
  }),
)

export const changeScheduledBody = withRecipients(
  sendFields.extend({
    sendAt: sendAtSchema,
    /** The version that was changed. */
    version: z.number('version is required').int(),
  }),
)

/** 100,000 e-mail addresses or student codes. */
export const audienceBodyLimitBytes = 6 * 1024 * 1024

export const sentSchema = doneSchema.extend({
  notificationId: notificationIdSchema,
  /**
   * The number of open devices (visible tabs) that had shown the notification when the response was sent. The
   * response waits for all connected devices, but at most 1.5 s, and not at all if none is connected.
   */
  successCount: z.number().int(),
  /** The number of recipients; of a scheduled notification as many as there are now. */
  targeted: z.number().int(),
  /** When it will be sent. `notificationId` is its id before and after that, and `successCount` is 0. Absent if it was sent. */
  scheduledFor: z.iso.datetime().optional(),
  /** How many fewer recipients than `expectedCount`, for example because they have read the reminded notification. */
  leftOut: z.number().int().optional(),
})

export const sendErrors = [
  error.noneSelected,
  error.selectedTwice,
  error.unknownUsers,
  error.unknownPrograms,
  error.tooManySelected,
  error.keyUsed,
  error.takenBack,
]

/** What can be wrong with the time and the recipients of a scheduled notification. */
export const scheduleErrors = [error.tooSoon, error.tooFarAhead, error.tooManyNamed]

export const sendNotification = defineRoute({
  method: 'POST',
  path: '/notifications/send',
  access: 'admin',
  apiKey: 'send',
  summary: 'Send a notification, now or at a time, to selected users or to those whom a rule selects',
  repetition: 'recognized',
  headers: idempotencyHeaders,
  body: sendNotificationBody,
  bodyLimitBytes: audienceBodyLimitBytes,
  response: sentSchema,
  errors: [...sendErrors, ...scheduleErrors, error.discarded, error.tooManyScheduled, error.tooManySends],
})

export const testNotification = defineRoute({
  method: 'POST',
  path: '/notifications/test',
  access: 'admin',
  summary: "Push a notification to the caller's own devices, to see it there. It is in no inbox and no history",
  repetition: 'harmless',
  body: campaignTextSchema,
  response: doneSchema.extend({
    /** The caller's devices, and what became of the test on each. Empty if none gets notifications. */
    devices: z.array(z.object({ name: z.string(), outcome: testOutcomeSchema })),
  }),
  errors: [tooManyTests('10 minutes')],
})

export const countAudience = defineRoute({
  method: 'POST',
  path: '/notifications/audience',
  access: 'admin',
  apiKey: 'send',
  summary: 'The number of users whom a rule selects, and the rule as a sentence',
  repetition: 'harmless',
  body: z.object({ audience: requestedAudienceSchema }),
  bodyLimitBytes: audienceBodyLimitBytes,
  response: z.object({
    success: z.literal(true),
    count: z.number().int(),
    /** The `contacts` of no user, as given. */
    unknown: z.array(z.string()),
    /** How many `contacts` repeat a user. */
    duplicates: z.number().int(),
    /** `Learners of AI or Data Science whose payment is pending: 412 people` */
    sentence: z.string(),
  }),
  errors: [error.unknownPrograms],
})

export const listPeople = defineRoute({
  method: 'POST',
  path: '/notifications/audience/people',
  access: 'admin',
  summary: 'A page of users for the send form, sorted by name. `isSelected` says whether the rule selects the user',
  repetition: 'harmless',
  body: z.object({
    audience: audienceSchema,
    /** Matches every word in the name, the e-mail address, the student code, the role or the university. */
    q: z.string().trim().max(limits.shortTextChars).default(''),
    /** Whether to list only users whom the rule selects. */
    onlySelected: z.boolean().default(false),
    page: positiveInteger('page', limits.page, 1),
    limit: positiveInteger('limit', limits.pageSize, 50),
  }),
  bodyLimitBytes: audienceBodyLimitBytes,
  response: z.object({
    success: z.literal(true),
    people: z.array(personSchema.extend({ isSelected: z.boolean() })),
    pagination: paginationSchema,
  }),
  errors: [error.unknownPrograms],
})

const choice = { count: z.number().int() }

export const getAudienceChoices = defineRoute({
  method: 'GET',
  path: '/notifications/audience/choices',
  access: 'admin',
  summary: 'What a rule can select by, each with its number of users',
  response: z.object({
    success: z.literal(true),
    /** All users whom a rule can select. */
    everyone: z.number().int(),
    programs: z.array(
      z.object({
        programId: programRecordIdSchema,
        name: z.string(),
        ...choice,
        /** As many as the list of its learners has, so with deactivated ones. Older servers omit it. */
        listed: z.number().int().optional(),
      }),
    ),
    paymentStatuses: z.array(z.object({ paymentStatus: paymentStatusSchema, ...choice })),
    /** Those that occur. Older servers omit them, and the installments. */
    semesters: z.array(z.object({ semester: z.number().int(), ...choice })).optional(),
    installmentsDue: z.array(z.object({ installment: z.number().int(), ...choice })).optional(),
    universities: z.array(z.object({ name: z.string(), ...choice })),
    roles: z.array(z.object({ role: z.enum(audienceRoles), ...choice })),
  }),
})

/** A recipient of one campaign. */
export const campaignRecipientSchema = z.object({
  userId: userIdSchema,
  /** Empty if the account was deleted. */
  fullName: z.string(),
  personalEmail: z.string(),
  status: deliveryStatusSchema,
  /** Reason as recorded; see delivery-reasons.ts. */
  reason: z.string().optional(),
  /** What the status means and what to do about it, in a sentence. */
  says: z.string(),
  /** When it arrived in the inbox. */
  deliveredAt: z.iso.datetime().optional(),
  readAt: z.iso.datetime().optional(),
})
export type CampaignRecipient = z.infer<typeof campaignRecipientSchema>

const recipientFilterSchema = z.object({
  status: deliveryStatusSchema.optional(),
  reason: z.string().max(200).optional(),
  /** Matches every word in the name or the e-mail address. */
  q: z.string().trim().max(limits.shortTextChars).optional(),
})
export type RecipientFilter = z.infer<typeof recipientFilterSchema>

export const listRecipients = defineRoute({
  method: 'GET',
  path: '/notifications/:id/recipients',
  access: 'admin',
  apiKey: 'read-results',
  summary: 'A page of the recipients of a notification, sorted by name, with their delivery status',
  params: idParams,
  query: recipientFilterSchema.extend({
    page: positiveInteger('page', limits.page, 1),
    limit: positiveInteger('limit', limits.pageSize, 50),
  }),
  response: z.object({
    success: z.literal(true),
    recipients: z.array(campaignRecipientSchema),
    /** Recipients by status, regardless of the filter. They add up to the number of recipients. */
    counts: z.record(deliveryStatusSchema, z.number().int()),
    /** Recipients by status and reason, for the reasons that occur, regardless of the filter. */
    reasons: z.array(
      z.object({ status: deliveryStatusSchema, reason: z.string(), says: z.string(), count: z.number().int() }),
    ),
    pagination: paginationSchema,
  }),
  errors: [error.notificationNotFound],
})

/** UTF-8 with a byte order mark, one line per recipient. */
export const exportRecipients = defineRoute({
  method: 'GET',
  path: '/notifications/:id/recipients.csv',
  access: 'admin',
  summary: 'The recipients that the filter selects, as a CSV file with times in IST. The export is recorded',
  params: idParams,
  query: recipientFilterSchema,
  contentType: 'text/csv; charset=utf-8',
  response: z.string(),
  errors: [error.notificationNotFound],
})

/** What an admin did with a campaign. */
const campaignActionSchema = z.object({
  kind: z.enum(['sent', 'cancel-requested', 'resent', 'recalled', 'exported']),
  /** The admin's id and name. */
  by: z.object({ userId: userIdSchema, fullName: z.string() }),
  /** The admin's API key, if a program did it. */
  apiKeyId: apiKeyIdSchema.optional(),
  at: z.iso.datetime(),
  reason: z.string().optional(),
  /** How many recipients a resend or an export had. */
  recipients: z.number().int().optional(),
})
export type CampaignAction = z.infer<typeof campaignActionSchema>

/** Numbers of one interval. */
const activityPointSchema = z.object({
  /** The start of the interval; ISO 8601. */
  at: z.iso.datetime(),
  /** Recipients whose outcome became live or pushed. */
  delivered: z.number().int(),
  reads: z.number().int(),
})

export const getCampaign = defineRoute({
  method: 'GET',
  path: '/notifications/:id/campaign',
  access: 'admin',
  apiKey: 'read-results',
  summary: 'A sent notification with its progress, its history and its deliveries and reads over time',
  params: idParams,
  response: z.object({
    success: z.literal(true),
    campaign: sentItemSchema,
    /** Oldest first. */
    actions: z.array(campaignActionSchema),
    /** Notifications that remind of this one. */
    remindedBy: z.array(notificationIdSchema),
    /** How many failed recipients have a device, so that a resend can change something. */
    resendable: z.number().int(),
    /** How often it can still be resent. */
    resendsLeft: z.number().int(),
    /** Activity by minute in the first hour, and by day in `byDay`; intervals without activity are absent. */
    firstHour: z.array(activityPointSchema),
    byDay: z.array(activityPointSchema),
    /** Whether an email can tell recipients without a device. Older servers omit it. */
    emailAvailable: z.boolean().optional(),
  }),
  errors: [error.notificationNotFound],
})

const reasonBody = z
  .object({
    /** Reason that the other admins read. */
    reason: optionalLine('Reason', limits.adminReasonChars),
  })
  // A request without a body has no reason.
  .prefault({})

export const cancelNotification = defineRoute({
  method: 'POST',
  path: '/notifications/:id/cancel',
  access: 'admin',
  summary: 'Stop the deliveries that are still pending. Repeating the call changes nothing',
  params: idParams,
  body: reasonBody,
  response: doneSchema.extend({
    /** Recipients whose delivery was stopped. */
    cancelled: z.number().int(),
    /** Recipients who had an outcome before. */
    alreadySent: z.number().int(),
  }),
  errors: [error.notificationNotFound, error.recalled],
})

export const recallNotification = defineRoute({
  method: 'POST',
  path: '/notifications/:id/recall',
  access: 'admin',
  summary:
    'Withdraw a notification and its text from all inboxes; the log keeps it. Repeating the call changes nothing',
  params: idParams,
  body: reasonBody,
  response: doneSchema.extend({
    /** Inbox entries that are withdrawn. */
    recalled: z.number().int(),
  }),
  errors: [error.notificationNotFound],
})

export const resendNotification = defineRoute({
  method: 'POST',
  path: '/notifications/:id/resend',
  access: 'admin',
  summary: 'Push a notification again to the recipients whose push failed. At most four times',
  repetition: 'recognized',
  params: idParams,
  headers: idempotencyHeaders,
  body: reasonBody,
  response: doneSchema.extend({
    /** Recipients who are pending again. */
    resent: z.number().int(),
  }),
  errors: [
    error.notificationNotFound,
    error.keyUsed,
    error.recalled,
    error.nothingToResend,
    error.resentMeanwhile,
    error.tooManyAttempts,
  ],
})

/** A day in India Standard Time: `2026-11-21`. */
const activityDaySchema = z.object({
  date: z.iso.date(),
  /** Campaigns sent on that day. */
  sends: z.number().int(),
  /** How many of those the portal sent itself, such as notices of enrollments. */
  automatic: z.number().int().optional(),
  /** Inboxes that those campaigns reached. */
  delivered: z.number().int(),
  /** Notifications read on that day, regardless of when they were sent. */
  reads: z.number().int(),
  /** Inbox entries that arrived on that day, including those that were recalled later. */
  arrivals: z.number().int().optional(),
  /** How many of those entries their recipients have read by now. A recall does not count as a read. */
  arrivalsRead: z.number().int().optional(),
})
export type ActivityDay = z.infer<typeof activityDaySchema>

export const maxActivityDays = 90

export const getActivity = defineRoute({
  method: 'GET',
  path: '/notifications/activity',
  access: 'admin',
  apiKey: 'read-results',
  summary: 'Notifications sent and read per day, oldest first, including days without any',
  query: z.object({
    days: positiveInteger('days', maxActivityDays, 14),
  }),
  response: z.object({ success: z.literal(true), days: z.array(activityDaySchema) }),
})
