import { expect, it } from 'vitest'
import { sleep } from '@portal/platform/async/timers'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { type Sample, watchLate } from './catching-up.ts'
import { judge } from './portal-status.ts'
import { statusText } from './present-status.ts'

const hourMs = 3_600_000
const withinMs = 18_000
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

/** Watches a portal with these samples; the last one repeats. Each takes this long. */
const watch = async (samples: readonly Sample[], sampleMs: readonly number[] = []) => {
  const { timers, advance } = createVirtualTimers()
  let taken = 0
  const take = async () => {
    const found = samples[Math.min(taken, samples.length - 1)]
    const tookMs = sampleMs[Math.min(taken, sampleMs.length - 1)]
    taken += 1
    if (tookMs !== undefined) await sleep(tookMs, { timers })
    if (found === undefined) throw new Error('no sample')
    return found
  }
  const watching = watchLate(take, withinMs, timers)
  await advance(withinMs)
  const { consumers, feeds } = await watching
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

it('is not healthy if a late consumer comes closer, but not to the end within minutes', async () => {
  // 1 of a million rows in 1.2 s.
  const weeks = await watch([sample({ next: 1, end: 1_000_001 }), sample({ next: 2, end: 1_000_001 })])
  expect([weeks.isHealthy, weeks.text[0]]).toEqual([false, 'Not healthy: The consumer inbox is more than 60 s behind.'])
  const minutes = await watch([sample({ next: 1, end: 7_001 }), sample({ next: 11, end: 7_001 })])
  expect(minutes.text).toEqual(['Healthy.', 'The consumer inbox is catching up, 14 min left.'])
})

it('ends in time if a sample takes long, and keeps what it has', async () => {
  const late = [sample({ next: 1, end: 1_000 }), sample({ next: 501, end: 1_000 })]
  expect(await watch(late, [7_000])).toMatchObject({ taken: 2, isHealthy: true })
  expect(await watch(late, [14_000])).toMatchObject({ taken: 2, isHealthy: false })
  expect(await watch(late, [100, 60_000])).toMatchObject({ taken: 2, isHealthy: false })
})

it('waits for a consumer that saves its progress rarely', async () => {
  const still = sample({ next: 1, end: 1_000 })
  const { taken, isHealthy } = await watch([still, still, still, sample({ next: 501, end: 1_000 })])
  expect([taken, isHealthy]).toEqual([4, true])
})

it('takes one sample if no consumer is late', async () => {
  expect(await watch([sample({ next: 1, end: 1_000, ms: 60_000 })])).toMatchObject({ taken: 1, isHealthy: true })
})
