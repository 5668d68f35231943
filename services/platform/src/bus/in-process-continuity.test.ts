import { type Logger, pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import { UnknownPositionError } from '../event-store/errors.ts'
import type { EventStore } from '../event-store/port.ts'
import { openInProcessBus } from './in-process.ts'
import type { Bus, Consumer, Cursor, Cursors } from './port.ts'
import {
  appendTo,
  counted,
  replaceableStore,
  testPublisher,
  tempLog,
} from '@portal/platform/testing/bus/log-with-messages'
import { until } from '../../testing/until.ts'

const silent = pino({ level: 'silent' })

const numberOf = (data: unknown): unknown => (typeof data === 'object' && data !== null && 'n' in data ? data.n : data)

const open = async (eventStore: EventStore, logger: Logger = silent): Promise<Bus> => {
  const bus = await openInProcessBus({ eventStore, publishers: [testPublisher], logger })
  onTestFinished(() => bus.close())
  return bus
}

/** A consumer that saves its cursors like a read model. */
const recorder = (loaded: Cursors = {}) => {
  const cursors: Record<string, Cursor> = { ...loaded }
  const numbers: unknown[] = []
  const found: FoundDiscontinuity[] = []
  let timesCaughtUp = 0
  const consumer: Consumer = {
    group: 'recorder',
    topics: ['notifications'],
    loadCursors: async () => ({ ...cursors }),
    async handle(deliveries) {
      for (const { envelope, busPartition, cursor } of deliveries) {
        numbers.push(numberOf(envelope.data))
        cursors[busPartition] = cursor
      }
    },
    onCaughtUp(reached) {
      Object.assign(cursors, reached)
      timesCaughtUp += 1
    },
    onDiscontinuity: (discontinuity) => void found.push(discontinuity),
  }
  return { consumer, cursors, numbers, found, timesCaughtUp: () => timesCaughtUp }
}

/** A consumer has handled 15 events when the log is restored from a copy with the first 10. */
const restoredUnder = async (appendedSince: number) => {
  const log = await tempLog()
  const store = log.open()
  for (let n = 0; n < 10; n++) await appendTo(store, 'test-1', counted(n))
  log.backUp()
  for (let n = 10; n < 15; n++) await appendTo(store, 'test-1', counted(n))
  const before = recorder()
  const bus = await openInProcessBus({ eventStore: store, publishers: [testPublisher], logger: silent })
  await bus.consume(before.consumer)
  await until(() => expect(before.numbers).toHaveLength(15))
  await bus.close()
  await store.close()
  const restored = log.openBackup()
  onTestFinished(async () => {
    await restored.close()
    await log.remove()
  })
  for (let n = 0; n < appendedSince; n++) await appendTo(restored, 'test-1', counted(100 + n))
  return { restored, before }
}

it('BUS-33 halts a consumer on an older log that is shorter than its cursor, as long, or longer', async () => {
  const isHalted = async (appendedSince: number) => {
    const { restored, before } = await restoredUnder(appendedSince)
    const lines: string[] = []
    const bus = await open(restored, pino({ level: 'warn' }, { write: (line) => void lines.push(line) }))
    await bus.consume(before.consumer)
    await until(() => expect(before.found).toHaveLength(1))
    expect(before.found).toMatchObject([
      { cause: 'log-older', missing: expect.stringMatching(/^events up to position 0*15 are missing from the log$/) },
    ])
    await expect(bus.check()).rejects.toThrow('Consumer recorder is halted: events up to position')

    // It is never retried, even after the log has grown.
    const other = recorder()
    await bus.consume({ ...other.consumer, group: 'other' })
    for (let n = 0; n < 20; n++) await appendTo(restored, 'test-1', counted(200 + n))
    await until(() => expect(other.numbers).toHaveLength(10 + appendedSince + 20))
    expect(before.numbers).toHaveLength(15)
    expect(before.found).toHaveLength(1)
    expect(lines).toHaveLength(1)
  }
  await Promise.all([0, 5, 12].map(isHalted))
})

it("BUS-37 with startAt 'now', continues at the end of an older log, and calls onGap", async () => {
  const log = await tempLog()
  const original = log.open()
  for (let n = 0; n < 10; n++) await appendTo(original, 'test-1', counted(n))
  log.backUp()
  for (let n = 10; n < 15; n++) await appendTo(original, 'test-1', counted(n))
  const older = log.openBackup()
  onTestFinished(async () => {
    await Promise.all([original.close(), older.close()])
    await log.remove()
  })
  const { store, replaceWith } = replaceableStore(original)
  const bus = await open(store)
  const live = recorder()
  let gaps = 0
  await bus.consume({ ...live.consumer, startAt: 'now', loadCursors: async () => ({}), onGap: () => gaps++ })
  await appendTo(original, 'test-1', counted(15))
  await until(() => expect(live.numbers).toEqual([15]))
  replaceWith(older)
  await until(() => expect(gaps).toBe(1))
  await appendTo(older, 'test-1', counted(100))
  await until(() => expect(live.numbers).toEqual([15, 100]))
  expect(live.found).toEqual([])
  await expect(bus.check()).resolves.toBeUndefined()
})

it("BUS-37 with startAt 'now', pauses and reports a log that refuses its own end again and again", async () => {
  const log = await tempLog()
  const original = log.open()
  onTestFinished(async () => {
    await original.close()
    await log.remove()
  })
  let refusals = 0
  const refusing: EventStore = {
    ...original,
    async *subscribe(...after) {
      // Bounds the test: without a pause, the attempts leave no turn of the event loop to anything else.
      if (refusals++ < 1_000) throw new UnknownPositionError('Another event is at the end of the event store')
      yield* original.subscribe(...after)
    },
  }
  const bus = await open(refusing)
  const live = recorder()
  let gaps = 0
  await bus.consume({ ...live.consumer, startAt: 'now', loadCursors: async () => ({}), onGap: () => gaps++ })
  await until(() => expect(bus.check()).rejects.toThrow('Consumer recorder is failing after'))
  expect(refusals).toBeLessThan(1_000)
  refusals = 1_000
  await appendTo(original, 'test-1', counted(1))
  await until(() => expect(live.numbers).toEqual([1]))
  expect(gaps).toBeGreaterThan(0)
  await expect(bus.check()).resolves.toBeUndefined()
})

it('BUS-34 resumes at a cursor of an earlier version, which is only a position', async () => {
  const log = await tempLog()
  const store = log.open()
  onTestFinished(async () => {
    await store.close()
    await log.remove()
  })
  for (let n = 0; n < 4; n++) await appendTo(store, 'test-1', counted(n))
  const first = recorder()
  const bus = await open(store)
  await bus.consume(first.consumer)
  await until(() => expect(first.timesCaughtUp()).toBeGreaterThan(0))
  // Cursors of earlier versions have no event id.
  const positions = Object.entries(first.cursors).map(([name, cursor]) => [name, cursor.split('#')[0]])
  const old = Object.fromEntries(positions) as Cursors
  expect(old).not.toEqual(first.cursors)
  expect(bus.hasReached(old, first.cursors)).toBe(true)
  const second = recorder(old)
  await bus.consume({ ...second.consumer, group: 'second' })
  await appendTo(store, 'test-1', counted(4))
  await until(() => expect(second.numbers).toEqual([4]))
  expect(second.found).toEqual([])
})

it('BUS-35 counts a consumer as healthy once it has caught up, even if no message of its topics came', async () => {
  const log = await tempLog()
  const store = log.open()
  onTestFinished(async () => {
    await store.close()
    await log.remove()
  })
  let isUnavailable = true
  const failing: EventStore = {
    ...store,
    async *subscribe(...given) {
      if (isUnavailable) throw new Error('unavailable')
      yield* store.subscribe(...given)
    },
  }
  const bus = await open(failing)
  const { consumer, timesCaughtUp } = recorder()
  await bus.consume(consumer)
  await until(() => expect(bus.check()).rejects.toThrow('is failing'))
  isUnavailable = false
  await until(() => expect(timesCaughtUp()).toBeGreaterThan(0))
  await expect(bus.check()).resolves.toBeUndefined()
})

it('BUS-36 leaves no subscription open after a failed attempt', async () => {
  const log = await tempLog()
  const store = log.open()
  onTestFinished(async () => {
    await store.close()
    await log.remove()
  })
  await appendTo(store, 'test-1', { of: 'a newer version' })
  let begun = 0
  let isOpen = 0
  let mostOpen = 0
  const counting: EventStore = {
    ...store,
    async *subscribe(...given) {
      begun += 1
      isOpen += 1
      mostOpen = Math.max(mostOpen, isOpen)
      try {
        yield* store.subscribe(...given)
      } finally {
        isOpen -= 1
      }
    },
  }
  const bus = await open(counting)
  await bus.consume(recorder().consumer)
  await until(() => expect(begun).toBeGreaterThanOrEqual(6))
  // One is that of the tail, which all consumers share.
  expect(mostOpen).toBe(2)
})

it('BUS-33 halts a consumer that was busy while the log went back and grew again', async () => {
  const log = await tempLog()
  const original = log.open()
  onTestFinished(() => log.remove())
  await appendTo(original, 'test-1', counted(1))
  log.backUp()
  const older = log.openBackup()
  const { store, replaceWith } = replaceableStore(original)
  const bus = await open(store)
  const held = Promise.withResolvers<void>()
  const [busy, idle] = [recorder(), recorder()]
  const { handle } = busy.consumer
  const hold: Consumer['handle'] = async (deliveries) => {
    await handle(deliveries)
    if (busy.numbers.includes(2)) await held.promise
  }
  await bus.consume({ ...busy.consumer, group: 'busy', handle: hold })
  await bus.consume({ ...idle.consumer, group: 'idle' })
  await until(() => expect([busy.numbers, idle.numbers]).toEqual([[1], [1]]))
  await appendTo(original, 'test-1', counted(2))
  await until(() => expect([busy.numbers, idle.numbers]).toEqual([[1, 2], [1, 2]])) // prettier-ignore
  replaceWith(older)
  await until(() => expect(idle.found).toHaveLength(1))
  for (const n of [3, 4, 5]) await appendTo(older, 'test-1', counted(n))
  held.resolve()
  await until(() => expect(busy.found).toMatchObject([{ cause: 'log-older' }]))
  expect(busy.numbers).toEqual([1, 2])
  await Promise.all([original.close(), older.close()])
})

it('BUS-13 says that a consumer has caught up, also if the store says so later', async () => {
  const log = await tempLog()
  const store = log.open()
  onTestFinished(async () => {
    await store.close()
    await log.remove()
  })
  const order: unknown[] = []
  let appended = 0
  /** Says so only after the events have been handled. */
  const late: EventStore = {
    ...store,
    async *subscribe(...given) {
      for await (const item of store.subscribe(...given)) {
        if (item.kind === 'caught-up') await until(() => expect(order.filter(Number.isInteger)).toHaveLength(appended))
        yield item
      }
    },
  }
  const bus = await open(late)
  await bus.consume({
    ...recorder().consumer,
    handle: async (deliveries) => void order.push(...deliveries.map(({ envelope }) => numberOf(envelope.data))),
    onCaughtUp: () => void order.push('caught up'),
  })
  await until(() => expect(order).toContain('caught up'))
  for (const n of [1, 2, 3]) {
    appended = n
    await appendTo(store, 'test-1', counted(n))
    await until(() => expect(order).toContain(n))
    await until(() => expect(order.slice(order.indexOf(n))).toContain('caught up'))
  }
})
