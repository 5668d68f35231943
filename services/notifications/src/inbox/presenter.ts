import type { NotificationText } from '@portal/contracts/notifications/events'
import { type InboxItem, withdrawItem } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Entry, ReadModel } from '@portal/platform/read-model/port'
import { type InboxHead, itemOf, type ItemState, markList, markOf } from '../read-model.ts'
import type { Filled, FillTexts } from '../placeholders/fill-texts.ts'
import type { ContentCache } from './content-cache.ts'
import { withdrawnText } from './stored-text.ts'

/** A notification for its reader, in both spellings of the specification's clients. */
export const presentItem = (
  { notificationId, title, message, type, button, image, lang }: Filled<NotificationText>,
  { seq, deliveredAt }: { readonly seq: number; readonly deliveredAt: string },
  readAt: string | null,
): InboxItem => ({
  _id: notificationId,
  id: notificationId,
  notificationTitle: title,
  title,
  notificationType: type,
  type,
  message,
  ...(lang !== undefined && { lang }),
  ...(button && { button }),
  ...(image && { image }),
  isRead: readAt !== null,
  readAt,
  deliveredAt,
  timestamp: deliveredAt,
  seq,
})

/**
 * A placeholder for missing content. The notification counts as unread and can be read, so it is shown with an
 * explanation.
 */
export const textUnavailable = (notificationId: NotificationId): NotificationText => ({
  notificationId,
  title: 'This notification cannot be shown right now',
  message: 'Its text is temporarily unavailable. Please try again later.',
  type: 'General',
})

/** Items for users. `isComplete` is false if the content of one is missing at the moment. */
type Presented = {
  readonly items: InboxItem[]
  readonly isComplete: boolean
  /** Of the values that the texts depend on; undefined if all users read the same. */
  readonly valuesVersion: string | undefined
}

/** Presents consecutive entries. */
export type Presenter = (userId: UserId, entries: readonly Entry[], at: InboxHead) => Promise<Presented>

export const createPresenter = (
  readModel: Pick<ReadModel, 'range'>,
  contentCache: ContentCache,
  { fill }: Pick<FillTexts, 'fill'>,
): Presenter => {
  /** Finds when items covered by a mark-all were read: the first mark at or above their `seq`. */
  const markTimes = async (userId: UserId, coveredSeqs: readonly number[]): Promise<(seq: number) => string | null> => {
    if (coveredSeqs.length === 0) return () => null
    // Each mark covered something unread, and the items are consecutive. So at most as many marks as items are
    // between them, plus one above.
    const marks = await readModel.range(bucketKey(userId), markList(userId), {
      from: Math.min(...coveredSeqs),
      order: 'ascending',
      limit: coveredSeqs.length + 1,
    })
    return (seq) => {
      const covering = marks.find(({ score }) => score >= seq)
      return covering === undefined ? null : markOf(covering.value).at
    }
  }

  return async (userId, entries, at) => {
    const lines = entries.map(({ member, value }) => ({
      notificationId: notificationIdSchema.parse(member),
      item: itemOf(value),
    }))
    // A withdrawn item never shows its text, even if this process still has it.
    const shown = lines.filter(({ item }) => item.withdrawnAt === undefined)
    const [found, markTime] = await Promise.all([
      contentCache.many(shown.map(({ notificationId }) => notificationId)),
      markTimes(
        userId,
        lines.flatMap(({ item }) => (item.readAt === undefined && item.seq <= at.readUpTo ? [item.seq] : [])),
      ),
    ])
    const filled = await fill(
      userId,
      found.flatMap((text) => text ?? []),
    )
    const texts = new Map(filled.texts.map((text) => [text.notificationId, text]))
    const readTime = ({ readAt, wasUnread, seq, markedUnread }: ItemState): string | null => {
      if (markedUnread) return markedUnread.readAt ?? null
      return readAt ?? (wasUnread ? null : markTime(seq))
    }
    return {
      items: lines.map(({ notificationId, item }) => {
        if (item.withdrawnAt !== undefined)
          return withdrawItem(presentItem(withdrawnText(notificationId), item, readTime(item)), item.withdrawnAt)
        return presentItem(texts.get(notificationId) ?? textUnavailable(notificationId), item, readTime(item))
      }),
      // The text of a recalled campaign is erased before some of its entries are withdrawn.
      isComplete: filled.isComplete && found.every((text) => text !== undefined && !text.isWithdrawn),
      valuesVersion: filled.version,
    }
  }
}
