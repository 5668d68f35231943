import type { ActivityDay } from '@portal/contracts/notifications/http'
import { formatCount } from '../../../../../features/campaigns/progress.ts'

/** The number of days in the chart. */
export const activityDays = 14

/** A date without a time: formatted as UTC, so that the user's time zone does not shift it. */
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** 'Nov 21'. */
export const dayLabel = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`))

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const sendsText = (sends: number): string => counted(sends, 'send', 'sends')

const sum = (days: readonly ActivityDay[], part: 'sends' | 'delivered' | 'reads') =>
  days.reduce((total, day) => total + day[part], 0)

export const hasNoActivity = (days: readonly ActivityDay[]): boolean => sum(days, 'sends') + sum(days, 'reads') === 0

/** The chart summarized in a sentence. */
export const summaryOf = (days: readonly ActivityDay[]): string => {
  const [sends, delivered, reads] = [sum(days, 'sends'), sum(days, 'delivered'), sum(days, 'reads')]
  const inboxes = counted(delivered, 'inbox', 'inboxes')
  return `In the last ${days.length} days ${sendsText(sends)} reached ${inboxes}; ${counted(reads, 'notification was', 'notifications were')} read.`
}
