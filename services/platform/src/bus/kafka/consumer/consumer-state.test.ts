import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { DatabaseLockedError } from '../../../files/database-file.ts'
import { makeHealth } from '../../../observability/health.ts'
import { UnreadableEventError } from '../../unreadable-event.ts'
import { KafkaFailedError } from '../client.ts'
import { createConsumerHealth, createInFlightBatches } from './consumer-state.ts'

const logger = pino({ level: 'silent' })

describe('the health of a consumer', () => {
  it('tolerates four failures in a row', () => {
    const health = createConsumerHealth('tally')
    for (let failures = 1; failures <= 4; failures++) expect(health.failed('auth-0', new Error('no'))).toBe(failures)
    expect(health.check).not.toThrow()
    health.failed('auth-0', new Error('no'))
    expect(health.check).toThrow('Consumer tally is failing after 5 attempts (auth-0)')
  })

  it('BUS-17 gives an operator the reason, which health shows', async () => {
    const consumer = createConsumerHealth('inbox')
    const health = makeHealth([{ name: 'bus', isCritical: true, check: async () => consumer.check() }], logger)
    const fail = (error: Error) => {
      for (let failures = 1; failures <= 5; failures++) consumer.failed('auth-0', error)
    }
    fail(new DatabaseLockedError('inbox.db', undefined))
    const reason = /^bus: Consumer inbox is failing after 5 attempts \(auth-0\): inbox\.db is locked by another process/
    expect((await health.report()).reasons).toEqual([expect.stringMatching(reason)])
    consumer.recovered('auth-0')
    consumer.stuck('fetching', new KafkaFailedError('Kafka has not answered for 2500 ms'))
    const silent = 'bus: Consumer inbox is halted (fetching): Kafka has not answered for 2500 ms'
    expect((await health.report()).reasons).toEqual([silent])
    consumer.recovered('fetching')
    fail(new TypeError('a fault of the code'))
    expect(await health.report()).toMatchObject({ parts: { bus: 'down' }, reasons: [] })
  })

  it('lists an unreadable event once', async () => {
    const consumer = createConsumerHealth('inbox')
    const health = makeHealth([{ name: 'bus', isCritical: true, check: async () => consumer.check() }], logger)
    const at = { type: 'Noted', origin: 'topic auth', position: '0001' }
    consumer.stuck('auth-0', new UnreadableEventError(at, new Error('invalid')))
    const { reasons, unreadableEvents } = await health.report()
    expect(reasons).toEqual([])
    expect(unreadableEvents).toEqual([expect.stringContaining('Noted of topic auth')])
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
