import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { describe, expect, it } from 'vitest'
import { addReports, keptReports, missingSend, noReports, progressOf, type SentPage } from './history.ts'
import { aSend, sendId } from './testing/sends.ts'

const report = (n: number, counts: Partial<CampaignProgress> = {}): CampaignProgress => aSend(n, counts).progress
const reports = (...news: CampaignProgress[]) => addReports(noReports, news)

describe('the history of sends', () => {
  it('shows the newest that page and socket know, whichever came first', () => {
    const send = aSend(1, { pending: 8, live: 2 })
    const news = { ...send.progress, pending: 3, live: 5, pushed: 2 }
    expect(progressOf(reports(news), send)).toEqual(news)
    expect(progressOf(reports(send.progress), { ...send, progress: news })).toEqual(news)
  })

  it('is not set back by a report that comes late', () => {
    const send = aSend(1, { pending: 0, live: 10 })
    const late = { ...send.progress, pending: 6, live: 4 }
    expect(progressOf(reports(late), send)).toEqual(send.progress)
    expect(progressOf(addReports(reports(send.progress), [late]), send)).toEqual(send.progress)
  })

  it('knows a send that page 1 lacks from one that is merely further down', () => {
    const sends = [aSend(8), aSend(7)]
    const page: SentPage = { sends, pagination: { page: 1, limit: 10, total: 2, totalPages: 1 } }
    expect(missingSend(page, noReports)).toBeUndefined()
    expect(missingSend(page, reports(report(8), report(3)))).toBeUndefined()
    expect(missingSend(page, reports(report(10), report(9)))).toBe(10)
  })

  it('keeps a bounded number of reports, the latest ones', () => {
    const kept = reports(...Array.from({ length: keptReports + 5 }, (_, n) => report(n)))
    expect(kept.size).toBe(keptReports)
    expect(kept.has(sendId(0))).toBe(false)
    expect(kept.has(sendId(keptReports + 4))).toBe(true)
  })
})
