import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProducerHealth } from './producer-health.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const create = () => createProducerHealth('feed:auth', pino({ level: 'silent' }))

it('is unhealthy from the first failure to the next success', async () => {
  const health = create()
  health.failed(new Error('no'))
  expect(health.check).toThrow('Log publisher feed:auth cannot publish to Kafka')
  expect(await health.watch(Promise.resolve('sent'))).toBe('sent')
  expect(health.check).not.toThrow()
})

it('is unhealthy while a request takes too long', async () => {
  const health = create()
  const request = Promise.withResolvers<void>()
  const watched = health.watch(request.promise)
  vi.advanceTimersByTime(2_499)
  expect(health.check).not.toThrow()
  vi.advanceTimersByTime(1)
  expect(health.check).toThrow('cannot publish')
  request.resolve()
  await watched
  expect(health.check).not.toThrow()
})

it('does not count a failed request, which the caller judges', async () => {
  const health = create()
  await expect(health.watch(Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(health.check).not.toThrow()
})
