import type { InboxItem } from '@portal/contracts/notifications/notification'
import { dayName } from '../../../ui/time.tsx'

type DayGroup = { readonly day: string; readonly rows: readonly InboxItem[] }

/**
 * Groups rows by the day of their delivery, in the reader's time zone. A row whose time is not that of the rows around it, or
 * invalid, belongs to the group above: each day has one heading.
 */
export const groupByDay = (items: readonly InboxItem[], nowMs: number): readonly DayGroup[] => {
  const groups: { readonly day: string; readonly rows: InboxItem[] }[] = []
  for (const item of items) {
    const day = dayName(item.deliveredAt, nowMs)
    const last = groups.at(-1)
    if (last && (day === undefined || groups.some((group) => group.day === day))) last.rows.push(item)
    else groups.push({ day: day ?? 'Today', rows: [item] })
  }
  return groups
}
