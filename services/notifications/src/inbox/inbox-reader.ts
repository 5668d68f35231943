import type { InboxItem } from '@portal/contracts/notifications/notification'
import { type InboxChange, type InboxResumed, resumeLimit } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { type PageQuery, type Pagination, paginationOf } from '@portal/contracts/shared/page'
import type { Entry, ReadModel } from '@portal/platform/read-model/port'
import { headRef, itemList, markList, readList } from '../read-model.ts'
import { headOf, type InboxHead, isRead, itemOf, markOf, readChangeSchema } from './documents.ts'
import { presentItem } from './present-item.ts'
import type { Texts } from './texts.ts'

type InboxPage = {
  readonly notifications: InboxItem[]
  readonly pagination: Pagination
  readonly seq: number
  readonly unread: number
}

/** Reads inboxes. What each call costs depends on what it returns, never on the size of the inbox. */
export type InboxReader = {
  /** Where the inbox stands: its sequence number and its counts. */
  head(userId: UserId): Promise<InboxHead>
  page(userId: UserId, query: PageQuery): Promise<InboxPage>
  item(userId: UserId, notificationId: NotificationId): Promise<InboxItem | undefined>
  /** What happened after `since`, or 'too many changes'. */
  changesSince(userId: UserId, since: number): Promise<InboxResumed>
}

/** How often to read again when the inbox changed while it was read. */
const maxReads = 5

export const createInboxReader = (readModel: ReadModel, texts: Texts): InboxReader => {
  const head = async (userId: UserId): Promise<InboxHead> => headOf(await readModel.get(headRef(userId)))

  /** When each item that only a mark-all covers was read: by the first mark at or above its `seq`. */
  const markTimes = async (userId: UserId, coveredSeqs: readonly number[]): Promise<(seq: number) => string | null> => {
    if (coveredSeqs.length === 0) return () => null
    // A mark exists only if it covered something unread, and the items come without gaps: no more marks than items lie
    // between them, and one closes above.
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

  /** Of entries that follow each other without gaps. */
  const present = async (userId: UserId, entries: readonly Entry[], at: InboxHead): Promise<InboxItem[]> => {
    const lines = entries.map(({ member, value }) => ({
      notificationId: notificationIdSchema.parse(member),
      item: itemOf(value),
    }))
    const covered = lines.filter(({ item }) => item.readAt === undefined && isRead(item, at))
    const [found, markTime] = await Promise.all([
      texts.many(lines.map(({ notificationId }) => notificationId)),
      markTimes(
        userId,
        covered.map(({ item }) => item.seq),
      ),
    ])
    return lines.flatMap(({ item }, index) => {
      const text = found[index]
      return text ? presentItem(text, item, item.readAt ?? markTime(item.seq)) : []
    })
  }

  /** Reads what belongs to a head, and again when the head has moved on meanwhile: counts and lines agree. */
  const consistently = async <T>(
    userId: UserId,
    read: (at: InboxHead) => Promise<T>,
  ): Promise<{ readonly at: InboxHead; readonly result: T }> => {
    let at = await head(userId)
    for (let reads = 1; ; reads++) {
      const result = await read(at)
      const now = await head(userId)
      if (now.seq === at.seq || reads === maxReads) return { at, result }
      at = now
    }
  }

  const pageItems = async (userId: UserId, { page, limit }: PageQuery, at: InboxHead): Promise<InboxItem[]> => {
    const newest = at.total - (page - 1) * limit
    if (newest < 1) return []
    const range = { from: newest - limit + 1, to: newest, order: 'descending', limit } as const
    return present(userId, await readModel.range(bucketKey(userId), itemList(userId), range), at)
  }

  /** Every number from `since` to the head's is one change: either an arrival or a change of the read state. */
  const changesBetween = async (userId: UserId, since: number, at: InboxHead): Promise<readonly InboxChange[]> => {
    const count = at.seq - since
    const partition = bucketKey(userId)
    const newest = { to: at.total, order: 'descending', limit: count } as const
    const entries = await readModel.range(partition, itemList(userId), newest)
    const arrived = await present(
      userId,
      entries.filter(({ value }) => itemOf(value).seq > since),
      at,
    )
    const changes: InboxChange[] = arrived.map((notification) => ({
      kind: 'arrived',
      seq: notification.seq,
      notification,
    }))
    if (changes.length < count) {
      const range = { from: since + 1, to: at.seq, order: 'ascending', limit: count } as const
      for (const { score, value } of await readModel.range(partition, readList(userId), range))
        changes.push({ ...readChangeSchema.parse(value), seq: score })
    }
    return changes.toSorted((a, b) => a.seq - b.seq)
  }

  return {
    head,
    page: async (userId, query) => {
      const { at, result } = await consistently(userId, (current) => pageItems(userId, query, current))
      return { notifications: result, pagination: paginationOf(query, at.total), seq: at.seq, unread: at.unread }
    },
    item: async (userId, notificationId) => {
      const { result } = await consistently(userId, async (current) => {
        const entry = await readModel.entry(bucketKey(userId), itemList(userId), notificationId)
        return entry && (await present(userId, [entry], current))
      })
      return result?.[0]
    },
    changesSince: async (userId, since) => {
      const at = await head(userId)
      const { seq, unread } = at
      // A client that is ahead has seen an inbox that is no more, as after a restore.
      if (since > seq || seq - since > resumeLimit) return { reset: true, seq, unread }
      const changes = since === seq ? [] : await changesBetween(userId, since, at)
      // Fewer, when so much was read while this was being read that a slot was used again.
      return changes.length === seq - since ? { seq, unread, changes: [...changes] } : { reset: true, seq, unread }
    },
  }
}
