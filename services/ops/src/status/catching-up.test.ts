import { expect, it } from 'vitest'
import type { Timers } from '@portal/platform/async/timers'
import { type Sample, watchLate } from './catching-up.ts'
import { judge } from './portal-status.ts'
import { statusText } from './present-status.ts'

const hourMs = 3_600_000
const position = (row: number) => String(row).padStart(16, '0')

/** A consumer that has handled everything before this row. */
const sample = ({ next, end, ms = hourMs }: { next: number; end: number; ms?: number }): Sample => ({
  logEnd: position(end),
  feeds: [],
  consumers: [
    {
      consumer: 'inbox',
      kind: 'projection',
      cursors: {},
      lag: { events: 10_000, isAtLeast: true, ms, oldest: position(next) },
    },
  ],
})

/** Watches a portal with these samples; the last one repeats. A pause takes its time on the clock only. */
const watch = async (samples: readonly Sample[]) => {
  let [taken, nowMs] = [0, 0]
  const timers: Timers = {
    elapsedMs: () => nowMs,
    schedule: (callback, delayMs) => {
      nowMs += delayMs
      callback()
      return () => undefined
    },
  }
  const take = async () => {
    const found = samples[Math.min(taken, samples.length - 1)]
    taken += 1
    if (found === undefined) throw new Error('no sample')
    return found
  }
  const { consumers, feeds } = await watchLate(take, timers)
  const seen = { isRunning: true, errors: [], engines: [], processes: [], discontinuities: [], isReplaying: false }
  const status = judge({ ...seen, consumers, feeds })
  return { taken, isHealthy: status.isHealthy, text: statusText(status, false).split('\n').slice(0, 2) }
}

it('is healthy while a late consumer comes closer to the end, and estimates the time left', async () => {
  const { isHealthy, text } = await watch([
    sample({ next: 1, end: 100_001 }),
    // 3,000 rows in 1.2 s.
    sample({ next: 3_001, end: 100_001 }),
  ])
  expect([isHealthy, ...text]).toEqual([true, 'Healthy.', 'The consumer inbox is catching up, 39 s left.'])
})

it('is not healthy if a late consumer stands still', async () => {
  const { isHealthy, text } = await watch([sample({ next: 1, end: 100_001 })])
  expect([isHealthy, text[0]]).toEqual([false, 'Not healthy: The consumer inbox is more than 60 s behind.'])
})

it('is not healthy if the log grows faster than a late consumer handles it', async () => {
  const { isHealthy } = await watch([sample({ next: 1, end: 1_000 }), sample({ next: 11, end: 1_100 })])
  expect(isHealthy).toBe(false)
})

it('waits for a consumer that saves its progress rarely', async () => {
  const still = sample({ next: 1, end: 1_000 })
  const { taken, isHealthy } = await watch([still, still, still, sample({ next: 501, end: 1_000 })])
  expect([taken, isHealthy]).toEqual([4, true])
})

it('takes one sample if no consumer is late', async () => {
  expect(await watch([sample({ next: 1, end: 1_000, ms: 60_000 })])).toMatchObject({ taken: 1, isHealthy: true })
})
