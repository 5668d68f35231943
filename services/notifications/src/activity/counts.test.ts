import type { DocumentRef } from '@portal/platform/read-model/port'
import { describe, expect, it } from 'vitest'
import { bucketDayRef, countArrivalsRead, countEntryRead, dateOf, dayAt, daySlots, startOfDay } from './counts.ts'

it('a moment belongs to its day in India', () => {
  const rows = [
    ['2026-11-20T18:29:59.999Z', '2026-11-20'],
    ['2026-11-20T18:30:00.000Z', '2026-11-21'],
    ['2026-11-21T18:29:59.999Z', '2026-11-21'],
    ['2027-12-31T18:30:00.000Z', '2028-01-01'],
    ['2028-02-28T18:30:00.000Z', '2028-02-29'],
  ]
  expect(rows.map(([at = '']) => [at, dateOf(dayAt(new Date(at)))])).toEqual(rows)
})

it('days follow each other by one', () => {
  const first = dayAt(new Date('2026-11-20T18:30:00.000Z'))
  expect(dayAt(new Date('2026-11-21T18:30:00.000Z'))).toBe(first + 1)
})

describe('the read of an entry', () => {
  const [arrivedAt, nextDay] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z']
  /** The documents after one arrival and its read. */
  const afterRead = async (at: string, stored: unknown = { ...noReads, day: dayOf(arrivedAt), arrivals: 1 }) => {
    const documents = new Map<string, unknown>([[bucketDayRef('b07', dayOf(arrivedAt)).key, stored]])
    const view = { get: (ref: DocumentRef) => Promise.resolve(documents.get(ref.key)) }
    const known = documents.get(bucketDayRef('b07', dayOf(at)).key)
    for (const write of await countEntryRead({ bucket: 'b07', at, arrivedAt }, known, view))
      if (write.op === 'put') documents.set(write.key, write.value)
    return [...documents.values()]
  }
  const dayOf = (at: string): number => dayAt(new Date(at))
  const noReads = { reads: 0, arrivals: 0, arrivalsRead: 0 }

  it('counts for the day of the read and the day of the arrival', async () => {
    expect(await afterRead(nextDay)).toEqual([
      { day: dayOf(arrivedAt), reads: 0, arrivals: 1, arrivalsRead: 1 },
      { ...noReads, day: dayOf(nextDay), reads: 1 },
    ])
  })

  it('counts in one document if both are the same day', async () => {
    expect(await afterRead(arrivedAt)).toEqual([{ day: dayOf(arrivedAt), reads: 1, arrivals: 1, arrivalsRead: 1 }])
  })

  it('does not change the counts of a newer day in the slot of the arrival', async () => {
    const newer = { day: dayOf(arrivedAt) + daySlots, reads: 2, arrivals: 3, arrivalsRead: 1 }
    const [slot] = await afterRead(startOfDay(dayOf(arrivedAt) + daySlots + 1).toISOString(), newer)
    expect(slot).toEqual(newer)
  })

  it('takes the slot of an arrival that is too old to be counted', async () => {
    const day = dayOf(arrivedAt) + daySlots
    expect(await afterRead(startOfDay(day).toISOString())).toEqual([{ ...noReads, day, reads: 1 }])
  })
})

it('reads of a mark-all count for the days of their arrivals, but not for days whose slots are taken', async () => {
  const arrivedAt = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-21T10:00:00.000Z']
  const first = dayAt(new Date('2026-11-20T10:00:00.000Z'))
  const documents = [
    { day: first, reads: 0, arrivals: 5, arrivalsRead: 1 },
    { day: first + 1 + daySlots, reads: 0, arrivals: 2, arrivalsRead: 0 },
  ]
  const writes = await countArrivalsRead('b07', arrivedAt, { getMany: () => Promise.resolve(documents) })
  expect(writes).toEqual([
    expect.objectContaining({ op: 'put', value: { day: first, reads: 0, arrivals: 5, arrivalsRead: 3 } }),
  ])
})
