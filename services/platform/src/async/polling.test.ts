import { expect, it } from 'vitest'
import { startPolling } from './polling.ts'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'

it('repeats the work at once and after each pause, until it is stopped', async () => {
  const { timers, advance, pendingCount } = createVirtualTimers()
  const startedAtMs: number[] = []
  const polling = startPolling(async () => void startedAtMs.push(timers.elapsedMs()), { everyMs: 500, timers })
  await advance(1_000)
  expect(startedAtMs).toEqual([0, 500, 1_000])
  await polling.stop()
  await advance(1_000)
  expect(startedAtMs).toHaveLength(3)
  expect(pendingCount()).toBe(0)
})

it('reports the first of consecutive failures, and continues', async () => {
  const { timers, advance } = createVirtualTimers()
  const outcomes = ['failed', 'failed', 'ok', 'failed']
  const reported: number[] = []
  const work = async () => {
    if (outcomes.shift() !== 'ok') throw new Error('failed')
  }
  const polling = startPolling(work, { everyMs: 500, timers, onFailure: () => reported.push(timers.elapsedMs()) })
  await advance(1_500)
  expect(reported).toEqual([0, 1_500])
  await polling.stop()
})

it('resolves its stop once the running round has ended, and aborts its signal', async () => {
  const { timers } = createVirtualTimers()
  const finish = Promise.withResolvers<void>()
  let wasAborted = false
  const work = async (signal: AbortSignal) => {
    await finish.promise
    wasAborted = signal.aborted
  }
  const polling = startPolling(work, { everyMs: 500, timers })
  const stopping = polling.stop()
  finish.resolve()
  await stopping
  expect(wasAborted).toBe(true)
})
