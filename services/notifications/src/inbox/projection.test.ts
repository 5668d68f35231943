import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCampaignProgress } from '../campaign/progress.ts'
import { readList, recipientsOf, recipientsRef } from '../read-model.ts'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createInboxReader, type InboxReader } from './inbox-reader.ts'
import type { InboxEvent } from './events.ts'
import { allReadNow } from './mark-read.ts'
import { inboxProjection } from './projection.ts'
import { createContentCache } from './content-cache.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const [ada, ben] = [userIdAt(1), userIdAt(2)]

let log: ProjectedLog
let inbox: InboxReader

beforeEach(() => {
  log = createProjectedLog(inboxProjection)
  inbox = createInboxReader(log.readModel, { contentCache: createContentCache(log.readModel), fillTexts: plainTexts })
})
afterEach(() => log.close())

const send = (n: number, userIds: readonly (typeof ada)[] = [ada]) => recordSend(log, n, userIds)

const read = (n: number, userId = ada) =>
  log.append(`inbox-${userId}`, {
    type: 'NotificationRead',
    data: { userId, notificationId: notificationIdAt(n) },
  })

const allRead = async (userId = ada, reader = inbox): Promise<InboxEvent> => {
  const event = allReadNow(userId, await reader.latest(userId))
  if (!event) throw new Error('nothing has arrived')
  return event
}
const readAll = async (userId = ada) => log.append(`inbox-${userId}`, await allRead(userId))

const settle = (n: number, userId: typeof ada, state: DeliveryOutcome['state'], reason?: string) =>
  log.append(`campaign-${notificationIdAt(n)}`, {
    type: 'RecipientsSettled',
    data: {
      notificationId: notificationIdAt(n),
      settled: [
        { bucket: bucketKey(userId), outcomes: [{ userId, state, ...(reason === undefined ? {} : { reason }) }] },
      ],
    },
  })

const progressOf = async (n: number) =>
  (await createCampaignProgress(log.readModel).progressOf([notificationIdAt(n)]))[0]

describe('arrivals', () => {
  it('number an inbox without gaps and count unread items', async () => {
    for (const n of [1, 2, 3]) send(n)
    await log.project()
    expect(await inbox.head(ada)).toMatchObject({ seq: 3, total: 3, unread: 3, readUpTo: 0 })
    expect(await inbox.head(ben)).toMatchObject({ seq: 0, total: 0, unread: 0, readUpTo: 0 })
  })

  it('of a bucket with more recipients than a chunk are all added and counted', async () => {
    const inOneBucket = Array.from({ length: 80_000 }, (_, n) => userIdAt(n)).filter((id) => bucketKey(id) === 'b07')
    expect(inOneBucket.length).toBeGreaterThan(1_000)
    send(1, inOneBucket)
    await log.project()
    expect(await progressOf(1)).toMatchObject({ targeted: inOneBucket.length, pending: inOneBucket.length })
    const heads = await Promise.all(inOneBucket.map((userId) => inbox.head(userId)))
    expect(heads.every(({ total, unread }) => total === 1 && unread === 1)).toBe(true)
  })
})

describe('outcomes', () => {
  it('count for their state, with their reason', async () => {
    send(1, [ada, ben])
    settle(1, ada, 'skipped', 'no device')
    await log.project()
    expect(await progressOf(1)).toMatchObject({ targeted: 2, pending: 1, skipped: 1 })
    const { settled } = recipientsOf(await log.readModel.get(recipientsRef(bucketKey(ada), notificationIdAt(1))))
    expect(settled).toEqual([{ state: 'skipped', reason: 'no device', userIds: [ada] }])
  })

  it('keep the first recorded value', async () => {
    send(1, [ada, ben])
    settle(1, ada, 'live')
    settle(1, ada, 'pushed')
    settle(1, ada, 'failed', 'late')
    await log.project()
    expect(await progressOf(1)).toMatchObject({ pending: 1, live: 1, pushed: 0, failed: 0 })
  })

  it('of a user who is not a recipient change nothing', async () => {
    send(1)
    settle(1, ben, 'pushed')
    await log.project()
    expect(await progressOf(1)).toMatchObject({ targeted: 1, pending: 1, pushed: 0 })
  })

  it('change neither the number nor the count of an inbox, which does not show them', async () => {
    send(1)
    await log.project()
    const before = await inbox.head(ada)
    settle(1, ada, 'pushed')
    await log.project()
    expect(await inbox.head(ada)).toEqual(before)
  })
})

describe('the read count of a campaign', () => {
  it('counts individual and marked reads once each', async () => {
    send(1, [ada, ben])
    read(1, ada)
    read(1, ada)
    await log.project()
    expect(await progressOf(1)).toMatchObject({ read: 1 })
    await readAll(ben)
    await log.project()
    expect(await progressOf(1)).toMatchObject({ read: 2 })
    read(1, ben)
    await log.project()
    expect(await progressOf(1)).toMatchObject({ read: 2 })
  })

  it('is exact after a mark-all over several slices with some items read before', async () => {
    const sends = 1_203
    for (let n = 1; n <= sends; n++) send(n)
    for (const n of [1, 600, sends]) read(n)
    await log.project()
    await readAll()
    await log.project()
    expect(await inbox.head(ada)).toMatchObject({ unread: 0, total: sends })
    const progress = createCampaignProgress(log.readModel)
    for (let from = 1; from <= sends; from += 100) {
      const ids = Array.from({ length: Math.min(100, sends - from + 1) }, (_, n) => notificationIdAt(from + n))
      for (const sum of await progress.progressOf(ids)) expect(sum).toMatchObject({ targeted: 1, read: 1 })
    }
  })
})

describe('a mark-all', () => {
  it('leaves later arrivals unread', async () => {
    send(1)
    await log.project()
    const decided = await allRead()
    send(2)
    log.append(`inbox-${ada}`, decided)
    await log.project()
    const { notifications, unread } = await inbox.page(ada, { page: 1, limit: 10 })
    expect(unread).toBe(1)
    expect(notifications.map(({ isRead }) => isRead)).toEqual([false, true])
  })

  it('covers what the user saw, also in a projection with another numbering', async () => {
    // The read model that served the user's request lacked the second and third arrival.
    const damaged = createProjectedLog(inboxProjection)
    for (const n of [1, 4]) recordSend(damaged, n, [ada])
    await damaged.project()
    const decided = await allRead(
      ada,
      createInboxReader(damaged.readModel, {
        contentCache: createContentCache(damaged.readModel),
        fillTexts: plainTexts,
      }),
    )
    await damaged.close()

    for (const n of [1, 2, 3, 4, 5]) send(n)
    log.append(`inbox-${ada}`, decided)
    await log.project()
    const { notifications, unread } = await inbox.page(ada, { page: 1, limit: 10 })
    expect(unread).toBe(1)
    expect(notifications.map(({ isRead }) => isRead)).toEqual([false, true, true, true, true])
    for (const n of [1, 2, 3, 4]) expect(await progressOf(n)).toMatchObject({ read: 1 })
    expect(await progressOf(5)).toMatchObject({ read: 0 })
  })

  it('of an older release keeps its meaning, although it recorded a number', async () => {
    for (const n of [1, 2, 3]) send(n)
    log.append(`inbox-${ada}`, { type: 'AllNotificationsRead', data: { userId: ada, readUpTo: 2, arrivals: 2 } })
    await log.project()
    const { notifications, unread } = await inbox.page(ada, { page: 1, limit: 10 })
    expect(unread).toBe(1)
    expect(notifications.map(({ isRead }) => isRead)).toEqual([false, true, true])
    expect(await Promise.all([1, 2, 3].map(progressOf))).toMatchObject([{ read: 1 }, { read: 1 }, { read: 0 }])
  })

  it('of a notification that is not in the inbox changes nothing', async () => {
    send(1)
    send(2, [ben])
    const newestId = notificationIdAt(2)
    log.append(`inbox-${ada}`, {
      type: 'AllNotificationsRead',
      data: { userId: ada, newestId, readUpTo: 1, arrivals: 1 },
    })
    await log.project()
    expect(await inbox.head(ada)).toMatchObject({ seq: 1, unread: 1 })
  })

  it('counts 5,000 reads in one slice, the largest, within one commit', async () => {
    for (let n = 1; n <= 5_000; n++) send(n)
    await log.project()
    const decided = await allRead()
    // The projection of that time had only one arrival, so the event has one slice.
    log.append(`inbox-${ada}`, { ...decided, data: { ...decided.data, arrivals: 1 } })
    await log.project()
    expect(await inbox.head(ada)).toMatchObject({ unread: 0 })
    for (const n of [1, 100, 5_000]) expect(await progressOf(n)).toMatchObject({ read: 1 })
  })

  it('costs the same request regardless of what it covers', async () => {
    for (let n = 1; n <= 700; n++) send(n)
    await log.project()
    const before = log.events.length
    await readAll()
    expect(log.events.length - before).toBe(1)
  })

  it('gives each item the time of the mark that covered it', async () => {
    send(1)
    await log.project()
    await readAll()
    send(2)
    send(3)
    await log.project()
    await readAll()
    send(4)
    await log.project()
    const { notifications } = await inbox.page(ada, { page: 1, limit: 10 })
    const [fourth, third, second, first] = notifications.map(({ readAt }) => readAt)
    expect(fourth).toBeNull()
    expect(third).toBe(second)
    expect(Date.parse(second ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
  })
})

describe('resuming', () => {
  it('returns up to 100 changes, and a reset for more', async () => {
    for (let n = 1; n <= 101; n++) send(n)
    await log.project()
    expect(await inbox.changesSince(ada, 0)).toMatchObject({ reset: true, seq: 101, unread: 101 })
    const resumed = await inbox.changesSince(ada, 1)
    expect('changes' in resumed && resumed.changes.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 2),
    )
  })

  it('at the current state returns nothing', async () => {
    send(1)
    await log.project()
    const { epoch } = log.readModel
    expect(await inbox.changesSince(ada, 1, epoch)).toEqual({ epoch, seq: 1, unread: 1, changes: [] })
  })

  it('from another epoch is a reset, whatever the number', async () => {
    send(1)
    send(2)
    await log.project()
    const { epoch } = log.readModel
    for (const since of [0, 1, 2, 3]) {
      expect(await inbox.changesSince(ada, since, 'before')).toEqual({ reset: true, epoch, seq: 2, unread: 2 })
    }
  })

  it('ahead in the same epoch returns nothing, because the read model is catching up', async () => {
    send(1)
    await log.project()
    const { epoch } = log.readModel
    expect(await inbox.changesSince(ada, 2, epoch)).toEqual({ epoch, seq: 1, unread: 1, changes: [] })
  })

  it('ahead without an epoch is a reset', async () => {
    send(1)
    await log.project()
    expect(await inbox.changesSince(ada, 1)).toMatchObject({ seq: 1, changes: [] })
    expect(await inbox.changesSince(ada, 2)).toMatchObject({ reset: true, seq: 1, unread: 1 })
  })

  it('works after any number of reads, and keeps at most 200 changes', async () => {
    for (let n = 1; n <= 450; n++) {
      send(n)
      read(n)
    }
    await log.project()
    const resumed = await inbox.changesSince(ada, 800)
    expect('changes' in resumed && resumed.changes.map(({ seq, kind }) => [seq, kind])).toEqual(
      Array.from({ length: 100 }, (_, n) => [801 + n, n % 2 === 0 ? 'arrived' : 'read']),
    )
    const kept = await log.readModel.range(bucketKey(ada), readList(ada), { order: 'ascending', limit: 1_000 })
    expect(kept).toHaveLength(200)
  })
})
