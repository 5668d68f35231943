import { bucketKey } from '@portal/contracts/shared/buckets'
import { envelopeSchema, type Envelope } from '@portal/contracts/shared/event-envelope'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus, Consumer, Cursor, Delivery, Subscription } from '../../src/bus/port.ts'
import type { OutgoingMessage } from '../../src/bus/publisher.ts'
import { until } from '../until.ts'

type BusHarness = {
  /** Records one event that becomes these messages. Resolves when the bus will deliver them. */
  produce(messages: readonly OutgoingMessage[]): Promise<void>
  /** Opens the bus like another process. */
  open(): Promise<Bus>
  dispose(): Promise<void>
}

const message = (n: number, key = 'k', topic: OutgoingMessage['topic'] = 'notifications'): OutgoingMessage => ({
  topic,
  key,
  type: 'Counted',
  data: { n },
})

const numberOf = ({ data }: Envelope): number => {
  if (typeof data === 'object' && data !== null && 'n' in data && typeof data.n === 'number') return data.n
  throw new Error(`Not a counted message: ${JSON.stringify(data)}`)
}

/**
 * A consumer that records each message once, because messages may be redelivered. It saves its cursors like a read model.
 */
const recorder = (options: Partial<Consumer> = {}) => {
  const received: Delivery[] = []
  const known = new Set<string>()
  const cursors: Record<string, Cursor> = {}
  const consumer: Consumer = {
    group: 'group',
    topics: ['notifications'],
    loadCursors: async () => ({ ...cursors }),
    async handle(deliveries) {
      for (const delivery of deliveries) {
        if (!known.has(delivery.envelope.id)) received.push(delivery)
        known.add(delivery.envelope.id)
        cursors[delivery.busPartition] = delivery.cursor
      }
    },
    ...options,
  }
  return {
    consumer,
    received,
    cursors,
    numbers: (key?: string) =>
      received.filter(({ envelope }) => key === undefined || envelope.key === key).map((d) => numberOf(d.envelope)),
  }
}

/** The bus rules of SPEC.md. Each adapter calls this with its own harness. */
export const busContract = (name: string, makeHarness: () => Promise<BusHarness>): void => {
  describe(`bus: ${name}`, { timeout: 30_000 }, () => {
    let harness: BusHarness
    let bus: Bus
    const opened: Subscription[] = []

    beforeEach(async () => {
      harness = await makeHarness()
      bus = await harness.open()
    })
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((subscription) => subscription.stop()))
      await harness.dispose()
    })

    const consume = async (consumer: Consumer, on = bus): Promise<Subscription> => {
      const subscription = await on.consume(consumer)
      opened.push(subscription)
      return subscription
    }
    const produceEach = async (numbers: readonly number[], key?: string) => {
      for (const n of numbers) await harness.produce([message(n, key)])
    }

    it('BUS-1 delivers earlier and later messages, complete and well-formed', async () => {
      await harness.produce([message(1, 'x')])
      const seen = recorder()
      await consume(seen.consumer)
      await until(() => expect(seen.numbers()).toEqual([1]))
      await harness.produce([message(2, 'y')])
      await until(() => expect(seen.numbers()).toEqual([1, 2]))
      for (const { envelope } of seen.received) expect(envelopeSchema.parse(envelope)).toEqual(envelope)
      expect(seen.received.map(({ envelope }) => envelope)).toMatchObject([
        { topic: 'notifications', key: 'x', type: 'Counted', data: { n: 1 } },
        { topic: 'notifications', key: 'y', type: 'Counted', data: { n: 2 } },
      ])
    })

    it('BUS-2 keeps the order of each key, with positions that rise as text', async () => {
      const keys = Array.from({ length: 8 }, (_, i) => bucketKey(`user-${i}`))
      const numbers = Array.from({ length: 40 }, (_, i) => i)
      const seen = recorder()
      await consume(seen.consumer)
      for (const n of numbers) await harness.produce(keys.map((key) => message(n, key)))
      await until(() => expect(seen.received.length).toBeGreaterThanOrEqual(keys.length * numbers.length))
      for (const key of new Set(keys)) {
        const copies = keys.filter((other) => other === key).length
        expect(seen.numbers(key)).toEqual(numbers.flatMap((n) => Array.from({ length: copies }, () => n)))
        const positions = seen.received.filter((d) => d.envelope.key === key).map((d) => d.envelope.position)
        expect(positions).toEqual([...new Set(positions)].toSorted())
      }
    })

    it('BUS-3 delivers all messages of one event, each with its own, stable id and position', async () => {
      await harness.produce([message(1), message(2), message(3)])
      const [first, second] = [recorder({ group: 'first' }), recorder({ group: 'second' })]
      await consume(first.consumer)
      await consume(second.consumer)
      await until(() => expect([first.numbers(), second.numbers()]).toEqual([[1, 2, 3], [1, 2, 3]])) // prettier-ignore
      const envelopes = first.received.map((d) => d.envelope)
      expect(new Set(envelopes.map((e) => e.id)).size).toBe(3)
      expect(second.received.map((d) => d.envelope)).toEqual(envelopes)
    })

    it("BUS-4 delivers only messages of the consumer's topics", async () => {
      const auth = recorder({ group: 'auth', topics: ['auth'] })
      const both = recorder({ group: 'both', topics: ['auth', 'notifications'] })
      await consume(auth.consumer)
      await consume(both.consumer)
      await harness.produce([message(1, 'k', 'auth'), message(2, 'k', 'catalog'), message(3, 'k', 'notifications')])
      await harness.produce([message(4, 'k', 'auth')])
      await until(() => expect(auth.numbers()).toEqual([1, 4]))
      await until(() => expect(both.numbers().toSorted()).toEqual([1, 3, 4]))
    })

    it('BUS-5 starts after the given cursors, and at the beginning without cursors', async () => {
      await produceEach([1, 2, 3])
      const seen = recorder()
      const subscription = await consume(seen.consumer)
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3]))
      await subscription.stop()
      await produceEach([4, 5])
      await consume(seen.consumer)
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3, 4, 5]))
      const another = recorder({ group: 'another' })
      await consume(another.consumer)
      await until(() => expect(another.numbers()).toEqual([1, 2, 3, 4, 5]))
    })

    it('BUS-6 restarting at the cursor of any delivery skips nothing that followed it', async () => {
      await harness.produce([message(1), message(2), message(3)])
      await harness.produce([message(4, 'k', 'auth')])
      await harness.produce([message(5), message(6)])
      const seen = recorder()
      const subscription = await consume(seen.consumer)
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3, 5, 6]))
      await subscription.stop()
      for (const [index, delivery] of seen.received.entries()) {
        const again = recorder({ loadCursors: async () => ({ [delivery.busPartition]: delivery.cursor }) })
        const following = await consume(again.consumer)
        const rest = [1, 2, 3, 5, 6].slice(index + 1)
        await until(() => expect(again.numbers()).toEqual(expect.arrayContaining(rest)))
        await following.stop()
      }
    })

    it("BUS-7 with startAt 'now', delivers messages produced after consume was called, and still uses cursors", async () => {
      await produceEach([1, 2])
      const seen = recorder({ startAt: 'now' })
      const subscription = await consume(seen.consumer)
      await produceEach([3])
      await until(() => expect(seen.numbers()).toEqual([3]))
      await subscription.stop()
      await produceEach([4])
      await consume(seen.consumer)
      await until(() => expect(seen.numbers()).toEqual([3, 4]))
    })

    it('BUS-8 redelivers a rejected batch until it is accepted, without skipping or reordering messages', async () => {
      let rejections = 3
      const attempts: number[] = []
      const seen = recorder()
      await consume({
        ...seen.consumer,
        async handle(deliveries) {
          attempts.push(...deliveries.map((d) => numberOf(d.envelope)))
          if (deliveries.some((d) => numberOf(d.envelope) === 2) && rejections-- > 0) throw new Error('not now')
          await seen.consumer.handle(deliveries)
        },
        maxBatch: 1,
      })
      await produceEach([1, 2, 3])
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3]))
      expect(attempts.filter((n) => n === 2).length).toBeGreaterThan(3)
      expect(attempts.filter((n, index) => n !== attempts[index - 1])).toEqual([1, 2, 3])
    })

    it('BUS-9 calls handle once at a time per partition, with at most maxBatch messages', async () => {
      const keys = Array.from({ length: 5 }, (_, i) => `k${i}`)
      await produceEach(Array.from({ length: 20 }, (_, i) => i))
      await harness.produce(keys.map((key, i) => message(i, key)))
      const busy = new Set<string>()
      const overlaps: string[] = []
      const sizes: number[] = []
      const seen = recorder({ maxBatch: 3 })
      await consume({
        ...seen.consumer,
        async handle(deliveries) {
          sizes.push(deliveries.length)
          const partitions = new Set(deliveries.map((d) => d.busPartition))
          for (const partition of partitions) {
            if (busy.has(partition)) overlaps.push(partition)
            busy.add(partition)
          }
          await new Promise((resolve) => setImmediate(resolve))
          await seen.consumer.handle(deliveries)
          for (const partition of partitions) busy.delete(partition)
        },
      })
      await until(() => expect(seen.received).toHaveLength(25))
      expect(overlaps).toEqual([])
      expect(Math.max(...sizes)).toBeLessThanOrEqual(3)
    })

    it('BUS-10 a consumer that hangs or fails does not delay other groups', async () => {
      let release = () => {}
      const blocked = new Promise<void>((resolve) => (release = resolve))
      await consume(recorder({ group: 'hangs', handle: () => blocked }).consumer)
      await consume(recorder({ group: 'fails', handle: () => Promise.reject(new Error('always')) }).consumer)
      const seen = recorder({ group: 'well' })
      await consume(seen.consumer)
      await produceEach([1, 2, 3])
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3]))
      release()
    })

    it('BUS-11 stop waits for the in-flight batch, and nothing is delivered afterwards', async () => {
      let release = () => {}
      const blocked = new Promise<void>((resolve) => (release = resolve))
      const calls: number[][] = []
      let isDone = false
      const subscription = await consume({
        ...recorder().consumer,
        maxBatch: 1,
        async handle(deliveries) {
          calls.push(deliveries.map((d) => numberOf(d.envelope)))
          await blocked
          isDone = true
        },
      })
      await produceEach([1, 2])
      await until(() => expect(calls).toEqual([[1]]))
      const stopping = subscription.stop().then(() => expect(isDone).toBe(true))
      release()
      await stopping
      await harness.produce([message(3)])
      expect(calls).toEqual([[1]])
      await subscription.stop()
    })

    it('BUS-12 delivers each message to one member of a group, and another member takes over', async () => {
      const seen = recorder()
      const first = await consume(seen.consumer)
      await consume(seen.consumer)
      await produceEach([1, 2, 3])
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3]))
      await first.stop()
      await produceEach([4])
      await until(() => expect(seen.numbers()).toEqual([1, 2, 3, 4]))
    })

    it('BUS-13 reports that it has caught up on an empty bus, and again after later messages', async () => {
      const order: (number | 'caught-up')[] = []
      const seen = recorder()
      await consume({
        ...seen.consumer,
        handle: async (deliveries) => void order.push(...deliveries.map((d) => numberOf(d.envelope))),
        onCaughtUp: () => void order.push('caught-up'),
      })
      await until(() => expect(order).toContain('caught-up'))
      await produceEach([1, 2, 3])
      await until(() => expect(order.filter((entry) => entry !== 'caught-up')).toEqual([1, 2, 3]))
      await until(() => expect(order.at(-1)).toBe('caught-up'))
    })

    it('BUS-14 cursors of a catch-up may pass messages of other topics, and skip nothing', async () => {
      let latest: Readonly<Record<string, Cursor>> = {}
      const seen = recorder({ onCaughtUp: (cursors) => (latest = cursors) })
      const subscription = await consume(seen.consumer)
      await produceEach([1])
      await harness.produce([message(2, 'k', 'auth')])
      await until(() => expect(seen.numbers()).toEqual([1]))
      await until(() => expect(Object.keys(latest).length).toBeGreaterThan(0))
      await subscription.stop()
      await produceEach([3])
      const again = recorder({ loadCursors: async () => latest })
      await consume(again.consumer)
      await until(() => expect(again.numbers().at(-1)).toBe(3))
    })

    it('BUS-15 delivers the same messages to another process', async () => {
      await produceEach([1, 2])
      const other = await harness.open()
      const [here, there] = [recorder({ group: 'here' }), recorder({ group: 'there' })]
      await consume(here.consumer)
      await consume(there.consumer, other)
      await produceEach([3])
      await until(() => expect(here.numbers()).toEqual([1, 2, 3]))
      await until(() => expect(there.received.map((d) => d.envelope)).toEqual(here.received.map((d) => d.envelope)))
    })

    it('BUS-16 retries loading the cursors', async () => {
      let failures = 2
      const seen = recorder()
      await consume({
        ...seen.consumer,
        loadCursors: async () => {
          if (failures-- > 0) throw new Error('not now')
          return {}
        },
      })
      await produceEach([1])
      await until(() => expect(seen.numbers()).toEqual([1]))
    })

    it('BUS-17 check resolves while all consumers work, and rejects while one keeps failing', async () => {
      let isWell = false
      await bus.check()
      const seen = recorder()
      await consume({
        ...seen.consumer,
        handle: async (deliveries) => {
          if (!isWell) throw new Error('disk full')
          await seen.consumer.handle(deliveries)
        },
      })
      await produceEach([1])
      await until(() => expect(bus.check()).rejects.toThrow('group'))
      isWell = true
      await until(() => expect(bus.check()).resolves.toBeUndefined())
      expect(seen.numbers()).toEqual([1])
    })

    it("BUS-19 reports where a consumer with startAt 'now' started, and whether another has passed that", async () => {
      await produceEach([1, 2])
      const { startedAt } = await consume(recorder({ group: 'now', startAt: 'now' }).consumer)
      const other = recorder({ group: 'other', maxBatch: 1 })
      expect(bus.hasReached(other.cursors, startedAt)).toBe(false)
      let before: readonly number[] = []
      await consume({
        ...other.consumer,
        async handle(deliveries) {
          if (!bus.hasReached(other.cursors, startedAt)) before = other.numbers()
          await other.consumer.handle(deliveries)
        },
      })
      await until(() => expect(bus.hasReached(other.cursors, startedAt)).toBe(true))
      expect([before, other.numbers()]).toEqual([[1], [1, 2]])
    })

    it('BUS-18 close stops the consumers, later calls reject, and closing twice is allowed', async () => {
      const seen = recorder()
      await consume(seen.consumer)
      await produceEach([1])
      await until(() => expect(seen.numbers()).toEqual([1]))
      await bus.close()
      await bus.close()
      await harness.produce([message(2)])
      expect(seen.numbers()).toEqual([1])
      await expect(bus.consume(seen.consumer)).rejects.toThrow('closed')
      await expect(bus.check()).rejects.toThrow('closed')
    })
  })
}
