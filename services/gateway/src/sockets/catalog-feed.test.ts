import type { CatalogChanged } from '@portal/contracts/catalog/socket'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCatalogFeed } from './catalog-feed.ts'
import { programNumber } from './testing/programs.ts'

const intervalMs = 200

let told: { readonly atMs: number; readonly message: CatalogChanged }[]
const start = () => {
  told = []
  return createCatalogFeed({ tellAll: (message) => void told.push({ atMs: performance.now(), message }) })
}
const messages = () => told.map(({ message }) => message)

const saved = (number: number, name = `Programme ${number}`): CatalogChanged => ({
  kind: 'program-saved',
  program: programNumber(number, { programName: name }),
})
const removedAt = '2026-11-21T10:00:00.000Z'
const removed = (number: number): CatalogChanged => ({
  kind: 'program-removed',
  programId: programNumber(number)._id,
  removedAt,
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what became of the catalogue', () => {
  it('is told at once when nothing was told for a while', () => {
    const feed = start()
    feed.changed(saved(1))
    vi.advanceTimersByTime(1)
    expect(messages()).toEqual([saved(1)])
  })

  it('is told in the order in which it came, whatever it is about', () => {
    const feed = start()
    for (const message of [saved(2), saved(1), removed(3)]) feed.changed(message)
    vi.advanceTimersByTime(1)
    expect(messages()).toEqual([saved(2), saved(1), removed(3)])
  })

  it('of a storm about one programme is told once an interval, and the last word always', () => {
    const feed = start()
    for (let save = 1; save <= 1_000; save++) {
      feed.changed(saved(1, `Save ${save}`))
      vi.advanceTimersByTime(1)
    }
    vi.advanceTimersByTime(intervalMs)
    expect(told.length).toBeLessThanOrEqual(1_000 / intervalMs + 2)
    expect(messages().at(-1)).toEqual(saved(1, 'Save 1000'))
  })

  it('is spread over several intervals where it is a lot', () => {
    const feed = start()
    for (let number = 1; number <= 50; number++) feed.changed(saved(number))
    vi.advanceTimersByTime(1)
    expect(told).toHaveLength(20)
    vi.advanceTimersByTime(intervalMs)
    expect(told).toHaveLength(40)
    vi.advanceTimersByTime(intervalMs)
    expect(messages()).toEqual(Array.from({ length: 50 }, (_, n) => saved(n + 1)))
  })

  it('is spread, too, where it is large', () => {
    const feed = start()
    const large = (number: number): CatalogChanged => saved(number, 'x'.repeat(700_000))
    for (const number of [1, 2, 3]) feed.changed(large(number))
    vi.advanceTimersByTime(1)
    expect(told).toHaveLength(1)
    vi.advanceTimersByTime(2 * intervalMs)
    expect(told).toHaveLength(3)
  })

  it('is told no more once it has stopped', () => {
    const feed = start()
    feed.changed(saved(1))
    feed.stop()
    feed.changed(saved(2))
    vi.advanceTimersByTime(intervalMs)
    expect(told).toEqual([])
  })

  it('ends, for every programme, with the last word, and is never told twice within an interval', () => {
    const step = fc.record({ number: fc.integer({ min: 1, max: 5 }), pauseMs: fc.integer({ min: 0, max: 300 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const feed = start()
        steps.forEach(({ number, pauseMs }, n) => {
          feed.changed(saved(number, `Save ${n}`))
          vi.advanceTimersByTime(pauseMs)
        })
        vi.advanceTimersByTime(2 * intervalMs)
        for (const number of new Set(steps.map((taken) => taken.number))) {
          const { _id } = programNumber(number)
          const about = told.filter(({ message }) => message.kind === 'program-saved' && message.program._id === _id)
          const last = steps.findLastIndex((taken) => taken.number === number)
          expect(about.at(-1)?.message).toEqual(saved(number, `Save ${last}`))
          about.forEach(({ atMs }, n) =>
            expect(atMs - (about[n - 1]?.atMs ?? -intervalMs)).toBeGreaterThanOrEqual(intervalMs),
          )
        }
      }),
    )
  })
})
