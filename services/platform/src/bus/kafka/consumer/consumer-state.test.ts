import { describe, expect, it } from 'vitest'
import { createConsumerHealth, createInFlightBatches } from './consumer-state.ts'

describe('the health of a consumer', () => {
  it('tolerates four failures in a row', () => {
    const health = createConsumerHealth('tally')
    for (let failures = 1; failures <= 4; failures++) expect(health.failed('auth-0', new Error('no'))).toBe(failures)
    expect(health.check).not.toThrow()
    health.failed('auth-0', new Error('no'))
    expect(health.check).toThrow('Consumer tally is failing after 5 attempts (auth-0)')
  })

  it('counts each activity separately, and from zero after a success', () => {
    const health = createConsumerHealth('tally')
    for (let n = 0; n < 4; n++) {
      health.failed('auth-0', new Error('no'))
      health.failed('connecting', new Error('no'))
    }
    health.recovered('auth-0')
    expect(health.failed('auth-0', new Error('no'))).toBe(1)
    expect(health.check).not.toThrow()
  })

  it('fails at once for a stuck activity', () => {
    const health = createConsumerHealth('tally')
    health.stuck('a discontinuity', new Error('gone'))
    expect(health.check).toThrow('Consumer tally is halted (a discontinuity)')
    health.recovered('a discontinuity')
    expect(health.check).not.toThrow()
  })
})

it('waits for all in-flight batches of a partition', async () => {
  const inFlight = createInFlightBatches()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  inFlight.add('auth-0', first.promise)
  inFlight.add('auth-0', second.promise)
  await inFlight.whenDone('auth-1')
  const done: string[] = []
  const waiting = Promise.all([
    inFlight.whenDone('auth-0').then(() => done.push('partition')),
    inFlight.whenAllDone().then(() => done.push('all')),
  ])
  second.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual([])
  first.resolve()
  await waiting
  expect(done.toSorted()).toEqual(['all', 'partition'])
})
