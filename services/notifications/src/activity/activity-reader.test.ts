import {
  getActivity,
  maxActivityDays,
  readAllNotifications,
  readNotification,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { userIdAt } from '@portal/notifications/testing/samples'
import type { Write } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { campaignPartition, inboxProjectionName } from '../read-model.ts'
import { createActivityReader } from './activity-reader.ts'
import { bucketDayRef, countReads, countSend, dateOf, dayAt, daySlots, sendsRef } from './counts.ts'
import { until } from '@portal/platform/testing/until'

const startMs = Date.parse('2026-11-01T12:00:00.000Z')
const dayMs = 86_400_000
const onDay = (n: number): Date => new Date(startMs + n * dayMs)

const noActivity = { sends: 0, automatic: 0, delivered: 0, reads: 0, arrivals: 0, arrivalsRead: 0 }

/** A read model that only this test writes to, message by message. */
const newCounts = () => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'activity' })
  onTestFinished(() => readModel.close())
  let last = 0
  const commit = async (partition: string, write: Write) => {
    const projection = inboxProjectionName
    const position = String(++last).padStart(16, '0')
    const expected = await readModel.position(projection, partition)
    await readModel.commit({ projection, partition, expected, position, writes: [write] })
  }
  return {
    readModel,
    read: async (user: number, at: Date, reads = 1) => {
      const partition = bucketKey(userIdAt(user))
      const known = await readModel.get(bucketDayRef(partition, dayAt(at)))
      await commit(partition, countReads(partition, at.toISOString(), known, reads))
    },
    send: async (at: Date, targeted: number, sentBy = userIdAt(9)) => {
      const known = await readModel.get(sendsRef(dayAt(at)))
      await commit(campaignPartition, countSend(at.toISOString(), known, { targeted, sentBy }))
    },
  }
}

it('adds up all buckets for the requested days only', async () => {
  const { readModel, read, send } = newCounts()
  await send(onDay(0), 7)
  await send(onDay(1), 2)
  await send(onDay(1), 3)
  for (let user = 1; user <= 100; user++) await read(user, onDay(1))
  await read(1, onDay(2), 5)
  const activity = createActivityReader({ readModel, now: () => onDay(2), cacheMs: 0 })
  expect(await activity(2)).toEqual([
    { ...noActivity, date: '2026-11-02', sends: 2, delivered: 5, reads: 100 },
    { ...noActivity, date: '2026-11-03', reads: 5 },
  ])
})

it('counts what the portal sent itself among the sends', async () => {
  const { readModel, send } = newCounts()
  await send(onDay(0), 7)
  await send(onDay(0), 1, portalSender)
  await send(onDay(0), 1, portalSender)
  const activity = createActivityReader({ readModel, now: () => onDay(0), cacheMs: 0 })
  expect(await activity(1)).toEqual([{ ...noActivity, date: '2026-11-01', sends: 3, automatic: 2, delivered: 9 }])
})

it('keeps as many days as can be requested, in no more documents than there are slots', async () => {
  const { readModel, read, send } = newCounts()
  for (let n = 0; n < 2 * daySlots; n++) {
    await read(1, onDay(n), n + 1)
    await send(onDay(n), n + 1)
  }
  const last = 2 * daySlots - 1
  const activity = createActivityReader({ readModel, now: () => onDay(last), cacheMs: 0 })
  const days = await activity(maxActivityDays)
  const expected = Array.from({ length: maxActivityDays }, (_, n) => last - maxActivityDays + 2 + n)
  expect(days.map(({ reads }) => reads)).toEqual(expected)
  expect(days.map(({ delivered }) => delivered)).toEqual(expected)
  const { documents } = await readModel.digest(inboxProjectionName, bucketKey(userIdAt(1)))
  expect(documents).toBe(daySlots)
})

it('does not take an old day in a slot for today’s', async () => {
  const { readModel, read } = newCounts()
  await read(1, onDay(0), 5)
  const activity = createActivityReader({ readModel, now: () => onDay(daySlots), cacheMs: 0 })
  expect((await activity(1))[0]).toMatchObject({ reads: 0 })
  await read(1, onDay(daySlots))
  expect((await activity(1))[0]).toMatchObject({ reads: 1 })
})

it('caches an answer briefly and shares it with concurrent callers', async () => {
  const { readModel, read } = newCounts()
  await read(1, onDay(0))
  let fetches = 0
  let nowMs = startMs
  const activity = createActivityReader({
    readModel: {
      getMany: (refs) => {
        fetches += 1
        return readModel.getMany(refs)
      },
    },
    now: () => new Date(nowMs),
    cacheMs: 2_000,
  })
  const [first, second] = await Promise.all([activity(7), activity(7)])
  expect(second).toBe(first)
  expect(fetches).toBe(1)
  await read(1, onDay(0))
  nowMs += 1_999
  expect(await activity(7)).toBe(first)
  expect(fetches).toBe(1)
  nowMs += 1
  expect((await activity(7)).at(-1)).toMatchObject({ reads: 2 })
})

it('reports a failure and does not cache it', async () => {
  const { readModel } = newCounts()
  let isDown = true
  const activity = createActivityReader({
    readModel: {
      getMany: async (refs) => {
        if (isDown) throw new Error('down')
        return readModel.getMany(refs)
      },
    },
    now: () => onDay(0),
    cacheMs: 2_000,
  })
  await expect(activity(1)).rejects.toThrow('down')
  isDown = false
  expect(await activity(1)).toEqual([{ ...noActivity, date: '2026-11-01' }])
})

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

beforeAll(async () => {
  harness = await startHarness()
  ;({ admin, ada, ben } = await harness.cast())
})
afterAll(() => harness.stop())

const fetchDays = async (query = {}) => (await harness.call(getActivity, { as: admin, query })).days
/** Sums two days, because midnight may pass between requests. */
const fetchTotals = async () => {
  const [before, now] = await fetchDays({ days: 2 })
  if (!before || !now) throw new Error('expected two days')
  const { sends, delivered, reads, arrivals = 0, arrivalsRead = 0 } = now
  return {
    sends: before.sends + sends,
    delivered: before.delivered + delivered,
    reads: before.reads + reads,
    arrivals: (before.arrivals ?? 0) + arrivals,
    arrivalsRead: (before.arrivalsRead ?? 0) + arrivalsRead,
  }
}

const send = async (to: readonly Person[]) =>
  harness.call(sendNotification, {
    as: admin,
    body: { userIds: to.map(({ userId }) => userId), title: 'Exam hall', message: 'Room 12 instead of room 9.' },
  })

it('two weeks without activity are fourteen empty days, oldest first', async () => {
  const days = await fetchDays()
  const first = dayAt(new Date(`${days[0]?.date}T00:00:00.000Z`))
  expect(dayAt(new Date()) - first).toBeOneOf([13, 14])
  expect(days).toEqual(Array.from({ length: 14 }, (_, n) => ({ ...noActivity, date: dateOf(first + n) })))
})

it('campaigns, the inboxes they reached and the reads count on their day', async () => {
  const { notificationId } = await send([ada, ben])
  await send([ada])
  await send([ada])
  expect(await fetchTotals()).toEqual({ sends: 3, delivered: 4, reads: 0, arrivals: 4, arrivalsRead: 0 })

  const params = { id: notificationId }
  await harness.call(readNotification, { as: ada, params })
  await harness.call(readNotification, { as: ada, params })
  expect(await fetchTotals()).toMatchObject({ reads: 1, arrivalsRead: 1 })

  await harness.call(readAllNotifications, { as: ada })
  await harness.call(readAllNotifications, { as: ada })
  await harness.call(readNotification, { as: ada, params })
  await harness.call(readAllNotifications, { as: ben })
  // The slices of a mark-all follow its answer.
  await until(async () =>
    expect(await fetchTotals()).toEqual({ sends: 3, delivered: 4, reads: 4, arrivals: 4, arrivalsRead: 4 }),
  )
  expect(await fetchDays({ days: 90 })).toHaveLength(90)
})

it('an entry that was recalled unread stays an arrival, and neither the recall nor a mark-all reads it', async () => {
  const before = await fetchTotals()
  const { notificationId } = await send([ada, ben])
  const params = { id: notificationId }
  await harness.call(readNotification, { as: ada, params })
  await harness.call(recallNotification, { as: admin, params, body: {} })
  await harness.call(readAllNotifications, { as: ben })
  const after = await fetchTotals()
  expect(after.arrivals - before.arrivals).toBe(2)
  expect(after.arrivalsRead - before.arrivalsRead).toBe(1)
})

it('rejects other numbers of days with the contract’s message', async () => {
  const message = 'days must be a whole number from 1 to 90'
  const calls = ['0', '91', '-1', '1.5', 'all', ''].map((days) => [{ query: { days } }, message] as const)
  expect(await harness.refusals(getActivity, calls, { as: admin })).toEqual(calls)
})
