import { mostActivityDays } from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Write } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { campaignPartition, inboxProjectionName } from '../read-model.ts'
import { userIdAt } from '@portal/notifications/testing/samples'
import { createActivityReader } from './activity-reader.ts'
import { countReads, countSend, daySlots, readsRef, sendsRef } from './counts.ts'
import { dayAt } from './day.ts'

const startMs = Date.parse('2026-11-01T12:00:00.000Z')
const dayMs = 86_400_000
const onDay = (n: number): Date => new Date(startMs + n * dayMs)

/** A read model that this alone writes to, message by message. */
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
      const known = await readModel.get(readsRef(partition, dayAt(at)))
      await commit(partition, countReads(partition, at.toISOString(), known, reads))
    },
    send: async (at: Date, delivered: number) => {
      const known = await readModel.get(sendsRef(dayAt(at)))
      await commit(campaignPartition, countSend(at.toISOString(), known, delivered))
    },
  }
}

it('adds up all buckets, and only the days that are asked for', async () => {
  const { readModel, read, send } = newCounts()
  await send(onDay(0), 7)
  await send(onDay(1), 2)
  await send(onDay(1), 3)
  for (let user = 1; user <= 100; user++) await read(user, onDay(1))
  await read(1, onDay(2), 5)
  const activity = createActivityReader({ readModel, now: () => onDay(2), heldMs: 0 })
  expect(await activity(2)).toEqual([
    { date: '2026-11-02', sends: 2, delivered: 5, reads: 100 },
    { date: '2026-11-03', sends: 0, delivered: 0, reads: 5 },
  ])
})

it('as many days are kept as anybody may ask for, in no more documents than there are slots', async () => {
  const { readModel, read, send } = newCounts()
  for (let n = 0; n < 2 * daySlots; n++) {
    await read(1, onDay(n), n + 1)
    await send(onDay(n), n + 1)
  }
  const last = 2 * daySlots - 1
  const activity = createActivityReader({ readModel, now: () => onDay(last), heldMs: 0 })
  const days = await activity(mostActivityDays)
  const expected = Array.from({ length: mostActivityDays }, (_, n) => last - mostActivityDays + 2 + n)
  expect(days.map(({ reads }) => reads)).toEqual(expected)
  expect(days.map(({ delivered }) => delivered)).toEqual(expected)
  const { documents } = await readModel.digest(inboxProjectionName, bucketKey(userIdAt(1)))
  expect(documents).toBe(daySlots)
})

it('what a slot held of a day long ago is not taken for today’s', async () => {
  const { readModel, read } = newCounts()
  await read(1, onDay(0), 5)
  const activity = createActivityReader({ readModel, now: () => onDay(daySlots), heldMs: 0 })
  expect((await activity(1))[0]).toMatchObject({ reads: 0 })
  await read(1, onDay(daySlots))
  expect((await activity(1))[0]).toMatchObject({ reads: 1 })
})

it('an answer is held for a moment and shared, also by those who ask at the same time', async () => {
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
    heldMs: 2_000,
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

it('a failure is told, and not held', async () => {
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
    heldMs: 2_000,
  })
  await expect(activity(1)).rejects.toThrow('down')
  isDown = false
  expect(await activity(1)).toEqual([{ date: '2026-11-01', sends: 0, delivered: 0, reads: 0 }])
})
