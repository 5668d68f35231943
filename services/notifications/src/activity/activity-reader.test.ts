import { mostActivityDays } from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Write } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { campaignPartition, inboxProjectionName } from '../read-model.ts'
import { userIdAt } from '../testing/samples.ts'
import { createActivityReader } from './activity-reader.ts'
import { countReads, countSend, dayMember, readsByDay, sendsByDay } from './counts.ts'

const startMs = Date.parse('2026-11-01T12:00:00.000Z')
const dayMs = 86_400_000
const onDay = (n: number): Date => new Date(startMs + n * dayMs)

/** A read model that this alone writes to, message by message. */
const newCounts = () => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'activity' })
  onTestFinished(() => readModel.close())
  let last = 0
  const commit = async (partition: string, writes: readonly Write[]) => {
    const projection = inboxProjectionName
    const position = String(++last).padStart(16, '0')
    const expected = await readModel.position(projection, partition)
    await readModel.commit({ projection, partition, expected, position, writes })
  }
  return {
    readModel,
    read: async (user: number, at: Date, reads = 1) => {
      const partition = bucketKey(userIdAt(user))
      const known = await readModel.entry(partition, readsByDay, dayMember(at.toISOString()))
      await commit(partition, countReads(at.toISOString(), known, reads))
    },
    send: async (at: Date, delivered: number) => {
      const known = await readModel.entry(campaignPartition, sendsByDay, dayMember(at.toISOString()))
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

it('as many days are kept as anybody may ask for, and hardly more', async () => {
  const { readModel, read } = newCounts()
  for (let n = 0; n < 200; n++) await read(1, onDay(n))
  const activity = createActivityReader({ readModel, now: () => onDay(199), heldMs: 0 })
  expect((await activity(mostActivityDays)).map(({ reads }) => reads)).toEqual(
    Array.from({ length: mostActivityDays }, () => 1),
  )
  const range = { order: 'ascending', limit: 1_000 } as const
  const kept = await readModel.range(bucketKey(userIdAt(1)), readsByDay, range)
  expect(kept.length).toBeLessThanOrEqual(mostActivityDays + 7)
})

it('an answer is held for a moment and shared, also by those who ask at the same time', async () => {
  const { readModel, read } = newCounts()
  await read(1, onDay(0))
  let ranges = 0
  let nowMs = startMs
  const activity = createActivityReader({
    readModel: {
      range: (...asked) => {
        ranges += 1
        return readModel.range(...asked)
      },
    },
    now: () => new Date(nowMs),
    heldMs: 2_000,
  })
  const [first, second] = await Promise.all([activity(7), activity(7)])
  expect(second).toBe(first)
  const once = ranges
  await read(1, onDay(0))
  nowMs += 1_999
  expect(await activity(7)).toBe(first)
  expect(ranges).toBe(once)
  nowMs += 1
  expect((await activity(7)).at(-1)).toMatchObject({ reads: 2 })
})

it('a failure is told, and not held', async () => {
  const { readModel } = newCounts()
  let isDown = true
  const activity = createActivityReader({
    readModel: {
      range: async (...asked) => {
        if (isDown) throw new Error('down')
        return readModel.range(...asked)
      },
    },
    now: () => onDay(0),
    heldMs: 2_000,
  })
  await expect(activity(1)).rejects.toThrow('down')
  isDown = false
  expect(await activity(1)).toEqual([{ date: '2026-11-01', sends: 0, delivered: 0, reads: 0 }])
})
