import { roleSchema } from '@portal/contracts/auth/user'
import type { Person } from '@portal/contracts/notifications/audience'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { deliveryStatuses } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inWorld, users } from '@portal/notifications/testing/inbox-world'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { inboxProjection } from '../inbox/projection.ts'
import { groupByBucket } from '../campaign/events.ts'
import { createRecipientsReader } from './recipients-reader.ts'
import { createRecipientsViews } from './recipients-view.ts'

const id = notificationIdAt(1)
const everyone = Array.from({ length: 300 }, (_, n) => userIdAt(n + 1))
const [ada, ben, eve] = [userIdAt(1), userIdAt(2), userIdAt(3)]

const personAt = (userId: UserId, fullName: string): Person => ({
  userId,
  fullName,
  personalEmail: `${fullName.toLowerCase()}@mail.example`,
  role: 'student',
  universityName: 'Eastbrook University',
  studentCode: 'S1',
  emailVerified: true,
})

/** Names in the reverse order of ids. Users in `erased` have none. */
const peopleIndex = (erased: ReadonlySet<UserId> = new Set()) => {
  const known = everyone.filter((userId) => !erased.has(userId)).toReversed()
  const people = new Map(
    known.map((userId, rank) => [userId, personAt(userId, `Name${String(rank).padStart(3, '0')}`)]),
  )
  const ranks = new Map(known.map((userId, rank) => [userId, rank]))
  const university = { name: 'Eastbrook University', key: 'eastbrook university' }
  const snapshot = {
    byName: [...people.values()].map(({ fullName, personalEmail, studentCode, role }) => {
      const searchKey = `${fullName.toLowerCase()}\n${personalEmail}\n${studentCode}`
      const keys = { emailKey: personalEmail, codeKey: studentCode, searchKey }
      return { role: roleSchema.parse(role), profile: { fullName, personalEmail, studentCode, university, ...keys } }
    }),
    person: (userId: UserId) => people.get(userId),
    rankOf: (userId: UserId) => ranks.get(userId) ?? Number.MAX_SAFE_INTEGER,
  }
  return { snapshot: async () => snapshot }
}

const readerOf = ({ readModel }: Pick<ProjectedLog, 'readModel'>, people = peopleIndex()) =>
  createRecipientsReader({ readModel, views: createRecipientsViews({ readModel, people }) })

let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(inboxProjection)
})
afterEach(() => log.close())

const settle = (...outcomes: readonly DeliveryOutcome[]) =>
  log.append(`campaign-${id}`, {
    type: 'RecipientsSettled',
    data: {
      notificationId: id,
      settled: groupByBucket(outcomes, ({ userId }) => bucketKey(userId)).map(({ bucket, items }) => ({
        bucket,
        outcomes: [...items],
      })),
    },
  })

const pageOf = async (filter: object = {}, reader = readerOf(log)) => {
  await log.project()
  const page = await reader.page(id, { page: 1, limit: 50, ...filter })
  if (!page) throw new Error('the campaign is unknown')
  return page
}

describe('a page of recipients', () => {
  it('is undefined for an unknown campaign', async () => {
    expect(await readerOf(log).page(id, { page: 1, limit: 50 })).toBeUndefined()
    expect(await readerOf(log).select(id, {})).toBeUndefined()
  })

  it('names each recipient with status, reason and times', async () => {
    recordSend(log, 1, [ada, ben])
    settle({ userId: ben, state: 'failed', reason: 'network-error' })
    log.append(`inbox-${ada}`, { type: 'NotificationRead', data: { userId: ada, notificationId: id } })
    const { recipients } = await pageOf()
    const at = expect.stringMatching(/^2026-/)
    expect(recipients).toEqual([
      {
        userId: ben,
        fullName: 'Name298',
        personalEmail: 'name298@mail.example',
        status: 'failed',
        reason: 'network-error',
        says: 'It is in the inbox. The push service could not be reached. Check the network, then resend it.',
        deliveredAt: at,
      },
      {
        userId: ada,
        fullName: 'Name299',
        personalEmail: 'name299@mail.example',
        status: 'pending',
        says: 'It has not been shown yet. A push follows if no open screen shows it.',
        deliveredAt: at,
        readAt: at,
      },
    ])
  })

  it('says when a mark-all read it', async () => {
    recordSend(log, 1, [ada])
    recordSend(log, 2, [ada])
    log.append(`inbox-${ada}`, {
      type: 'AllNotificationsRead',
      data: { userId: ada, newestId: id, readUpTo: 1, arrivals: 1 },
    })
    const { recipients } = await pageOf()
    expect(recipients[0]?.readAt).toBe(log.events.at(-1)?.at)
    const second = await readerOf(log).page(notificationIdAt(2), { page: 1, limit: 50 })
    expect(second?.recipients[0]?.readAt).toBeUndefined()
  })

  it('keeps deleted accounts without a name, after all others', async () => {
    recordSend(log, 1, [ada, ben, eve])
    const { recipients } = await pageOf({}, readerOf(log, peopleIndex(new Set([eve, ben]))))
    expect(recipients.map(({ fullName }) => fullName)).toEqual(['Name297', '', ''])
    expect(new Set(recipients.slice(1).map(({ userId }) => userId))).toEqual(new Set([ben, eve]))
  })

  it('is filtered by status, reason and text, with counts of everything', async () => {
    recordSend(log, 1, everyone.slice(0, 6))
    settle(
      { userId: ada, state: 'failed', reason: 'network-error' },
      { userId: ben, state: 'failed', reason: 'invalid-argument' },
      { userId: eve, state: 'skipped', reason: 'no device' },
      { userId: userIdAt(4), state: 'failed', reason: 'network-error' },
      { userId: userIdAt(5), state: 'live' },
    )
    const reader = readerOf(log)
    const idsOf = async (filter: object) => (await pageOf(filter, reader)).recipients.map(({ userId }) => userId)
    expect(await idsOf({ status: 'failed' })).toEqual([userIdAt(4), ben, ada])
    expect(await idsOf({ status: 'failed', reason: 'network-error' })).toEqual([userIdAt(4), ada])
    expect(await idsOf({ reason: 'no device' })).toEqual([eve])
    expect(await idsOf({ q: 'NAME297 mail' })).toEqual([eve])
    expect(await idsOf({ q: 'name297', status: 'failed' })).toEqual([])
    expect(await idsOf({ status: 'pushed' })).toEqual([])
    const { counts, reasons, pagination } = await pageOf({ status: 'failed', limit: 2 }, reader)
    expect(counts).toEqual({ pending: 1, live: 1, pushed: 0, skipped: 1, failed: 3, cancelled: 0 })
    expect(reasons.map(({ status, reason, count }) => [status, reason, count])).toEqual([
      ['failed', 'network-error', 2],
      ['failed', 'invalid-argument', 1],
      ['skipped', 'no device', 1],
    ])
    expect(pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
  })

  it('has every recipient on exactly one page', async () => {
    recordSend(log, 1, everyone)
    const reader = readerOf(log)
    const seen: UserId[] = []
    for (let page = 1; page <= 5; page++) {
      const { recipients } = await pageOf({ page, limit: 70 }, reader)
      seen.push(...recipients.map(({ userId }) => userId))
    }
    expect(seen).toEqual(everyone.toReversed())
  })

  it('reads the recipients again only of buckets that have changed', async () => {
    recordSend(log, 1, everyone)
    await log.project()
    let documents = 0
    const { epoch, entry, entries, range, getMany } = log.readModel
    const readModel: ProjectedLog['readModel'] = {
      ...log.readModel,
      epoch,
      entry,
      entries,
      range,
      getMany: (refs) => {
        documents += refs.filter(({ collection }) => collection === 'campaign-recipients').length
        return getMany(refs)
      },
    }
    const reader = readerOf({ readModel })
    await pageOf({}, reader)
    const atFirst = documents
    await pageOf({}, reader)
    expect(documents).toBe(atFirst)
    settle({ userId: ada, state: 'live' })
    expect((await pageOf({}, reader)).counts.live).toBe(1)
    expect(documents).toBe(atFirst + 1)
  })

  it('follows the order of names', async () => {
    recordSend(log, 1, [ada, ben])
    let people = peopleIndex()
    const reader = readerOf(log, { snapshot: () => people.snapshot() })
    const ids = async () => (await pageOf({}, reader)).recipients.map(({ userId }) => userId)
    expect(await ids()).toEqual([ben, ada])
    people = peopleIndex(new Set([ben]))
    expect(await ids()).toEqual([ada, ben])
  })

  it('counts recipients who have not got it yet as pending', async () => {
    const planned = everyone.slice(0, 10)
    const buckets = groupByBucket(planned, bucketKey)
    const text = { notificationId: id, title: 'Title', message: 'Message', type: 'General' as const }
    log.append(`campaign-${id}`, {
      type: 'CampaignPlanned',
      data: { text, sentBy: ada, targeted: 10, buckets: buckets.map(({ bucket }) => bucket), planId: 'plan' },
    })
    const reader = readerOf(log)
    const empty = { recipients: [], counts: { pending: 10 }, pagination: { total: 0 } }
    expect(await pageOf({}, reader)).toMatchObject(empty)
    const [first] = buckets
    log.append(`campaign-${id}`, {
      type: 'RecipientsTargeted',
      data: { text, recipients: [{ bucket: first?.bucket ?? '', userIds: [...(first?.items ?? [])] }] },
    })
    expect(await pageOf({}, reader)).toMatchObject({
      counts: { pending: 10 },
      pagination: { total: first?.items.length },
    })
  })
})

it('agrees with the progress at every moment', { timeout: 60_000 }, async () => {
  await fc.assert(
    inWorld(async ({ log: worldLog, act, progress, sends }, actions) => {
      const reader = readerOf(worldLog)
      for (const next of actions) {
        await act(next)
        for (let n = 1; n <= sends(); n++) {
          const [known] = await progress.progressOf([notificationIdAt(n)])
          const page = await reader.page(notificationIdAt(n), { page: 1, limit: users.length })
          for (const status of deliveryStatuses) expect(page?.counts[status]).toBe(known?.[status])
          const read = page?.recipients.filter(({ readAt }) => readAt).length ?? 0
          // The progress counts a mark-all in slices.
          expect(read).toBeGreaterThanOrEqual(known?.read ?? 0)
        }
      }
    }),
    { numRuns: 60 },
  )
})
