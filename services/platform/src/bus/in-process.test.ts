import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { DatabaseLockedError } from '../files/database-file.ts'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import { busContract } from '@portal/platform/testing/bus/contract'
import { makeHealth } from '../observability/health.ts'
import { openInProcessBus } from './in-process.ts'
import type { Bus, Cursors, Delivery } from './port.ts'
import type { Publisher } from './publisher.ts'
import { appendTo, counted as note, testPublisher, tempLog } from '@portal/platform/testing/bus/log-with-messages'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })

const tempStore = async () => {
  const { open, remove } = await tempLog()
  const eventStore = open()
  const append = (stream: string, data: object) => appendTo(eventStore, stream, data)
  const dispose = async () => {
    await eventStore.close()
    await remove()
  }
  return { eventStore, append, dispose }
}

busContract('in-process', async () => {
  const { eventStore, append, dispose } = await tempStore()
  const buses: Bus[] = []
  return {
    async produce(messages) {
      await append('test-1', { messages })
    },
    async open() {
      const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger })
      buses.push(bus)
      return bus
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()))
      await dispose()
    },
  }
})

describe('the in-process bus', { timeout: 30_000 }, () => {
  it('BUS-30 translates a recent event once for all consumers', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const translated: string[] = []
    const counting: Publisher = {
      category: 'test',
      topics: ['notifications'],
      publish(recorded) {
        translated.push(recorded.id)
        return testPublisher.publish(recorded)
      },
    }
    const bus = await openInProcessBus({ eventStore, publishers: [counting], logger })
    let handled = 0
    for (const group of ['a', 'b', 'c']) {
      const handle = async (deliveries: readonly Delivery[]) => void (handled += deliveries.length)
      await bus.consume({ group, topics: ['notifications'], loadCursors: async () => ({}), handle })
    }
    for (let n = 0; n < 20; n++) await append('test-1', note(n))
    await until(() => expect(handled).toBe(60))
    expect(translated).toHaveLength(20)
    await bus.close()
    await dispose()
  })

  it('BUS-30 gives a consumer that fell far behind everything once, in order', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger })
    const held = Promise.withResolvers<void>()
    const follow = async (group: string, released: Promise<void>): Promise<number[]> => {
      const handled: number[] = []
      const handle = async (deliveries: readonly Delivery[]) => {
        handled.push(...deliveries.map(({ envelope }) => Number(envelope.position.split(':')[0])))
        await released
      }
      await bus.consume({ group, topics: ['notifications'], loadCursors: async () => ({}), handle })
      return handled
    }
    const slow = await follow('slow', held.promise)
    const quick = await follow('quick', Promise.resolve())
    await append('test-1', note(1))
    await until(() => expect([slow.length, quick.length]).toEqual([1, 1]))
    const more = Array.from({ length: 800 }, (_, n) => ({ id: randomUUID(), type: 'Tested', data: note(n) }))
    await eventStore.append('test-1', 'any', more)
    await until(() => expect(quick).toHaveLength(801))
    held.resolve()
    await append('test-1', note(2))
    await until(() => expect(slow).toHaveLength(802))
    expect(slow).toEqual(Array.from({ length: 802 }, (_, n) => n + 1))
    expect(quick).toEqual(slow)
    await bus.close()
    await dispose()
  })

  it('BUS-31 halts the consumers of an unknown event type and names it, until a publisher can read it', async () => {
    const { eventStore, append, dispose } = await tempStore()
    let isKnown = false
    const ofNewerRelease: Publisher = {
      category: 'test',
      topics: ['notifications'],
      publish(recorded) {
        if (recorded.stream === 'test-new' && !isKnown) throw new UnknownEventTypeError(recorded.type)
        return testPublisher.publish(recorded)
      },
    }
    const lines: string[] = []
    const bus = await openInProcessBus({
      eventStore,
      publishers: [ofNewerRelease],
      logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    })
    await append('test-1', note(1))
    await append('test-new', note(2))
    await append('test-1', note(3))
    const seen: unknown[] = []
    await bus.consume({
      group: 'a',
      topics: ['notifications'],
      loadCursors: async () => ({}),
      handle: async (deliveries) => void seen.push(...deliveries.map(({ envelope }) => envelope.data)),
    })
    const named = 'Event type Tested of category test at position 0000000000000002 is unknown to this release'
    await until(() => expect(bus.check()).rejects.toThrow(named))
    expect(seen).toEqual([{ n: 1 }])
    isKnown = true
    await until(() => expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]))
    await expect(bus.check()).resolves.toBeUndefined()
    // Logged once, although it was retried.
    expect(lines.filter((line) => line.includes(named))).toHaveLength(1)
    await bus.close()
    await dispose()
  })

  it('BUS-31 does not halt consumers of other topics at an unknown event type', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const ofNewerRelease: Publisher = {
      category: 'newer',
      topics: ['auth'],
      publish(recorded) {
        throw new UnknownEventTypeError(recorded.type)
      },
    }
    const bus = await openInProcessBus({ eventStore, publishers: [testPublisher, ofNewerRelease], logger })
    await append('newer-1', {})
    await append('test-1', note(1))
    await append('newer-1', {})
    const seen: unknown[] = []
    const { promise: caughtUp, resolve } = Promise.withResolvers<Cursors>()
    await bus.consume({
      group: 'a',
      topics: ['catalog', 'notifications'],
      loadCursors: async () => ({}),
      handle: async (deliveries) => void seen.push(...deliveries.map(({ envelope }) => envelope.data)),
      onCaughtUp: resolve,
    })
    expect(Object.values(await caughtUp)[0]).toMatch(/^0000000000000003/)
    expect(seen).toEqual([{ n: 1 }])
    await expect(bus.check()).resolves.toBeUndefined()
    await bus.close()
    await dispose()
  })

  it('BUS-17 logs a failure of an engine once a minute, and others each time', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const lines: string[] = []
    const written = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger: written })
    await append('test-1', note(1))
    const failuresOf = (error: Error) => {
      let attempts = 0
      const handle = async () => {
        if (attempts++ < 3) throw error
      }
      return { handle, attempts: () => attempts }
    }
    const locked = failuresOf(new DatabaseLockedError('inbox.db', undefined))
    const faulty = failuresOf(new Error('a fault'))
    for (const [group, { handle }] of Object.entries({ locked, faulty }))
      await bus.consume({ group, topics: ['notifications'], loadCursors: async () => ({}), handle })
    await until(() => expect([locked.attempts(), faulty.attempts()]).toEqual([4, 4]))
    expect(lines.filter((line) => line.includes('inbox.db is locked'))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('a fault'))).toHaveLength(3)
    await bus.close()
    await dispose()
  })

  it('BUS-17 has health give the reason why a consumer keeps failing', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger })
    await append('test-1', note(1))
    const handle = () => Promise.reject(new DatabaseLockedError('inbox.db', undefined))
    await bus.consume({ group: 'inbox', topics: ['notifications'], loadCursors: async () => ({}), handle })
    const health = makeHealth([{ name: 'bus', isCritical: true, check: () => bus.check() }], logger)
    const reason =
      /^bus: Consumer inbox is failing after \d+ attempts: inbox\.db is locked by another process: end that one/
    await until(async () => expect((await health.report()).reasons).toEqual([expect.stringMatching(reason)]))
    await bus.close()
    await dispose()
  })

  it('BUS-32 yields to the event loop while a consumer works through a long log', async () => {
    const { eventStore, append, dispose } = await tempStore()
    for (let n = 0; n < 30; n++) await append('test-1', note(n))
    const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger })
    const order: ('turn' | 'batch')[] = []
    let batches = 0
    const noteTurns = () => {
      if (order.at(-1) !== 'turn') order.push('turn')
      if (batches < 30) setImmediate(noteTurns)
    }
    setImmediate(noteTurns)
    await new Promise<void>((resolve) => {
      const handle = async () => {
        order.push('batch')
        const end = performance.now() + 3
        while (performance.now() < end) Math.sqrt(end)
        if (++batches === 30) resolve()
      }
      void bus.consume({ group: 'a', topics: ['notifications'], maxBatch: 1, loadCursors: async () => ({}), handle })
    })
    expect(order.join(' ')).not.toContain('batch batch')
    await bus.close()
    await dispose()
  })
})
