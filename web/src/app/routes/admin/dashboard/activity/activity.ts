import type { ActivityDay } from '@portal/contracts/notifications/http'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { monthDay, startOfDate } from '../../../../../lib/date-format.ts'

/** The number of days in the chart. */
export const activityDays = 14

/** 'Nov 21', for a date without a time. */
export const dayLabel = (date: string): string => monthDay(startOfDate(date))

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const sendsText = (sends: number): string => counted(sends, 'send', 'sends')

/** Inbox entries that arrived on a day. An older server counts only the recipients of its sends. */
export const arrivalsOf = ({ arrivals, delivered }: ActivityDay): number => arrivals ?? delivered

/** How many of those entries are read by now. An older server does not count them. */
export const arrivalsReadOf = ({ arrivalsRead = 0 }: ActivityDay): number => arrivalsRead

const sum = (days: readonly ActivityDay[], part: (day: ActivityDay) => number) =>
  days.reduce((total, day) => total + part(day), 0)

const sendsOf = ({ sends }: ActivityDay): number => sends

export const hasNoSends = (days: readonly ActivityDay[]): boolean => sum(days, sendsOf) + sum(days, arrivalsOf) === 0

/** The chart summarized in a sentence. */
export const summaryOf = (days: readonly ActivityDay[]): string => {
  const sends = sendsText(sum(days, sendsOf))
  const inboxes = counted(sum(days, arrivalsOf), 'inbox', 'inboxes')
  return `Last ${days.length} days: ${sends} to ${inboxes}, ${formatCount(sum(days, arrivalsReadOf))} read.`
}

/** How many of the sends the portal made itself. An older server does not count them. */
export const automaticSends = (days: readonly ActivityDay[]): number => sum(days, ({ automatic = 0 }) => automatic)

export const automaticText = (count: number): string =>
  `${formatCount(count)} of these sends ${count === 1 ? 'is' : 'are'} automatic.`

/** Whether the label of a day has room: on a narrow chart each third one. That of the newest day would be cut off. */
export const hasLabel = (index: number, days: number, isNarrow: boolean): boolean =>
  !isNarrow || (days - 2 - index) % 3 === 0
