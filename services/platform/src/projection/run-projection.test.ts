import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openInProcessBus } from '../bus/in-process.ts'
import type { Bus } from '../bus/port.ts'
import type { EventStore } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { afterProjected } from './after-projection.ts'
import type { Projection } from './projection.ts'
import { listParked, retryParked } from './retry-parked.ts'
import { type RunningProjection, runProjection } from './run-projection.ts'

const logger = pino({ level: 'silent' })
const noteSchema = z.object({ key: z.string(), n: z.number() })
const headSchema = z.object({ count: z.number(), sum: z.number() })

/** Counts and lists the numbers of each key; one partition for all keys that share the first letter. */
const tally = (isPoison: (n: number) => boolean = () => false): Projection => ({
  name: 'tally',
  topics: ['notifications'],
  partitionOf: ({ key }) => key.slice(0, 1),
  async apply(envelope, view) {
    const { key, n } = noteSchema.parse(envelope.data)
    if (isPoison(n)) throw new Error(`cannot take ${n}`)
    const partition = key.slice(0, 1)
    const head = headSchema.parse((await view.get({ partition, collection: 'head', key })) ?? { count: 0, sum: 0 })
    const count = head.count + 1
    return [
      { op: 'put', collection: 'head', key, value: { count, sum: head.sum + n } },
      { op: 'add', list: `numbers:${key}`, member: envelope.id, score: count, value: n },
    ]
  },
})

describe('a running projection', () => {
  let folder: string
  let eventStore: EventStore
  let readModel: ReadModel
  let bus: Bus
  const running: RunningProjection[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'projection-'))
    eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
    readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    const publisher = {
      category: 'note',
      publish: ({ data, type }: { data: unknown; type: string }) => {
        const note = noteSchema.parse(data)
        return [{ topic: 'notifications' as const, key: note.key, type, data: note }]
      },
    }
    bus = await openInProcessBus({ eventStore, publishers: [publisher], logger })
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()))
    await bus.close()
    await readModel.close()
    await eventStore.close()
    await rm(folder, { recursive: true })
  })

  const note = async (key: string, n: number) => {
    const appended = await eventStore.append('note-1', 'any', [{ id: randomUUID(), type: 'Noted', data: { key, n } }])
    if (appended.kind === 'conflict') throw new Error('Nothing to conflict with')
    return appended.position
  }
  const run = async (projection: Projection, into = readModel, onApplied?: (p: string, e: Envelope) => void) => {
    const started = await runProjection({ projection, bus, readModel: into, logger, ...(onApplied && { onApplied }) })
    running.push(started)
    return started
  }
  const numbers = async (key: string, from = readModel) =>
    (await from.range(key.slice(0, 1), `numbers:${key}`, { order: 'ascending', limit: 100 })).map((e) => e.value)

  it('applies what was there and what comes, and lets a request wait for its own change', async () => {
    await note('a', 1)
    const applied: string[] = []
    const projection = await run(tally(), readModel, (partition) => applied.push(partition))
    await projection.caughtUp
    expect(await numbers('a')).toEqual([1])
    const position = await note('a', 2)
    expect(await afterProjected(readModel, tally(), 'a', position)).toBe(true)
    expect(await numbers('a')).toEqual([1, 2])
    await vi.waitFor(() => expect(projection.counts()).toEqual({ applied: 2, known: 0, parked: 0 }))
    expect(applied).toEqual(['a', 'a'])
  })

  it('goes on where it was, without applying anything twice', async () => {
    const first = await run(tally())
    const position = await note('a', 1)
    await afterProjected(readModel, tally(), 'a', position)
    await first.stop()
    await note('a', 2)
    const second = await run(tally())
    await second.caughtUp
    expect(await numbers('a')).toEqual([1, 2])
    expect(second.counts()).toEqual({ applied: 1, known: 0, parked: 0 })
  })

  it('parks what cannot be applied with what follows on its key, and lets other keys pass', async () => {
    const projection = await run(tally((n) => n === 13))
    await note('aa', 1)
    await note('aa', 13)
    await note('ab', 2)
    await note('aa', 3)
    await vi.waitFor(() => expect(projection.counts()).toEqual({ applied: 2, known: 0, parked: 2 }))
    expect([await numbers('aa'), await numbers('ab')]).toEqual([[1], [2]])
    const parked = await listParked(readModel, 'tally', 10)
    expect(parked.map(({ partition, reason, envelope }) => [partition, reason, envelope.data])).toEqual([
      ['a', 'Error: cannot take 13', { key: 'aa', n: 13 }],
      ['a', 'Behind a parked message of its key', { key: 'aa', n: 3 }],
    ])
  })

  it('takes parked messages up again in order, while it runs', async () => {
    let isMended = false
    const projection = tally((n) => n === 13 && !isMended)
    const runner = await run(projection)
    await note('aa', 13)
    await note('aa', 1)
    await vi.waitFor(() => expect(runner.counts().parked).toBe(2))

    const early = await retryParked({ projection, readModel, logger, limit: 10 })
    expect(early).toMatchObject({ applied: 0, failed: [{ reason: 'Error: cannot take 13' }] })

    isMended = true
    expect(await retryParked({ projection, readModel, logger, limit: 1 })).toEqual({ applied: 1, failed: [] })
    expect(await numbers('aa')).toEqual([13])
    await note('aa', 2)
    await vi.waitFor(() => expect(runner.counts().parked).toBe(3))

    expect(await retryParked({ projection, readModel, logger, limit: 10 })).toEqual({ applied: 2, failed: [] })
    expect(await afterProjected(readModel, projection, 'a', await note('aa', 3))).toBe(true)
    expect(await numbers('aa')).toEqual([13, 1, 2, 3])
    expect(await listParked(readModel, 'tally', 10)).toEqual([])
  })

  it('a read model that fails is nobody’s poison: it waits and goes on', async () => {
    let failures = 5
    const flaky: ReadModel = {
      ...readModel,
      get: async (ref) => {
        if (ref.collection === 'head' && failures-- > 0) throw new Error('disk on fire')
        return readModel.get(ref)
      },
    }
    const projection = await run(tally(), flaky)
    const position = await note('a', 1)
    expect(await afterProjected(readModel, tally(), 'a', position, 20_000)).toBe(true)
    await vi.waitFor(() => expect(projection.counts()).toEqual({ applied: 1, known: 0, parked: 0 }))
    expect(await numbers('a')).toEqual([1])
  })

  it('a rebuild into another namespace, beside the running one, gives the same', async () => {
    const original = await run(tally())
    let last = await note('a0', 0)
    for (let n = 1; n < 60; n++) last = await note(`${'abc'.charAt(n % 3)}${n % 2}`, n)
    await afterProjected(readModel, tally(), 'c', last)
    const rebuilt = openSqliteReadModel({ path: folder, namespace: 'rebuilt' })
    const rebuild = await runProjection({ projection: tally(), bus, readModel: rebuilt, logger, group: 'rebuild' })
    await rebuild.caughtUp
    expect(rebuild.counts()).toEqual(original.counts())
    for (const key of ['a0', 'a1', 'b0', 'b1', 'c0', 'c1']) {
      const head = { partition: key.slice(0, 1), collection: 'head', key }
      expect(await rebuilt.get(head)).toEqual(await readModel.get(head))
      expect(await numbers(key, rebuilt)).toEqual(await numbers(key))
      expect(await rebuilt.position('tally', key.slice(0, 1))).toBe(await readModel.position('tally', key.slice(0, 1)))
    }
    await rebuild.stop()
    await rebuilt.close()
  })
})
