import type { CampaignProgress, InboxItem, SentItem } from '@portal/contracts/notifications/notification'
import type { Pagination } from '@portal/contracts/shared/page'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { later } from './progress.ts'

/** A page of the sends, as the server answered it. */
export type SentPage = { readonly sends: readonly SentItem[]; readonly pagination: Pagination }

/** The newest report of each send; also of sends on other pages, because a report may arrive before the page that holds it. */
export type Reports = ReadonlyMap<NotificationId, CampaignProgress>

export const noReports: Reports = new Map()

/** The oldest reports beyond this number are dropped. */
export const keptReports = 200

export const addReports = (known: Reports, news: readonly CampaignProgress[]): Reports => {
  const reports = new Map(known)
  for (const report of news) {
    const before = reports.get(report.notificationId)
    reports.delete(report.notificationId)
    reports.set(report.notificationId, before ? later(before, report) : report)
  }
  for (const id of reports.keys()) {
    if (reports.size <= keptReports) break
    reports.delete(id)
  }
  return reports
}

/** The newest known progress of a send. */
export const progressOf = (reports: Reports, send: SentItem): CampaignProgress => {
  const report = reports.get(send.id)
  return report ? later(send.progress, report) : send.progress
}

/**
 * The number of the newest reported send that page 1 lacks. The server numbers its sends, so a report about an old one (someone has
 * read it) does not look like a new one.
 */
export const missingSend = ({ sends }: SentPage, reports: Reports): number | undefined => {
  const newestShown = sends.reduce((max, { seq }) => Math.max(max, seq), 0)
  const newestReported = [...reports.values()].reduce((max, { seq = 0 }) => Math.max(max, seq), 0)
  return newestReported > newestShown ? newestReported : undefined
}

/** The items with which `/notifications/recent` answers an admin. */
export const isSend = (item: SentItem | InboxItem): item is SentItem => 'progress' in item
