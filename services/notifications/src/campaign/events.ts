import {
  notificationTextSchema,
  deliveryOutcomeSchema,
  type NotificationText,
} from '@portal/contracts/notifications/events'
import { audienceSchema } from '@portal/contracts/notifications/audience'
import { missedReasons } from '@portal/contracts/notifications/send-time'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Maximum number of recipients or outcomes per event. Limits the event size and the cost of settling. */
export const recipientsPerEvent = 500

/** Maximum number of recipients of a campaign that is recorded in one append. Larger campaigns are planned first. */
export const recipientsPerAppend = 10_000

/** The longest translation doubles the text in each of its chunks, so that only half of the recipients fit in. */
export const fitsOneAppend = (
  recipients: number,
  { translation }: Pick<NotificationText, 'translation'>,
  maxRecipients: number,
): boolean => recipients <= (translation ? maxRecipients / 2 : maxRecipients)

/** Stored ids were validated on input. Reading only checks for text, because a campaign has up to 10,000. */
const storedUserId = z.string().brand<'UserId'>()

/** A rule as it is recorded: with the users whom its contacts named, instead of their addresses. */
const recordedAudienceSchema = audienceSchema.omit({ contacts: true }).extend({
  contactIds: z.array(storedUserId).optional(),
})

const scheduledFields = {
  text: notificationTextSchema,
  /** Either the users, or the rule that selects them when it is sent. */
  userIds: z.array(storedUserId).optional(),
  audience: recordedAudienceSchema.optional(),
  /** The recipients as a sentence. */
  says: z.string(),
  /** How many they were when it was scheduled. */
  targeted: z.number().int().positive(),
  sendAt: z.iso.datetime(),
  sentBy: userIdSchema,
}

const recipientGroups = z.array(z.object({ bucket: z.string(), userIds: z.array(storedUserId) }))

const adminAction = {
  notificationId: notificationIdSchema,
  requestedBy: userIdSchema,
  /** Reason that the other admins read. */
  reason: z.string().optional(),
}

const sentFields = {
  text: notificationTextSchema,
  sentBy: userIdSchema,
  targeted: z.number().int().positive(),
  buckets: z.array(z.string()),
  /** Keyed hash of the request, where it came with an Idempotency-Key. */
  fingerprint: z.string().optional(),
  /** The notification that its recipients had not read. */
  remindsOf: notificationIdSchema.optional(),
}

/**
 * The events of one campaign's stream. A campaign to at most 10,000 users is one append: its recipients in chunks of at most 500, ordered
 * by bucket, then CampaignSent, whose position shows when the whole campaign is projected. Each chunk repeats the
 * text, because consumers of one bucket need it. One copy per chunk, not per bucket, keeps a campaign to 10,000
 * users with the longest text below the store's limit of 1 MiB per append.
 *
 * A larger campaign is recorded as a plan: RecipientsPlanned in several appends, then CampaignPlanned, which accepts it.
 * Recipients of a held send are planned, too, and count once CampaignHeld names the plan. A scheduled send has none until it is due.
 * The distributor then appends one RecipientsTargeted per planned chunk, or RecipientsWithheld after a cancel or recall.
 */
export const campaignEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('RecipientsTargeted'),
    data: z.object({
      text: notificationTextSchema,
      recipients: recipientGroups,
    }),
  }),
  z.object({ type: z.literal('CampaignSent'), data: z.object(sentFields) }),
  /** Recipients of one attempt to plan the campaign. They count once a CampaignPlanned or CampaignHeld names the plan. */
  z.object({
    type: z.literal('RecipientsPlanned'),
    data: z.object({ planId: z.string(), recipients: recipientGroups }),
  }),
  z.object({ type: z.literal('CampaignPlanned'), data: z.object({ ...sentFields, planId: z.string() }) }),
  /** A send was confirmed, with its planned recipients. It becomes CampaignSent or CampaignPlanned when it is due. */
  z.object({
    type: z.literal('CampaignHeld'),
    data: z.object({ ...sentFields, planId: z.string(), dueAt: z.iso.datetime() }),
  }),
  z.object({
    type: z.literal('CampaignTakenBack'),
    data: z.object({
      notificationId: notificationIdSchema,
      sentBy: userIdSchema,
      /** Another user than the sender only if the portal took it back after a restore. */
      takenBackBy: userIdSchema,
    }),
  }),
  /** An admin has scheduled a send. It becomes CampaignSent or CampaignPlanned when it is due. */
  z.object({
    type: z.literal('SendScheduled'),
    data: z.object({ ...scheduledFields, fingerprint: z.string() }),
  }),
  z.object({
    type: z.literal('ScheduledSendChanged'),
    data: z.object({ ...scheduledFields, changedBy: userIdSchema, version: z.number().int().min(2) }),
  }),
  z.object({
    type: z.literal('ScheduledSendDiscarded'),
    data: z.object({ notificationId: notificationIdSchema, discardedBy: userIdSchema }),
  }),
  /** It was not sent at its time. An admin sends, changes or discards it. */
  z.object({
    type: z.literal('ScheduledSendMissed'),
    data: z.object({ notificationId: notificationIdSchema, reason: z.enum(missedReasons) }),
  }),
  z.object({
    type: z.literal('RecipientsWithheld'),
    data: z.object({ notificationId: notificationIdSchema, recipients: recipientGroups, reason: z.string() }),
  }),
  /** Pending deliveries stop. The delivery worker records what it stopped. */
  z.object({
    type: z.literal('CancelRequested'),
    data: z.object({ ...adminAction, buckets: z.array(z.string()) }),
  }),
  /** Some recipients whose push failed become pending again. The first attempt is the send itself. */
  z.object({
    type: z.literal('ResendRequested'),
    data: z.object({ ...adminAction, attempt: z.number().int().min(2), recipients: recipientGroups }),
  }),
  /** The notification is withdrawn. EntriesWithdrawn events follow in the same append. */
  z.object({
    type: z.literal('CampaignRecalled'),
    data: z.object({
      notificationId: notificationIdSchema,
      recalledBy: userIdSchema,
      reason: z.string().optional(),
      buckets: z.array(z.string()),
    }),
  }),
  /** Inbox entries in each bucket: those of `take` recipients after the first `skip`, in the order of their ids. */
  z.object({
    type: z.literal('EntriesWithdrawn'),
    data: z.object({
      notificationId: notificationIdSchema,
      buckets: z.array(z.string()),
      skip: z.number().int(),
      take: z.number().int(),
    }),
  }),
  z.object({
    type: z.literal('RecipientsExported'),
    data: z.object({ notificationId: notificationIdSchema, requestedBy: userIdSchema, rows: z.number().int() }),
  }),
  /** The response to the sender, recorded only if a retry must return the same. */
  z.object({
    type: z.literal('SenderAnswered'),
    data: z.object({ notificationId: notificationIdSchema, successCount: z.number().int().min(0) }),
  }),
  /** Their push waits until then. They stay pending. */
  z.object({
    type: z.literal('RecipientsPostponed'),
    data: z.object({
      notificationId: notificationIdSchema,
      until: z.iso.datetime(),
      /** Absent for the first. */
      attempt: z.number().int().min(2).optional(),
      recipients: recipientGroups,
    }),
  }),
  z.object({
    type: z.literal('RecipientsSettled'),
    data: z.object({
      notificationId: notificationIdSchema,
      settled: z.array(
        z.object({ bucket: z.string(), outcomes: z.array(deliveryOutcomeSchema.extend({ userId: storedUserId })) }),
      ),
    }),
  }),
])
export type CampaignEvent = z.infer<typeof campaignEventSchema>
export type CampaignEventOf<T extends CampaignEvent['type']> = Extract<CampaignEvent, { type: T }>

/** The items of one bucket. */
type InBucket<T> = { readonly bucket: string; readonly items: readonly T[] }

/** Groups items by bucket: buckets sorted, items in the given order. */
export const groupByBucket = <T>(items: readonly T[], bucketOf: (item: T) => string): readonly InBucket<T>[] => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const bucket = bucketOf(item)
    const group = groups.get(bucket)
    if (group) group.push(item)
    else groups.set(bucket, [item])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([bucket, grouped]) => ({ bucket, items: grouped }))
}

/** Packs groups into chunks of at most `size` items. A group that does not fit continues in the next chunk. */
export const packChunks = <T>(
  groups: readonly InBucket<T>[],
  size: number = recipientsPerEvent,
): readonly (readonly InBucket<T>[])[] => {
  const chunks: InBucket<T>[][] = []
  let room = 0
  for (const { bucket, items } of groups) {
    for (let from = 0; from < items.length;) {
      if (room === 0) {
        chunks.push([])
        room = size
      }
      const part = items.slice(from, from + room)
      chunks.at(-1)?.push({ bucket, items: part })
      from += part.length
      room -= part.length
    }
  }
  return chunks
}
