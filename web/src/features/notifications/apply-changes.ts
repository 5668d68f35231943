import { isFiltered, type InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import { type InboxItem, withdrawItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import type { Pagination } from '@portal/contracts/shared/page'
import { matchesFilter, noFilter } from './inbox-filter.ts'

/**
 * A page of the inbox as displayed. `held` contains arrivals that are not shown yet: the user has scrolled or is on a later
 * page, and the list must not jump.
 */
export type InboxView = {
  readonly pagination: Pagination
  readonly filter: InboxFilter
  readonly items: readonly InboxItem[]
  /** Newest first, at most one page. */
  readonly held: readonly InboxItem[]
  readonly heldCount: number
  /** The view contains all changes up to the sequence number `seq` of this epoch. */
  readonly epoch: string
  readonly seq: number
}

export type FetchedPage = Pick<InboxView, 'pagination' | 'items' | 'epoch' | 'seq'> & {
  /** Default: none. */
  readonly filter?: InboxFilter
}

export const viewOf = (fetched: FetchedPage): InboxView => ({ filter: noFilter, ...fetched, held: [], heldCount: 0 })

const readItem = (item: InboxItem, readAt: string): InboxItem =>
  item.isRead ? item : { ...item, isRead: true, readAt }

type ReadChange = Extract<InboxChange, { kind: 'read' | 'all-read' }>
type UnreadChange = Extract<InboxChange, { kind: 'unread' }>
type RecallChange = Extract<InboxChange, { kind: 'recalled' }>

const withdrawItems = (items: readonly InboxItem[], { notificationId, withdrawnAt }: RecallChange) =>
  items.map((item) => (item._id === notificationId ? withdrawItem(item, withdrawnAt) : item))

export const unreadItem = (item: InboxItem): InboxItem =>
  item.isRead ? { ...item, isRead: false, readAt: null } : item

const markItemsUnread = (items: readonly InboxItem[], { notificationId }: UnreadChange) =>
  items.map((item) => (item._id === notificationId ? unreadItem(item) : item))

/** Returns the same array if nothing changed. */
const readItems = (items: readonly InboxItem[], change: ReadChange) => {
  const isAffected = (item: InboxItem) =>
    change.kind === 'read' ? item._id === change.notificationId : item.seq <= change.readUpTo
  return items.some((item) => !item.isRead && isAffected(item))
    ? items.map((item) => (isAffected(item) ? readItem(item, change.readAt) : item))
    : items
}

const paginationAfter = (pagination: Pagination, arrivals: number): Pagination => {
  const total = pagination.total + arrivals
  return { ...pagination, total, totalPages: Math.ceil(total / pagination.limit) }
}

/** Shows the held arrivals, on page 1 only: on a later page, arrivals move items into view that this client has not loaded. */
export const release = (view: InboxView): InboxView =>
  view.heldCount === 0 || view.pagination.page !== 1
    ? view
    : {
        ...view,
        items: [...view.held, ...view.items].slice(0, view.pagination.limit),
        pagination: paginationAfter(view.pagination, view.heldCount),
        held: [],
        heldCount: 0,
      }

const hold = (view: InboxView, item: InboxItem): InboxView => ({
  ...view,
  held: [item, ...view.held].slice(0, view.pagination.limit),
  heldCount: view.heldCount + 1,
})

/** Whether an arrival belongs to what the view shows. */
export const isShownIn = ({ filter }: InboxView, arrived: InboxItem): boolean =>
  !isFiltered(filter) || matchesFilter(filter, arrived)

/**
 * Applies a change. On page 1 without held arrivals the result equals a fresh fetch (apply-changes.test.ts). A change that the
 * view already contains is ignored.
 *
 * A filtered view adds only matching arrivals. What it shows stays until the next load, even if it no longer matches, as in
 * Gmail: a row that disappears when it is opened would move the next one under the finger.
 */
export const applyChange = (view: InboxView, change: InboxChange, holdArrivals: boolean): InboxView => {
  if (change.seq <= view.seq) return view
  const known = { ...view, seq: change.seq }
  if (change.kind === 'recalled')
    return { ...known, items: withdrawItems(view.items, change), held: withdrawItems(view.held, change) }
  if (change.kind === 'unread')
    return { ...known, items: markItemsUnread(view.items, change), held: markItemsUnread(view.held, change) }
  if (change.kind !== 'arrived')
    return { ...known, items: readItems(view.items, change), held: readItems(view.held, change) }
  if (!isShownIn(view, change.notification)) return known
  const held = hold(known, change.notification)
  return holdArrivals ? held : release(held)
}

/**
 * Whether the change brings an entry into a filtered view that only the server knows: one was marked as unread that the view
 * of the unread ones has not loaded. The page must be reloaded.
 */
export const lacksEntry = ({ filter, items, held, seq }: InboxView, change: InboxChange): boolean =>
  change.kind === 'unread' &&
  change.seq > seq &&
  filter.filter !== undefined &&
  ![...items, ...held].some(({ _id }) => _id === change.notificationId)

export const applyChanges = (view: InboxView, changes: readonly InboxChange[], holdArrivals: boolean): InboxView =>
  changes.reduce((before, change) => applyChange(before, change, holdArrivals), view)

/** Applies the response to the user's own click. The socket message with the same change arrives later. */
export const applyAnsweredRead = (view: InboxView, answered: InboxItem): InboxView => {
  // The response may have been sent before the recall that is displayed.
  const replace = (item: InboxItem) => (item._id === answered._id && !item.withdrawnAt ? answered : item)
  return { ...view, items: view.items.map(replace), held: view.held.map(replace) }
}

/** The same for 'mark all': items up to `readUpTo` are read. */
export const applyAnsweredReadAll = (view: InboxView, readUpTo: number, readAt: string): InboxView => {
  const replace = (item: InboxItem) => (item.seq <= readUpTo ? readItem(item, readAt) : item)
  return { ...view, items: view.items.map(replace), held: view.held.map(replace) }
}
