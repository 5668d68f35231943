import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadPart } from './load-part.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Fails as often as it is told, then brings the part. */
const failing = (times: number) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let left = times
  return vi.fn<() => Promise<string>>(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module')
    return 'the part'
  })
}

test('a part that cannot be loaded is tried again, ever more rarely, until it is there', async () => {
  const load = failing(3)
  const loaded = loadPart(load)
  await vi.advanceTimersByTimeAsync(0)
  const calls: number[] = []
  for (const ms of [1_000, 1_000, 1_000, 4_000]) {
    await vi.advanceTimersByTimeAsync(ms)
    calls.push(load.mock.calls.length)
  }
  expect(calls).toEqual([2, 2, 3, 4])
  expect(await loaded).toBe('the part')
})

test('a part is tried at once when there is a network again', async () => {
  const load = failing(1)
  const loaded = loadPart(load)
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  expect(await loaded).toBe('the part')
  expect(vi.getTimerCount()).toBe(0)
})
