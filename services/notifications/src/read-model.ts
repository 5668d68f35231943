import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'

/**
 * Where things are in the read model; see 'The inbox' in ARCHITECTURE.md. The projection that writes all of it is called
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

/** Scores are `readUpTo`s, values are Mark. */
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
