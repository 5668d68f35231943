import { mapOutcomeStates, type OutcomeState, outcomeStates } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'

/**
 * Where things are in the read model; see docs/realtime.md. The projection that writes all of it is called
 * 'inbox': its position in a user's bucket tells how far that user's inbox is.
 */
export const inboxProjectionName = 'inbox'

/** The partition, and bus key, of what concerns sends as a whole. */
export const campaignPartition = 'campaigns'

/** Members are notification ids, scores are ordinals without gaps, values are SentCampaign. */
export const campaignList = 'campaigns'

export const campaignTotalRef: DocumentRef = { partition: campaignPartition, collection: 'campaign-total', key: 'all' }

export const headRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'inbox-head',
  key: userId,
})

/** Members are notification ids, scores are arrival numbers without gaps, values are ItemState. */
export const itemList = (userId: UserId): string => `inbox:${userId}`

/** Scores are sequence numbers, values are ReadChange; the newest `keptReads` of them. */
export const readList = (userId: UserId): string => `inbox-reads:${userId}`

/** Scores are `readUpTo`s, values are ReadWatermark. */
export const markList = (userId: UserId): string => `inbox-marks:${userId}`

/** Who of one bucket a send went to, and how it ended for them: BucketRecipients. */
export const recipientsRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-recipients',
  key: notificationId,
})

/** The sums of that: BucketTally. Small, as a page of the history reads hundreds. */
export const tallyRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-bucket',
  key: notificationId,
})

/** The text, once for all recipients; never changes. */
export const textRef = (notificationId: NotificationId): DocumentRef => ({
  partition: `n${bucketKey(notificationId).slice(1)}`,
  collection: 'notification-text',
  key: notificationId,
})

/** Writes a document of the partition that a projection is working in. */
export const put = ({ collection, key }: DocumentRef, value: Json): Write => ({ op: 'put', collection, key, value })

/**
 * The shapes that the inbox projection keeps, and how they are read back. Heads and items are read for every
 * recipient of a send and every line of a page; a look at their fields is many times cheaper there than a schema.
 */

/** Where one inbox stands. */
export type InboxHead = {
  /** Raised by one with every change: arrived, read, all read. */
  readonly seq: number
  /** How many have arrived, which is also the newest one's arrival number. */
  readonly total: number
  readonly unread: number
  /** Items whose `seq` is at most this are read. */
  readonly readUpTo: number
}

const emptyHead: InboxHead = { seq: 0, total: 0, unread: 0, readUpTo: 0 }

/** One notification in one inbox. */
type ItemState = {
  /** The inbox's `seq` after its arrival. */
  readonly seq: number
  readonly deliveredAt: string
  /** When it was read by itself; absent where it is unread or a mark-all covers it. */
  readonly readAt?: string
}

const outcomeGroupSchema = z.object({
  state: z.enum(outcomeStates),
  reason: z.string().optional(),
  userIds: z.array(z.string().brand<'UserId'>()),
})
const recipientsSchema = z.object({
  pending: z.array(z.string().brand<'UserId'>()),
  settled: z.array(outcomeGroupSchema),
})

/**
 * Who of one bucket a send went to, and how it ended for them. One document, not a field of each inbox item: outcomes come
 * by the hundred, and nobody sees them in an inbox.
 */
type BucketRecipients = z.infer<typeof recipientsSchema>
export type OutcomeGroup = z.infer<typeof outcomeGroupSchema>

export const recipientsOf = (value: unknown): BucketRecipients =>
  value === undefined ? { pending: [], settled: [] } : recipientsSchema.parse(value)

/** The sums of a bucket's recipients. Whoever has no outcome is pending. */
export type BucketTally = { readonly targeted: number; readonly read: number } & Readonly<Record<OutcomeState, number>>

/** A mark-all. */
export type ReadWatermark = {
  readonly at: string
  /** It covers the arrivals from this number … */
  readonly fromArrival: number
  /** … to this one. */
  readonly toArrival: number
  /** For how many of them, the newest first, the read has been counted for their sends. */
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

const isItem = (value: unknown): value is ItemState =>
  isObject(value) &&
  Number.isInteger(value['seq']) &&
  typeof value['deliveredAt'] === 'string' &&
  (value['readAt'] === undefined || typeof value['readAt'] === 'string')

/** An inbox that nothing has arrived in has no document. */
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
const tallySchema = z.object({ targeted: count, ...mapOutcomeStates(() => count), read: count })

const emptyTally: BucketTally = { targeted: 0, ...mapOutcomeStates(() => 0), read: 0 }

export const tallyOf = (value: unknown): BucketTally => (value === undefined ? emptyTally : tallySchema.parse(value))

/** A change of the read state, kept for clients that resume. */
export const readChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), notificationId: z.string().brand<'NotificationId'>(), readAt: z.string() }),
  z.object({ kind: z.literal('all-read'), readUpTo: z.number().int(), readAt: z.string() }),
])
export type ReadChange = z.infer<typeof readChangeSchema>

export const isRead = (item: ItemState, head: Pick<InboxHead, 'readUpTo'>): boolean =>
  item.readAt !== undefined || item.seq <= head.readUpTo
