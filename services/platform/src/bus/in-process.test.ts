import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { busContract } from './contract.ts'
import { openInProcessBus } from './in-process.ts'
import type { Bus, Delivery } from './port.ts'
import type { Publisher } from './publisher.ts'

const messagesSchema = z.object({
  messages: z.array(
    z.object({
      topic: z.enum(['auth', 'catalog', 'notifications']),
      key: z.string(),
      type: z.string(),
      data: z.object({ n: z.number() }),
    }),
  ),
})
const publisher: Publisher = {
  category: 'test',
  publish: ({ data }) => messagesSchema.parse(data).messages,
}
const logger = pino({ level: 'silent' })

const tempStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const append = (stream: string, data: object) =>
    eventStore.append(stream, 'any', [{ id: randomUUID(), type: 'Tested', data }])
  const dispose = async () => {
    await eventStore.close()
    await rm(folder, { recursive: true })
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
      const bus = await openInProcessBus({ eventStore, publishers: [publisher], logger })
      buses.push(bus)
      return bus
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()))
      await dispose()
    },
  }
})

describe('the bus within one process', { timeout: 30_000 }, () => {
  const note = (n: number) => ({ messages: [{ topic: 'notifications', key: 'k', type: 'Counted', data: { n } }] })

  it('BUS-30 translates a recent event once, however many consumers follow', async () => {
    const { eventStore, append, dispose } = await tempStore()
    const translated: string[] = []
    const counting: Publisher = {
      category: 'test',
      publish(recorded) {
        translated.push(recorded.id)
        return publisher.publish(recorded)
      },
    }
    const bus = await openInProcessBus({ eventStore, publishers: [counting], logger })
    let handled = 0
    for (const group of ['a', 'b', 'c']) {
      const handle = async (deliveries: readonly Delivery[]) => void (handled += deliveries.length)
      await bus.consume({ group, topics: ['notifications'], loadCursors: async () => ({}), handle })
    }
    for (let n = 0; n < 20; n++) await append('test-1', note(n))
    await vi.waitFor(() => expect(handled).toBe(60))
    expect(translated).toHaveLength(20)
    await bus.close()
    await dispose()
  })

  it('BUS-31 an event that no publisher understands stops the consumers before it, loudly, until one does', async () => {
    const { eventStore, append, dispose } = await tempStore()
    let isUnderstood = false
    const picky: Publisher = {
      category: 'test',
      publish(recorded) {
        if (recorded.stream === 'test-new' && !isUnderstood) throw new Error('unknown event')
        return publisher.publish(recorded)
      },
    }
    const bus = await openInProcessBus({ eventStore, publishers: [picky], logger })
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
    await vi.waitFor(() => expect(bus.check()).rejects.toThrow('stands still'), { timeout: 10_000 })
    expect(seen).toEqual([{ n: 1 }])
    isUnderstood = true
    await vi.waitFor(() => expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]), { timeout: 10_000 })
    await expect(bus.check()).resolves.toBeUndefined()
    await bus.close()
    await dispose()
  })

  it('BUS-32 gives the event loop turns while a consumer works through a long log', async () => {
    const { eventStore, append, dispose } = await tempStore()
    for (let n = 0; n < 30; n++) await append('test-1', note(n))
    const bus = await openInProcessBus({ eventStore, publishers: [publisher], logger })
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
