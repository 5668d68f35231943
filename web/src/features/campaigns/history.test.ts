import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/notification'
import { describe, expect, it } from 'vitest'
import { evolve, keptReports, missingSend, newHistory, progressOf, type History } from './history.ts'
import { aSend, sendId } from './testing/sends.ts'

const report = (n: number, counts: Partial<CampaignProgress> = {}): CampaignProgress => aSend(n, counts).progress
const pageOf = (...sends: SentItem[]): History =>
  evolve(newHistory, {
    type: 'page-loaded',
    sends,
    pagination: { page: 1, limit: 10, total: sends.length, totalPages: 1 },
  })

describe('the history of sends', () => {
  it('shows the newest that page and socket know, whichever came first', () => {
    const send = aSend(1, { pending: 8, live: 2 })
    const news = { ...send.progress, pending: 3, live: 5, pushed: 2 }
    const reportedFirst = evolve(newHistory, { type: 'reported', reports: [news] })
    const loadedAfter = evolve(reportedFirst, {
      type: 'page-loaded',
      sends: [send],
      pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
    })
    const loadedFirst = evolve(pageOf(send), { type: 'reported', reports: [news] })
    expect(progressOf(loadedAfter, send)).toEqual(news)
    expect(progressOf(loadedFirst, send)).toEqual(news)
  })

  it('is not set back by a report that comes late', () => {
    const send = aSend(1, { pending: 0, live: 10 })
    const late = { ...send.progress, pending: 6, live: 4 }
    expect(progressOf(evolve(pageOf(send), { type: 'reported', reports: [late] }), send)).toEqual(send.progress)
  })

  it('keeps what is on show while another page loads or fails', () => {
    const send = aSend(1)
    const asked = evolve(pageOf(send), { type: 'page-requested', page: 2 })
    expect(asked).toMatchObject({ status: 'loading', page: 2, sends: [send] })
    expect(evolve(asked, { type: 'page-failed' })).toMatchObject({ status: 'failed', sends: [send] })
  })

  it('follows and reloads the page on show after another one failed', () => {
    const asked = evolve(pageOf(aSend(1)), { type: 'page-requested', page: 2 })
    expect(asked.request.page).toBe(2)
    const failed = evolve(asked, { type: 'page-failed' })
    expect(failed.request).toBe(asked.request)
    expect(missingSend(evolve(failed, { type: 'reported', reports: [report(2)] }))).toBe(2)
    const reloading = evolve(failed, { type: 'reload-requested' })
    expect(reloading.request).toEqual({ page: 1, round: asked.request.round + 1 })
  })

  it('knows a send that page 1 lacks from one that is merely further down', () => {
    const page = pageOf(aSend(8), aSend(7))
    expect(missingSend(page)).toBeUndefined()
    expect(missingSend(evolve(page, { type: 'reported', reports: [report(8), report(3)] }))).toBeUndefined()
    const withNew = evolve(page, { type: 'reported', reports: [report(10), report(9)] })
    expect(missingSend(withNew)).toBe(10)
    expect(missingSend(evolve(withNew, { type: 'page-requested', page: 2 }))).toBeUndefined()
  })

  it('keeps a bounded number of reports, the latest ones', () => {
    const reports = Array.from({ length: keptReports + 5 }, (_, n) => report(n))
    const history = evolve(newHistory, { type: 'reported', reports })
    expect(history.reports.size).toBe(keptReports)
    expect(history.reports.has(sendId(0))).toBe(false)
    expect(history.reports.has(sendId(keptReports + 4))).toBe(true)
  })
})
