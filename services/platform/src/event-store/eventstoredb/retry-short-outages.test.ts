import { expect, test } from 'vitest'
import { EventStoreUnavailableError } from '../errors.ts'
import { createOutageRetry } from './retry-short-outages.ts'

const away = () => Promise.reject(new EventStoreUnavailableError())

test('ES-73 a call may take 5 s, and 1 s during a known outage', async () => {
  const { retryShortOutages, timeoutMs: limitMs } = createOutageRetry()
  const given: number[] = []
  const answer = async (remainingMs: number) => void given.push(remainingMs)
  await retryShortOutages(answer)
  expect(limitMs()).toBeLessThanOrEqual(5_000)

  const tries: number[] = []
  const failing = retryShortOutages((remainingMs) => {
    tries.push(remainingMs)
    return away()
  })
  await expect(failing).rejects.toThrow(EventStoreUnavailableError)
  // Each attempt gets the time that is left.
  expect(tries.length).toBeGreaterThan(1)
  expect(tries).toEqual(tries.toSorted((a, b) => b - a))
  expect(limitMs()).toBeLessThanOrEqual(1_000)

  await retryShortOutages(answer)
  expect(given.map((remainingMs) => remainingMs <= 1_000)).toEqual([false, true])
  expect(limitMs()).toBeGreaterThan(1_000)
})

test('retries only outages', async () => {
  const { retryShortOutages } = createOutageRetry()
  let times = 0
  const refused = retryShortOutages(async () => {
    times += 1
    throw new Error('denied')
  })
  await expect(refused).rejects.toThrow('denied')
  expect(times).toBe(1)
})
