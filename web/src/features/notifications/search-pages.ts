import { isFiltered } from '@portal/contracts/notifications/inbox-filter'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { FetchedPage, InboxView } from './apply-changes.ts'

export type Direction = 'newer' | 'older'

const isOpenable = ({ withdrawnAt }: InboxItem): boolean => withdrawnAt === undefined

/** The next notification of the page in a direction. */
export const nextIn = ({ items }: InboxView, index: number, direction: Direction): InboxItem | undefined =>
  direction === 'older' ? items.slice(index + 1).find(isOpenable) : items.slice(0, index).findLast(isOpenable)

/** Whether the list had another page in a direction when this one was loaded. */
export const hasPage = ({ pagination: { page, totalPages } }: InboxView, direction: Direction): boolean =>
  direction === 'older' ? page < totalPages : page > 1

/** Bounds the requests of one step, if other devices change the list a lot. */
const maxLoads = 6

/** The closest openable notification of a page in a direction. */
const closestIn = (items: readonly InboxItem[], seq: number, direction: Direction): InboxItem | undefined =>
  direction === 'older'
    ? items.find((item) => isOpenable(item) && item.seq < seq)
    : items.findLast((item) => isOpenable(item) && item.seq > seq)

/** Whether the page lies wholly in a direction, so that the page before it may have a closer notification. */
const isBeyond = (items: readonly InboxItem[], seq: number, direction: Direction): boolean =>
  items.every((item) => (direction === 'older' ? item.seq < seq : item.seq > seq))

type Found<Page> = { readonly item: InboxItem; readonly page: Page }

/**
 * Searches other pages for the notification after the one at `index`. A list that has not moved since it was loaded continues
 * on the adjoining page. A filtered one moves up when its notifications are read or withdrawn, any list moves down with
 * arrivals: the search then starts with the same page again and compares sequence numbers.
 */
export const searchPages = async <Page extends Pick<FetchedPage, 'items' | 'pagination'>>(
  from: InboxView,
  index: number,
  direction: Direction,
  load: (page: number) => Promise<Page | undefined>,
): Promise<Found<Page> | undefined> => {
  const seq = from.items[index]?.seq
  if (seq === undefined) return undefined
  const onward = direction === 'older' ? 1 : -1
  const hasMoved = isFiltered(from.filter) || from.heldCount > 0
  const visited = new Set(hasMoved ? [] : [from.pagination.page])
  let number = from.pagination.page + (hasMoved ? 0 : onward)
  let best: Found<Page> | undefined
  while (number >= 1 && !visited.has(number) && visited.size < maxLoads) {
    visited.add(number)
    const page = await load(number)
    if (!page) return best
    const { totalPages } = page.pagination
    if (number > totalPages) {
      number = totalPages
      continue
    }
    const item = closestIn(page.items, seq, direction)
    best = item ? { item, page } : best
    if (item && !isBeyond(page.items, seq, direction)) return best
    number += item ? -onward : onward
    if (number > totalPages) return best
  }
  return best
}
