import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import {
  applyAnsweredRead,
  applyAnsweredReadAll,
  applyChanges,
  release,
  unreadItem,
  viewOf,
  type FetchedPage,
  type InboxView,
} from './apply-changes.ts'
import { appendChanges, changesSince, emptyLog, type ChangeLog } from './change-log.ts'
import type { InboxVersion } from './inbox-feed.ts'

/** The server's unread count and its version. The client never counts by itself. */
export type InboxHead = InboxVersion & { readonly unread: number }

/** Read states that the server has not confirmed. They are shown at once and rolled back if the server rejects them. */
type OptimisticReads = {
  readonly ids: ReadonlySet<NotificationId>
  /** Marked as unread. */
  readonly unreadIds: ReadonlySet<NotificationId>
  /** The last sequence number of a mark-all, which may wait for Undo; -1 without one. */
  readonly allUpTo: number
}

/** This tab's state of the inbox. */
export type Inbox = {
  readonly head: InboxHead | null
  readonly log: ChangeLog | null
  readonly view: InboxView | null
  readonly optimistic: OptimisticReads
  /** Whether arrivals are held back because the user has scrolled. */
  readonly isHolding: boolean
  /** Whether the page with the list is open: it shows arrivals by itself. */
  readonly isListOpen: boolean
  /** Notifications withdrawn since this tab follows the inbox; the newest of them. */
  readonly withdrawn: ReadonlySet<NotificationId>
  /** Rows that arrived live and have not been shown before. They slide in. */
  readonly fresh: ReadonlySet<NotificationId>
}

const noReads: OptimisticReads = {
  ids: new Set<NotificationId>(),
  unreadIds: new Set<NotificationId>(),
  allUpTo: -1,
}

export const emptyInbox: Inbox = {
  head: null,
  log: null,
  view: null,
  optimistic: noReads,
  isHolding: false,
  isListOpen: false,
  withdrawn: new Set<NotificationId>(),
  fresh: new Set<NotificationId>(),
}

const withHead = (inbox: Inbox, { epoch, seq, unread }: InboxHead): Inbox => ({
  ...inbox,
  head: { epoch, seq, unread },
})

/**
 * Counts arrive by request and by socket in any order; the highest sequence number is the newest. Epochs have no order: only
 * the feed switches to another one (`resetInbox`).
 */
export const updateHead = (inbox: Inbox, head: InboxHead): Inbox => {
  const known = inbox.head
  return !known || (head.epoch === known.epoch && head.seq >= known.seq) ? withHead(inbox, head) : inbox
}

/** The displayed page with the optimistic reads applied. */
export const shownView = ({ view, optimistic: { ids, unreadIds, allUpTo } }: Inbox): InboxView | null => {
  if (!view || (ids.size === 0 && unreadIds.size === 0 && allUpTo < 0)) return view
  const isRead = ({ _id, seq }: InboxItem) => ids.has(_id) || seq <= allUpTo
  const shown = (item: InboxItem) => {
    if (unreadIds.has(item._id) && item.withdrawnAt === undefined) return unreadItem(item)
    return !item.isRead && isRead(item) ? { ...item, isRead: true } : item
  }
  return { ...view, items: view.items.map(shown) }
}

/** How many of the arrivals among these changes are unread after them. */
const countUnreadAfter = (changes: readonly InboxChange[]): number => {
  const arrivedAs = new Map<NotificationId, number>()
  const unread = new Set<NotificationId>()
  for (const change of changes) {
    if (change.kind === 'arrived') {
      const { _id, seq, isRead } = change.notification
      arrivedAs.set(_id, seq)
      if (!isRead) unread.add(_id)
    } else if (change.kind === 'unread') {
      if (arrivedAs.has(change.notificationId)) unread.add(change.notificationId)
    } else if (change.kind === 'all-read') {
      for (const [id, seq] of arrivedAs) if (seq <= change.readUpTo) unread.delete(id)
    } else unread.delete(change.notificationId)
  }
  return unread.size
}

/** The unread count. During an optimistic mark-all, only later arrivals count. */
export const shownUnread = ({ head, log, optimistic: { allUpTo } }: Inbox): number => {
  if (!head) return 0
  if (head.seq <= allUpTo) return 0
  // The log must reach back to the mark-all.
  if (allUpTo < 0 || log?.epoch !== head.epoch || log.since > allUpTo) return head.unread
  return countUnreadAfter(log.changes.filter(({ seq }) => seq > allUpTo))
}

/** Starts the log: the feed reports every change after `head`. */
export const beginLog = (inbox: Inbox, head: InboxHead): Inbox => {
  const begun = { ...inbox, log: emptyLog(head) }
  return updateHead(inbox.head?.epoch === head.epoch ? begun : withHead(begun, head), head)
}

/** Whether the displayed page misses changes before `head`, where the log begins. */
export const isBehind = ({ view }: Inbox, head: InboxHead): boolean =>
  view !== null && (view.epoch !== head.epoch || view.seq < head.seq)

const addFresh = (fresh: Inbox['fresh'], items: readonly InboxItem[]): Inbox['fresh'] =>
  items.length === 0 ? fresh : new Set([...fresh, ...items.map(({ _id }) => _id)])

const maxWithdrawn = 200

/** The notifications that these changes withdraw. */
export const withdrawnBy = (changes: readonly InboxChange[]): readonly NotificationId[] =>
  changes.flatMap((change) => (change.kind === 'recalled' ? [change.notificationId] : []))

const addWithdrawn = (known: Inbox['withdrawn'], changes: readonly InboxChange[]): Inbox['withdrawn'] => {
  const added = withdrawnBy(changes)
  return added.length === 0 ? known : new Set([...known, ...added].slice(-maxWithdrawn))
}

export const receiveChanges = (before: Inbox, changes: readonly InboxChange[]): Inbox => {
  const inbox = { ...before, withdrawn: addWithdrawn(before.withdrawn, changes) }
  const log = inbox.log && appendChanges(inbox.log, changes)
  const { view } = inbox
  // A page of another epoch is reloaded anyway.
  if (!view || view.epoch !== log?.epoch) return { ...inbox, log }
  const after = applyChanges(view, changes, inbox.isHolding)
  const displayed = new Set(view.items.map(({ _id }) => _id))
  const arrived = after.items.filter(({ _id }) => !displayed.has(_id))
  return { ...inbox, log, view: after, fresh: addFresh(inbox.fresh, arrived) }
}

/**
 * `missed`: more changes arrived during the request than the log keeps, so the page must be reloaded. `other-epoch`: the page
 * is shown with its own count and reloaded until it has the epoch of the feed, because two processes switch epochs at slightly
 * different times.
 */
export type PageOutcome = 'shown' | 'missed' | 'other-epoch'

/** Shows a loaded page after applying the changes of the log. */
export const showPage = (
  inbox: Inbox,
  { unread, ...page }: FetchedPage & InboxHead,
): { readonly inbox: Inbox; readonly outcome: PageOutcome } => {
  const { log } = inbox
  const head = { ...page, unread }
  if (log && log.epoch !== page.epoch)
    return { inbox: { ...withHead(inbox, head), view: viewOf(page) }, outcome: 'other-epoch' }
  const counted = updateHead(inbox, head)
  const missed = log ? changesSince(log, page.seq) : []
  if (missed === null) return { inbox: counted, outcome: 'missed' }
  return { inbox: { ...counted, view: applyChanges(viewOf(page), missed, false) }, outcome: 'shown' }
}

/** Shows the arrivals that were held back. */
export const releaseHeld = (inbox: Inbox): Inbox => {
  const { view } = inbox
  if (!view || view.heldCount === 0) return inbox
  return { ...inbox, fresh: addFresh(inbox.fresh, view.held), view: release(view) }
}

/**
 * Resets the log after a gap or an epoch change; pages must be reloaded. In another epoch the server's head applies even if it
 * is lower, and optimistic reads are dropped.
 */
export const resetInbox = (inbox: Inbox, head: InboxHead): Inbox => {
  const kept = inbox.log?.epoch === head.epoch ? inbox : { ...withHead(inbox, head), optimistic: noReads }
  return { ...updateHead(kept, head), log: emptyLog(head) }
}

/** Shows one notification as read before the server confirms it. */
export const expectRead = (inbox: Inbox, id: NotificationId): Inbox => ({
  ...inbox,
  optimistic: { ...inbox.optimistic, ids: new Set([...inbox.optimistic.ids, id]) },
})

/** Shows one notification as unread before the server confirms it. */
export const expectUnread = (inbox: Inbox, id: NotificationId): Inbox => ({
  ...inbox,
  optimistic: { ...inbox.optimistic, unreadIds: new Set([...inbox.optimistic.unreadIds, id]) },
})

/** Ends an optimistic read or mark as unread: with the server's response, or with null if it was rejected. */
export const settleRead = (
  inbox: Inbox,
  id: NotificationId,
  answer: (InboxHead & { readonly notification: InboxItem }) | null,
  which: 'ids' | 'unreadIds' = 'ids',
): Inbox => {
  const left = new Set([...inbox.optimistic[which]].filter((one) => one !== id))
  const settled = { ...inbox, optimistic: { ...inbox.optimistic, [which]: left } }
  if (!answer) return settled
  const counted = updateHead(settled, answer)
  const { view } = counted
  // A view beyond the answer has the change already, and perhaps later ones of the same notification.
  return view?.epoch === answer.epoch && view.seq <= answer.seq
    ? { ...counted, view: applyAnsweredRead(view, answer.notification) }
    : counted
}

/** The highest version known to this tab, which is what 'mark all' covers. */
export const knownUpTo = ({ head, view }: Inbox): InboxVersion => {
  if (!view) return head ?? { epoch: '', seq: 0 }
  return { epoch: view.epoch, seq: head?.epoch === view.epoch ? Math.max(head.seq, view.seq) : view.seq }
}

/** Shows everything up to `mark` as read before the server confirms it. */
export const expectReadAll = (inbox: Inbox, mark: InboxVersion): Inbox => ({
  ...inbox,
  optimistic: { ...inbox.optimistic, allUpTo: mark.seq },
})

type ReadAll = InboxHead & { readonly readAt: string }

/** Ends an optimistic 'mark all' at `mark`: with the server's response, or with null if it was rejected or undone. */
export const settleReadAll = (inbox: Inbox, mark: InboxVersion, answer: ReadAll | null): Inbox => {
  const { optimistic } = inbox
  // A later mark-all goes on.
  const settled = optimistic.allUpTo === mark.seq ? { ...inbox, optimistic: { ...optimistic, allUpTo: -1 } } : inbox
  if (!answer) return settled
  const counted = updateHead(settled, answer)
  const { view } = counted
  // The socket message has the exact time; it may arrive before or after the response.
  return view && view.epoch === mark.epoch && view.epoch === answer.epoch && view.seq <= answer.seq
    ? { ...counted, view: applyAnsweredReadAll(view, mark.seq, answer.readAt) }
    : counted
}
