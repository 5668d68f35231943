import { filterTextOf, type InboxFilter, matchesText } from '@portal/contracts/notifications/inbox-filter'
import type { InboxItem } from '@portal/contracts/notifications/notification'

export const noFilter: InboxFilter = {}

/** Equal for filters that select the same. */
export const filterKey = ({ filter, type = [], q = '' }: InboxFilter): string =>
  JSON.stringify([filter ?? '', type.toSorted(), q])

/** Whether a filter selects a notification in its present state, as the server does. */
export const matchesFilter = (filter: InboxFilter, item: InboxItem): boolean =>
  item.withdrawnAt === undefined &&
  !(filter.filter !== undefined && item.isRead) &&
  matchesText(filter)(filterTextOf(item))
