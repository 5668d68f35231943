import type { NotificationText } from '@portal/contracts/notifications/events'
import type { PushMessage } from '@portal/platform/outbound/port'
import { deterministicEventId } from '@portal/platform/decider/event-id'

/** Titles that a summary shows. Phones show a few lines. */
const maxTitles = 5
const maxTitleChars = 80

const shortTitle = (title: string): string =>
  title.length <= maxTitleChars ? title : `${title.slice(0, maxTitleChars - 1).toWellFormed()}…`

/** Its pushes replace each other on a device, so that a repetition after a crash shows once. `until` is ISO 8601. */
export const summaryIdOf = (until: string): string => deterministicEventId('summary', until)

/** One push for at least two notifications, the newest last. */
export const summaryOf = (summaryId: string, texts: readonly Pick<NotificationText, 'title'>[]): PushMessage => {
  const newestFirst = texts.toReversed()
  const titles = newestFirst.slice(0, maxTitles).map(({ title }) => shortTitle(title))
  const more = newestFirst.length - titles.length
  return {
    notificationId: summaryId,
    title: `${texts.length} new notifications`,
    body: [...titles, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    url: '/notification',
    type: 'General',
  }
}
