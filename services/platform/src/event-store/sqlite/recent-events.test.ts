import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CommittedEvent, createRecentEvents } from './recent-events.ts'

const fresh = (row: number, chars = 2): CommittedEvent => ({
  row,
  stream: 'cat-a',
  revision: row,
  at: '2026-11-21T10:20:30.405Z',
  event: { id: randomUUID(), type: 'Happened', data: `"${'x'.repeat(chars - 2)}"`, metadata: null },
})

test('keeps the newest events within both limits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 2, max: 60 }), { maxLength: 60 }),
      (start, sizes) => {
        const recent = createRecentEvents(8, 100)
        sizes.forEach((chars, n) => recent.add(fresh(start + n, chars)))
        const rows = sizes.map((_, n) => start + n)
        const held = rows.filter((row) => recent.at(row) !== undefined)
        expect(held).toEqual(rows.slice(rows.length - held.length))
        expect(held.length).toBeLessThanOrEqual(8)
        expect(held.length).toBeGreaterThanOrEqual(Math.min(1, rows.length))
        const heldChars = sizes.slice(sizes.length - held.length).reduce((sum, chars) => sum + chars, 0)
        expect(heldChars).toBeLessThanOrEqual(100)
        expect(held.map((row) => recent.at(row)?.revision)).toEqual(held)
        expect(recent.at(start - 1)).toBeUndefined()
        expect(recent.at(start + sizes.length)).toBeUndefined()
      },
    ),
  )
})

test('parses an event once for all readers', () => {
  const recent = createRecentEvents(8, 100)
  recent.add(fresh(1))
  expect(recent.at(1)).toBe(recent.at(1))
})

test('drops earlier events at a gap, so that no row of the gap returns an event', () => {
  const recent = createRecentEvents(8, 100)
  for (let row = 1; row <= 8; row++) recent.add(fresh(row))
  recent.add(fresh(11))
  const held = Array.from({ length: 13 }, (_, row) => recent.at(row)?.revision)
  expect(held.filter((revision) => revision !== undefined)).toEqual([11])
  recent.add(fresh(12))
  expect(recent.at(11)?.revision).toBe(11)
  expect(recent.at(12)?.revision).toBe(12)
})
