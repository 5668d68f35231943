import { notificationTextSchema, deliveryOutcomeSchema } from '@portal/contracts/notifications/events'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Of recipients, or outcomes, of one event. Keeps an event readable and a settlement's cost even. */
export const recipientsPerEvent = 500

/**
 * Stored ids were checked when they came in, and a send has up to 10,000: reading them back checks that they are text.
 */
const storedUserId = z.string().brand<'UserId'>()

/**
 * What is recorded on the stream of one send. A send is one append: its recipients in chunks of at most 500, in the order
 * of their buckets, then CampaignSent, whose position tells when the whole send has been projected. Each chunk holds the
 * text, because each must make sense on its own to whoever follows one bucket only; that it lies by chunk, not by
 * bucket, keeps a send of 10,000 with the longest text under the store's 1 MiB an append.
 */
export const campaignEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('RecipientsTargeted'),
    data: z.object({
      text: notificationTextSchema,
      recipients: z.array(z.object({ bucket: z.string(), userIds: z.array(storedUserId) })),
    }),
  }),
  z.object({
    type: z.literal('CampaignSent'),
    data: z.object({
      text: notificationTextSchema,
      sentBy: userIdSchema,
      targeted: z.number().int().positive(),
      buckets: z.array(z.string()),
      /** Keyed hash of the request, where it came with an Idempotency-Key. */
      fingerprint: z.string().optional(),
    }),
  }),
  /** What the sender was told, where a repetition of the request must be told the same. */
  z.object({
    type: z.literal('SenderAnswered'),
    data: z.object({ notificationId: notificationIdSchema, successCount: z.number().int().min(0) }),
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

/** What belongs to one bucket. */
type InBucket<T> = { readonly bucket: string; readonly items: readonly T[] }

/** Groups by bucket, buckets in order, items in the order given. */
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

/** Packs groups into chunks of at most `size` items in all; a group that does not fit goes on in the next chunk. */
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
