import { filterTextOf, isFiltered, matchesText, type InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import { notificationTypes, type InboxItem, withdrawItem } from '@portal/contracts/notifications/notification'
import {
  resumeLimit,
  type InboxChange,
  type InboxChanged,
  type InboxResume,
  type InboxResumed,
} from '@portal/contracts/notifications/socket'
import { notificationIdSchema, type NotificationId } from '@portal/contracts/shared/ids'
import { paginationOf } from '@portal/contracts/shared/page'

export const idOf = (n: number): NotificationId =>
  notificationIdSchema.parse(`01930000-0000-7000-8000-${String(n).padStart(12, '0')}`)

const epochMs = Date.parse('2026-11-21T09:00:00.000Z')
const timeOf = (n: number) => new Date(epochMs + n * 60_000).toISOString()

/** The server's state of one inbox. Tests compare the client with it. */
export const fakeInbox = (startAt = 0) => {
  let epoch = 'first'
  let items: readonly InboxItem[] = []
  let changes: readonly InboxChange[] = []
  let seq = 0
  let arrived = startAt

  const record = (change: InboxChange) => {
    changes = [...changes, change]
    return change
  }
  const unread = () => items.filter((item) => !item.isRead).length

  const arrive = (
    text: Partial<Pick<InboxItem, 'title' | 'message' | 'type' | 'button' | 'image' | 'lang'>> & {
      readonly at?: string
    } = {},
  ): InboxChange => {
    arrived += 1
    seq += 1
    const id = idOf(arrived)
    const title = text.title ?? `Notice ${arrived}`
    const type = text.type ?? notificationTypes[arrived % notificationTypes.length] ?? 'General'
    const at = text.at ?? timeOf(arrived)
    const notification: InboxItem = {
      _id: id,
      id,
      title,
      notificationTitle: title,
      type,
      notificationType: type,
      message: text.message ?? `The text of notice ${arrived}.`,
      ...(text.button && { button: text.button }),
      ...(text.image && { image: text.image }),
      ...(text.lang && { lang: text.lang }),
      isRead: false,
      readAt: null,
      deliveredAt: at,
      timestamp: at,
      seq,
    }
    items = [notification, ...items]
    return record({ kind: 'arrived', seq, notification })
  }

  const read = (notificationId: NotificationId): InboxChange | null => {
    if (!items.some((item) => item._id === notificationId && !item.isRead)) return null
    seq += 1
    const readAt = timeOf(1_000 + seq)
    items = items.map((item) => (item._id === notificationId ? { ...item, isRead: true, readAt } : item))
    return record({ kind: 'read', seq, notificationId, readAt })
  }

  const markUnread = (notificationId: NotificationId): InboxChange | null => {
    if (!items.some((item) => item._id === notificationId && item.isRead && !item.withdrawnAt)) return null
    seq += 1
    items = items.map((item) => (item._id === notificationId ? { ...item, isRead: false, readAt: null } : item))
    return record({ kind: 'unread', seq, notificationId })
  }

  const readAll = (upTo = seq): InboxChange => {
    const readUpTo = Math.min(upTo, seq)
    seq += 1
    const readAt = timeOf(1_000 + seq)
    items = items.map((item) => (item.isRead || item.seq > readUpTo ? item : { ...item, isRead: true, readAt }))
    return record({ kind: 'all-read', seq, readUpTo, readAt })
  }

  const recall = (notificationId: NotificationId): InboxChange | null => {
    if (!items.some((item) => item._id === notificationId && item.withdrawnAt === undefined)) return null
    seq += 1
    const withdrawnAt = timeOf(1_000 + seq)
    items = items.map((item) => (item._id === notificationId ? withdrawItem(item, withdrawnAt) : item))
    return record({ kind: 'recalled', seq, notificationId, withdrawnAt })
  }

  /** Shows the text in another language. No change of the inbox says so. */
  const translate = (notificationId: NotificationId, text: Pick<InboxItem, 'title' | 'lang'>): void => {
    const translated = { ...text, notificationTitle: text.title }
    items = items.map((item) => (item._id === notificationId ? { ...item, ...translated } : item))
  }

  const matching = (filter: InboxFilter) => {
    if (!isFiltered(filter)) return items
    const matches = matchesText(filter)
    return items.filter((item) => !item.withdrawnAt && !(filter.filter && item.isRead) && matches(filterTextOf(item)))
  }

  const page = (number: number, limit = 10, filter: InboxFilter = {}) => {
    const found = matching(filter)
    return {
      items: found.slice((number - 1) * limit, number * limit),
      pagination: paginationOf({ page: number, limit }, found.length),
      epoch,
      seq,
    }
  }

  /** Rebuilds the inbox under another epoch with other sequence numbers. Keeps the newest `count` items, unread unless withdrawn. */
  const renumber = (nextEpoch: string, count: number) => {
    const remaining = items.slice(0, count).toReversed()
    epoch = nextEpoch
    seq = 0
    items = []
    changes = []
    for (const item of remaining) {
      seq += 1
      const notification = item.withdrawnAt ? { ...item, seq } : { ...item, isRead: false, readAt: null, seq }
      items = [notification, ...items]
      record({ kind: 'arrived', seq, notification })
    }
  }

  const changedSince = (since: number): InboxChanged => ({
    epoch,
    seq,
    unread: unread(),
    changes: changes.filter((change) => change.seq > since),
  })

  return {
    arrive,
    read,
    markUnread,
    readAll,
    recall,
    translate,
    page,
    changedSince,
    renumber,
    resume: ({ since, epoch: sinceEpoch }: InboxResume): InboxResumed =>
      (sinceEpoch !== undefined && sinceEpoch !== epoch) || seq - since > resumeLimit
        ? { reset: true, epoch, seq, unread: unread() }
        : changedSince(since),
    find: (id: string) => items.find((item) => item._id === id),
    items: () => items,
    matching,
    head: () => ({ epoch, seq, unread: unread() }),
  }
}
export type FakeInbox = ReturnType<typeof fakeInbox>
