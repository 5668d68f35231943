import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import type { Pagination } from '@portal/contracts/shared/page'

/**
 * A page of the inbox as a reader sees it. `items` are what is shown; `held` are arrivals not shown yet, because the reader has
 * scrolled or is on a later page and the list must not jump under their eyes.
 */
export type InboxView = {
  readonly pagination: Pagination
  readonly items: readonly InboxItem[]
  /** Newest first, never more than a page of them. */
  readonly held: readonly InboxItem[]
  readonly heldCount: number
  /** The inbox's sequence number up to which this view knows everything, and the epoch that it was assigned in. */
  readonly epoch: string
  readonly seq: number
}

export type FetchedPage = Pick<InboxView, 'pagination' | 'items' | 'epoch' | 'seq'>

export const viewOf = (fetched: FetchedPage): InboxView => ({ ...fetched, held: [], heldCount: 0 })

const readItem = (item: InboxItem, readAt: string): InboxItem =>
  item.isRead ? item : { ...item, isRead: true, readAt }

/** The items with a 'read' or 'all-read' applied; the same array where nothing changed. */
const readItems = (items: readonly InboxItem[], change: Exclude<InboxChange, { kind: 'arrived' }>) => {
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

/** Shows the held arrivals. Only on page 1: on a later page, arrivals push in items that this client does not have. */
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

/**
 * The view after one change. On page 1 and with nothing held it equals what a fetch would bring (apply-changes.test.ts). A
 * change that the view already contains does nothing.
 */
export const applyChange = (view: InboxView, change: InboxChange, holdArrivals: boolean): InboxView => {
  if (change.seq <= view.seq) return view
  const known = { ...view, seq: change.seq }
  if (change.kind !== 'arrived') {
    return { ...known, items: readItems(view.items, change), held: readItems(view.held, change) }
  }
  const held = hold(known, change.notification)
  return holdArrivals ? held : release(held)
}

export const applyChanges = (view: InboxView, changes: readonly InboxChange[], holdArrivals: boolean): InboxView =>
  changes.reduce((before, change) => applyChange(before, change, holdArrivals), view)

/** The server's answer to this reader's own click, ahead of the message that will say the same. */
export const applyAnsweredRead = (view: InboxView, answered: InboxItem): InboxView => {
  const replace = (item: InboxItem) => (item._id === answered._id ? answered : item)
  return { ...view, items: view.items.map(replace), held: view.held.map(replace) }
}

/** The same for 'mark all': items up to `readUpTo` are read. */
export const applyAnsweredReadAll = (view: InboxView, readUpTo: number, readAt: string): InboxView => {
  const replace = (item: InboxItem) => (item.seq <= readUpTo ? readItem(item, readAt) : item)
  return { ...view, items: view.items.map(replace), held: view.held.map(replace) }
}
