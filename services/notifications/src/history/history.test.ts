import type { NotificationText } from '@portal/contracts/notifications/events'
import type { StatedUniversity } from '@portal/contracts/catalog/university-names'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HistoryFilter } from '@portal/contracts/notifications/http'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createContentCache } from '../inbox/content-cache.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { createCampaignIndex } from './campaign-index.ts'
import { createCampaignOutcomes } from './campaign-outcomes.ts'
import { createCampaignSearch } from './campaign-search.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { createHistory, type History } from './history.ts'
import { createCampaignProgress } from '../campaign/progress.ts'
import { createSentItems } from './sent-items.ts'

const [ada, admin, other] = [userIdAt(1), userIdAt(8), userIdAt(9)]
const names = {
  person: () => undefined,
  byName: [],
  enrollmentsOf: () => [],
  all: () => [],
  sorted: () => [],
  sortedByNumber: () => [],
  learnersOf: () => [],
  programs: new Map(),
  currentUniversityName: ({ universityName }: StatedUniversity) => universityName,
  universitiesNamed: () => new Set<never>(),
  everyone: () => [],
  rankOf: () => 0,
  matching: () => () => false,
}

let log: ProjectedLog
let history: History
/** Long after all actions, so that outcomes are kept. */
let now: Date

beforeEach(() => {
  now = new Date('2027-01-01T00:00:00.000Z')
  log = createProjectedLog(inboxProjection)
  const { readModel } = log
  const progress = createCampaignProgress(readModel)
  history = createHistory({
    readModel,
    sentItems: createSentItems({
      contentCache: createContentCache(readModel),
      progress,
      people: { snapshot: async () => names },
    }),
    index: createCampaignIndex(readModel),
    search: createCampaignSearch(readModel),
    outcomes: createCampaignOutcomes({ progress, now: () => now }),
  })
})
afterEach(() => log.close())

const record = (n: number, ...events: readonly CampaignEvent[]) =>
  log.append(`campaign-${notificationIdAt(n)}`, ...events)

const send = (
  n: number,
  text: Partial<Pick<NotificationText, 'title' | 'message' | 'type' | 'translation'>> = {},
  sentBy = admin,
) => {
  const full = {
    notificationId: notificationIdAt(n),
    title: `Title ${n}`,
    message: 'Text',
    type: 'General' as const,
    ...text,
  }
  const bucket = bucketKey(ada)
  record(
    n,
    { type: 'RecipientsTargeted', data: { text: full, recipients: [{ bucket, userIds: [ada] }] } },
    { type: 'CampaignSent', data: { text: full, sentBy, targeted: 1, buckets: [bucket] } },
  )
}

const settle = (n: number, state: 'live' | 'failed' | 'cancelled', attempt?: number) =>
  record(n, {
    type: 'RecipientsSettled',
    data: {
      notificationId: notificationIdAt(n),
      settled: [{ bucket: bucketKey(ada), outcomes: [{ userId: ada, state, ...(attempt && { attempt }) }] }],
    },
  })

const recall = (n: number) =>
  record(n, { type: 'CampaignRecalled', data: { notificationId: notificationIdAt(n), recalledBy: admin, buckets: [] } })

const resend = (n: number) =>
  record(n, {
    type: 'ResendRequested',
    data: {
      notificationId: notificationIdAt(n),
      requestedBy: admin,
      attempt: 2,
      recipients: [{ bucket: bucketKey(ada), userIds: [ada] }],
    },
  })

const found = async (filter: HistoryFilter & { page?: number; limit?: number }) => {
  await log.project()
  const { notifications, pagination } = await history({ page: 1, limit: 10, ...filter })
  return { ids: notifications.map(({ _id }) => Number.parseInt(_id.slice(-4), 16)), total: pagination.total }
}

describe('the filtered history', () => {
  it('finds campaigns by type, sender and day, newest first', async () => {
    send(1, { type: 'Exam' })
    send(2, {}, other)
    send(3, { type: 'Exam' }, other)
    expect(await found({ type: 'Exam' })).toEqual({ ids: [3, 1], total: 2 })
    expect(await found({ sentBy: other })).toEqual({ ids: [3, 2], total: 2 })
    expect(await found({ type: 'Exam', sentBy: other })).toEqual({ ids: [3], total: 1 })
    expect(await found({ from: '2026-01-01', to: '2026-01-01' })).toEqual({ ids: [3, 2, 1], total: 3 })
    expect(await found({ from: '2026-01-02' })).toEqual({ ids: [], total: 0 })
  })

  it('searches titles and messages for every word, regardless of case and accents', async () => {
    send(1, { title: 'Exam moved', message: 'To the Große Aula' })
    send(2, {
      title: 'Fees',
      message: 'The exam fee is due',
      translation: { lang: 'hi', title: 'शुल्क', message: 'देय है' },
    })
    expect(await found({ q: 'देय शुल्क' })).toEqual({ ids: [2], total: 1 })
    expect(await found({ q: 'EXAM' })).toEqual({ ids: [2, 1], total: 2 })
    expect(await found({ q: 'aula exam' })).toEqual({ ids: [1], total: 1 })
    expect(await found({ q: 'nothing' })).toEqual({ ids: [], total: 0 })
  })

  it('finds campaigns by outcome, and follows later outcomes', async () => {
    for (const n of [1, 2, 3]) send(n)
    settle(1, 'failed')
    settle(2, 'cancelled')
    expect(await found({ status: 'pending' })).toEqual({ ids: [3], total: 1 })
    expect(await found({ status: 'failed' })).toEqual({ ids: [1], total: 1 })
    expect(await found({ status: 'cancelled' })).toEqual({ ids: [2], total: 1 })
    settle(3, 'failed')
    expect(await found({ status: 'failed' })).toEqual({ ids: [3, 1], total: 2 })
  })

  it('follows a resend of a settled campaign', async () => {
    send(1)
    settle(1, 'failed')
    expect(await found({ status: 'failed' })).toEqual({ ids: [1], total: 1 })
    resend(1)
    now = new Date(Date.parse(log.events.at(-1)?.at ?? '') + 1_000)
    expect(await found({ status: 'pending' })).toEqual({ ids: [1], total: 1 })
    settle(1, 'live', 2)
    expect(await found({ status: 'failed' })).toEqual({ ids: [], total: 0 })
  })

  it('finds recalled campaigns, but not by their text', async () => {
    send(1, { title: 'Secret' })
    expect(await found({ q: 'secret' })).toEqual({ ids: [1], total: 1 })
    recall(1)
    expect(await found({ q: 'secret' })).toEqual({ ids: [], total: 0 })
    expect(await found({ status: 'recalled' })).toEqual({ ids: [1], total: 1 })
    const { notifications } = await history({ page: 1, limit: 10, status: 'recalled' })
    expect(notifications[0]).toMatchObject({ title: 'This notification was withdrawn', message: '' })
  })

  it('separates what admins sent from what the portal sent itself, and lists both without a source', async () => {
    for (let n = 1; n <= 5; n++) send(n, {}, [2, 5].includes(n) ? portalSender : admin)
    expect(await found({ source: 'admins' })).toEqual({ ids: [4, 3, 1], total: 3 })
    expect(await found({ source: 'portal' })).toEqual({ ids: [5, 2], total: 2 })
    const all = { ids: [5, 4, 3, 2, 1], total: 5 }
    expect(await found({ source: 'all' })).toEqual(all)
    expect(await found({})).toEqual(all)
    expect(await found({ source: 'admins', q: 'title 1' })).toEqual({ ids: [1], total: 1 })
    expect(await found({ source: 'portal', q: 'title 1' })).toEqual({ ids: [], total: 0 })
  })

  it('pages through what admins sent as through a filter of them', async () => {
    for (let n = 1; n <= 30; n++) send(n, {}, n % 3 === 0 ? admin : portalSender)
    recall(15)
    for (const page of [1, 2, 3, 4]) {
      expect(await found({ source: 'admins', page, limit: 4 })).toEqual(await found({ sentBy: admin, page, limit: 4 }))
    }
  })

  it('has pages without gaps, and sees new campaigns', async () => {
    for (let n = 1; n <= 25; n++) send(n, { type: n % 2 === 0 ? 'Exam' : 'General' })
    const pages = []
    for (const page of [1, 2, 3]) pages.push(await found({ type: 'Exam', page, limit: 5 }))
    expect(pages.flatMap(({ ids }) => ids)).toEqual([24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2])
    expect(pages.map(({ total }) => total)).toEqual([12, 12, 12])
    send(26, { type: 'Exam' })
    expect(await found({ type: 'Exam', limit: 1 })).toEqual({ ids: [26], total: 13 })
  })

  it('equals the whole history if the filter matches everything', async () => {
    for (let n = 1; n <= 12; n++) recordSend(log, n, [ada])
    expect(await found({ q: 'title', limit: 5, page: 2 })).toEqual(await found({ limit: 5, page: 2 }))
  })
})

it('indexes as many campaigns of admins as without the portal’s notices, and forgets the oldest of each', async () => {
  for (let n = 1; n <= 9; n++) send(n, {}, n > 3 ? portalSender : admin)
  await log.project()
  const index = createCampaignIndex(log.readModel, 2)
  const indexed = async () => (await index()).map(({ ordinal }) => ordinal)
  expect(await indexed()).toEqual([9, 8, 3, 2])
  send(10)
  await log.project()
  expect(await indexed()).toEqual([10, 9, 8, 3])
})
