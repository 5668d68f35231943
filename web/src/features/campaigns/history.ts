import type { CampaignProgress, InboxItem, SentItem } from '@portal/contracts/notifications/notification'
import type { Pagination } from '@portal/contracts/shared/page'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { later } from './progress.ts'

/** The history of sends: the page that HTTP answered, and what the socket has reported since. */
export type History = {
  /** The page on show, or the one that is on its way. */
  readonly page: number
  /** What was asked for last; `round` tells a reload of the same page from the load before. */
  readonly request: { readonly page: number; readonly round: number }
  readonly status: 'loading' | 'ready' | 'failed'
  readonly sends: readonly SentItem[]
  readonly pagination: Pagination | undefined
  /** By send; also of sends that are not on this page, because a report may overtake the page that holds it. */
  readonly reports: ReadonlyMap<NotificationId, CampaignProgress>
}

export type HistoryEvent =
  | { readonly type: 'page-requested'; readonly page: number }
  | { readonly type: 'reload-requested' }
  | { readonly type: 'page-loaded'; readonly sends: readonly SentItem[]; readonly pagination: Pagination }
  | { readonly type: 'page-failed' }
  | { readonly type: 'reported'; readonly reports: readonly CampaignProgress[] }

export const newHistory: History = {
  page: 1,
  request: { page: 1, round: 1 },
  status: 'loading',
  sends: [],
  pagination: undefined,
  reports: new Map(),
}

/** Reports kept at most; the oldest go first. */
export const keptReports = 200

export const evolve = (history: History, event: HistoryEvent): History => {
  switch (event.type) {
    case 'page-requested':
      return { ...asking(history, event.page), page: event.page, status: 'loading' }
    case 'reload-requested':
      return asking(history, history.page)
    case 'page-loaded':
      return {
        ...history,
        status: 'ready',
        sends: event.sends,
        pagination: event.pagination,
        page: event.pagination.page,
      }
    case 'page-failed':
      // The page on show is still the one that is followed, and loaded again after a break.
      return { ...history, status: 'failed', page: history.pagination?.page ?? history.page }
    case 'reported':
      return { ...history, reports: withReports(history.reports, event.reports) }
  }
}

const asking = (history: History, page: number): History => ({
  ...history,
  request: { page, round: history.request.round + 1 },
})

const withReports = (known: History['reports'], news: readonly CampaignProgress[]): History['reports'] => {
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

/** The newest that is known of a send. */
export const progressOf = (history: History, send: SentItem): CampaignProgress => {
  const report = history.reports.get(send.id)
  return report ? later(send.progress, report) : send.progress
}

/**
 * The number of the newest send that the socket has reported and page 1 lacks. The server numbers its sends, so a report about
 * an old one (someone has read it) does not look like a new one.
 */
export const missingSend = (history: History): number | undefined => {
  if (history.page !== 1 || !history.pagination) return undefined
  const newestShown = history.sends.reduce((max, { seq }) => Math.max(max, seq), 0)
  const newestReported = [...history.reports.values()].reduce((max, { seq = 0 }) => Math.max(max, seq), 0)
  return newestReported > newestShown ? newestReported : undefined
}

/** What `/notifications/recent` answers an admin with. */
export const isSend = (item: SentItem | InboxItem): item is SentItem => 'progress' in item
