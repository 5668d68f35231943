import { mapOutcomeStates, type OutcomeState, outcomeStates } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'

/**
 * Layout of the read model; see docs/realtime.md. The projection 'inbox' writes all of it. Its position in a user's
 * bucket tells how current that user's inbox is.
 */
export const inboxProjectionName = 'inbox'
/**
 * Version 2 has the campaigns' activity over time and the admins' actions, version 3 the arrivals of each day and how
 * many of them are read, version 4 the campaigns of admins apart from those of the portal.
 */
export const inboxProjectionRef = { name: inboxProjectionName, version: 4 } as const

/** The partition and message key of data about campaigns as a whole. */
export const campaignPartition = 'campaigns'

/** Members are notification ids, scores are ordinals without gaps, values are SentCampaign. */
export const campaignList = 'campaigns'

export const campaignTotalRef: DocumentRef = { partition: campaignPartition, collection: 'campaign-total', key: 'all' }

/**
 * The campaigns that admins sent, as most readers of the history want them. Members are notification ids, scores are 1, 2,
 * 3 … without gaps; the values are in `campaignList`.
 */
export const adminCampaignList = 'campaigns-of-admins'

export const adminCampaignTotalRef: DocumentRef = { ...campaignTotalRef, key: 'admins' }

export const headRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'inbox-head',
  key: userId,
})

/** Members are notification ids, scores are arrival numbers without gaps, values are ItemState. */
export const itemList = (userId: UserId): string => `inbox:${userId}`

/** What a user has marked as unread: MarkedUnread. Most inboxes have no such document. */
export const markedUnreadRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'inbox-marked-unread',
  key: userId,
})

/** Scores are sequence numbers, values are ReadChange; the newest `keptReads` of them. */
export const readList = (userId: UserId): string => `inbox-reads:${userId}`

/** Scores are `readUpTo`s, values are ReadWatermark. */
export const markList = (userId: UserId): string => `inbox-marks:${userId}`

/** A campaign's recipients in one bucket with their outcomes: BucketRecipients. */
export const recipientsRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-recipients',
  key: notificationId,
})

/**
 * The recipients of resends in one bucket: BucketRecipients. They stay among the failed ones in `recipientsRef`, because a
 * resend to a few would otherwise rewrite all recipients.
 */
export const resentRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-resent',
  key: notificationId,
})

/** The ids of those whose push failed. A separate document, because a resend reads it from every bucket. */
export const failedRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-failed',
  key: notificationId,
})

/** Their totals: BucketTally. A separate small document, because a history page reads hundreds. */
export const tallyRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-bucket',
  key: notificationId,
})

/** The content, stored once for all recipients. Immutable. */
export const textRef = (notificationId: NotificationId): DocumentRef => ({
  partition: `n${bucketKey(notificationId).slice(1)}`,
  collection: 'notification-text',
  key: notificationId,
})

/** Writes a document in the partition of the current message. */
export const put = ({ collection, key }: DocumentRef, value: Json): Write => ({ op: 'put', collection, key, value })

/**
 * Documents of the inbox projection and their parsers. Heads and items are read for every recipient and every line
 * of a page, so they use hand-written checks, which are much faster than a schema.
 */

/** The state of one inbox. */
export type InboxHead = {
  /** Incremented by every change: arrived, read, all read, recalled, marked as unread. */
  readonly seq: number
  /** Number of arrivals; also the arrival number of the newest item. */
  readonly total: number
  readonly unread: number
  /** Items whose `seq` is at most this have been read. */
  readonly readUpTo: number
}

const emptyHead: InboxHead = { seq: 0, total: 0, unread: 0, readUpTo: 0 }

/** One notification in one inbox. */
export type ItemState = {
  /** The inbox's `seq` after its arrival. */
  readonly seq: number
  readonly deliveredAt: string
  /** When it was first read individually; absent if it was never read or a mark-all covers it. */
  readonly readAt?: string
  /** When an admin withdrew it. It then counts as read. */
  readonly withdrawnAt?: string
  /** The recipient had not read it when it was withdrawn. No later mark-all makes that a read. */
  readonly wasUnread?: true
  /** When an e-mail told the user of it. */
  readonly emailedAt?: string
  /** When the user first followed its button. */
  readonly clickedAt?: string
  /** Present once the user has marked it as unread. It has been read all the same, which campaigns count. */
  readonly markedUnread?: {
    readonly times: number
    /** When the user read it again; absent while it is unread. */
    readonly readAt?: string
  }
}

const markedUnreadSchema = z.object({
  /** Those that are unread. May contain withdrawn ones. */
  open: z.array(z.string().brand<'NotificationId'>()),
  /** How often the user has marked one. */
  marks: z.number().int(),
})
type MarkedUnread = z.infer<typeof markedUnreadSchema>

export const markedUnreadOf = (value: unknown): MarkedUnread =>
  value === undefined ? { open: [], marks: 0 } : markedUnreadSchema.parse(value)

const outcomeGroupSchema = z.object({
  state: z.enum(outcomeStates),
  reason: z.string().optional(),
  /** These planned recipients never got an inbox entry, because the campaign was stopped before. */
  isWithheld: z.literal(true).optional(),
  userIds: z.array(z.string().brand<'UserId'>()),
})
const postponedGroupSchema = z.object({
  /** ISO 8601. */
  until: z.string(),
  userIds: z.array(z.string().brand<'UserId'>()),
})
export type PostponedGroup = z.infer<typeof postponedGroupSchema>

const recipientsSchema = z.object({
  pending: z.array(z.string().brand<'UserId'>()),
  /** Those of them whose push waits. Absent if there are none. */
  postponed: z.array(postponedGroupSchema).optional(),
  settled: z.array(outcomeGroupSchema),
  /** The last attempt of each recipient of a resend. */
  attempts: z.array(z.object({ attempt: z.number().int(), userIds: z.array(z.string().brand<'UserId'>()) })).optional(),
})

/**
 * A campaign's recipients in one bucket with their outcomes. One document instead of fields in inbox items:
 * outcomes arrive by the hundred and are not part of the inbox.
 */
export type BucketRecipients = z.infer<typeof recipientsSchema>
export type OutcomeGroup = z.infer<typeof outcomeGroupSchema>

export const recipientsOf = (value: unknown): BucketRecipients =>
  value === undefined ? { pending: [], settled: [] } : recipientsSchema.parse(value)

/** All recipients of a bucket with the outcomes of their last attempts. */
export const currentRecipients = (recipients: BucketRecipients, resent: BucketRecipients): BucketRecipients => {
  const { attempts = [] } = resent
  const isResent = new Set(attempts.flatMap(({ userIds }) => userIds))
  if (isResent.size === 0) return recipients
  const settled = recipients.settled
    .map((group) =>
      group.state === 'failed' ? { ...group, userIds: group.userIds.filter((userId) => !isResent.has(userId)) } : group,
    )
    .filter(({ userIds }) => userIds.length > 0)
  const postponed = [...(recipients.postponed ?? []), ...(resent.postponed ?? [])]
  return {
    pending: [...recipients.pending, ...resent.pending],
    ...(postponed.length > 0 && { postponed }),
    settled: [...settled, ...resent.settled],
    attempts,
  }
}

/** Looks up the current attempt of a recipient: 1 for those who were never resent. */
export const attemptLookup = ({ attempts = [] }: Pick<BucketRecipients, 'attempts'>): ((userId: UserId) => number) => {
  const known = new Map(attempts.flatMap(({ attempt, userIds }) => userIds.map((userId) => [userId, attempt] as const)))
  return (userId) => known.get(userId) ?? 1
}

const failedSchema = z.array(z.string().brand<'UserId'>()).default([])
export const failedRecipientsOf = (value: unknown): readonly UserId[] => failedSchema.parse(value)

/** Totals of a bucket's recipients. Recipients without an outcome are pending. */
export type BucketTally = {
  readonly targeted: number
  readonly read: number
  /** Withdrawn inbox entries; absent before a recall. */
  readonly recalled?: number | undefined
  /** Recipients whose inbox does not get it; absent if there are none. They are part of `cancelled`. */
  readonly withheld?: number | undefined
  /** Recipients who became pending again, over all resends; absent before the first. */
  readonly resent?: number | undefined
  /** Recipients whom an e-mail told of it; absent if there are none. */
  readonly emailed?: number | undefined
  /** Recipients who followed its button; absent if there are none. */
  readonly clicked?: number | undefined
  /** Pending recipients whose push waits; absent if there are none. */
  readonly postponed?: number | undefined
  /** When the last of them is due; ISO 8601. */
  readonly postponedUntil?: string | undefined
} & Readonly<Record<OutcomeState, number>>

/** A mark-all. */
export type ReadWatermark = {
  readonly at: string
  /** The first covered arrival number. */
  readonly fromArrival: number
  /** The last covered arrival number. */
  readonly toArrival: number
  /** How many of them, from the newest, are counted as read in their campaigns. */
  readonly counted: number
}

class MalformedDocumentError extends Error {
  override readonly name = 'MalformedDocumentError'
  constructor(what: string, value: unknown) {
    super(`The read model holds a malformed ${what}: ${JSON.stringify(value)?.slice(0, 200)}`)
  }
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const isHead = (value: unknown): value is InboxHead =>
  isObject(value) &&
  Number.isInteger(value['seq']) &&
  Number.isInteger(value['total']) &&
  Number.isInteger(value['unread']) &&
  Number.isInteger(value['readUpTo'])

const isMarkedUnread = (value: unknown): boolean =>
  isObject(value) &&
  Number.isInteger(value['times']) &&
  (value['readAt'] === undefined || typeof value['readAt'] === 'string')

const isItem = (value: unknown): value is ItemState =>
  isObject(value) &&
  Number.isInteger(value['seq']) &&
  typeof value['deliveredAt'] === 'string' &&
  (value['readAt'] === undefined || typeof value['readAt'] === 'string') &&
  (value['withdrawnAt'] === undefined || typeof value['withdrawnAt'] === 'string') &&
  (value['wasUnread'] === undefined || value['wasUnread'] === true) &&
  (value['emailedAt'] === undefined || typeof value['emailedAt'] === 'string') &&
  (value['clickedAt'] === undefined || typeof value['clickedAt'] === 'string') &&
  (value['markedUnread'] === undefined || isMarkedUnread(value['markedUnread']))

/** An inbox without arrivals has no document. */
export const headOf = (value: unknown): InboxHead => {
  if (value === undefined) return emptyHead
  if (!isHead(value)) throw new MalformedDocumentError('inbox head', value)
  return value
}

export const itemOf = (value: unknown): ItemState => {
  if (!isItem(value)) throw new MalformedDocumentError('inbox item', value)
  return value
}

const markSchema = z.object({
  at: z.string(),
  fromArrival: z.number().int(),
  toArrival: z.number().int(),
  counted: z.number().int(),
})
export const markOf = (value: unknown): ReadWatermark => markSchema.parse(value)

const count = z.number().int()
const tallySchema = z.object({
  targeted: count,
  ...mapOutcomeStates(() => count),
  read: count,
  recalled: count.optional(),
  withheld: count.optional(),
  resent: count.optional(),
  emailed: count.optional(),
  clicked: count.optional(),
  postponed: count.optional(),
  postponedUntil: z.string().optional(),
})

const emptyTally: BucketTally = { targeted: 0, ...mapOutcomeStates(() => 0), read: 0 }

export const tallyOf = (value: unknown): BucketTally => (value === undefined ? emptyTally : tallySchema.parse(value))

/** A change of the read state or a recall, kept for resumes. */
export const readChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), notificationId: z.string().brand<'NotificationId'>(), readAt: z.string() }),
  z.object({ kind: z.literal('all-read'), readUpTo: z.number().int(), readAt: z.string() }),
  z.object({
    kind: z.literal('recalled'),
    notificationId: z.string().brand<'NotificationId'>(),
    withdrawnAt: z.string(),
  }),
  z.object({ kind: z.literal('unread'), notificationId: z.string().brand<'NotificationId'>() }),
])
export type ReadChange = z.infer<typeof readChangeSchema>

/** Whether the recipient has read it, before a recall if there was one. Stays true if the user marks it as unread. */
export const wasReadByUser = (item: ItemState, head: Pick<InboxHead, 'readUpTo'>): boolean =>
  item.readAt !== undefined || (item.seq <= head.readUpTo && item.wasUnread !== true)

/** Whether the user has marked it as unread and not read it since. */
export const isMarkedAsUnread = ({ markedUnread }: Pick<ItemState, 'markedUnread'>): boolean =>
  markedUnread !== undefined && markedUnread.readAt === undefined

/** Whether it counts as read in the inbox: the user read it, or an admin withdrew it. */
export const isRead = (item: ItemState, head: Pick<InboxHead, 'readUpTo'>): boolean =>
  item.withdrawnAt !== undefined || (wasReadByUser(item, head) && !isMarkedAsUnread(item))
