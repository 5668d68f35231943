import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcessBus } from '../bus/in-process.ts'
import { parseLogCursors, positionOf } from '../bus/log-cursor.ts'
import type { Bus } from '../bus/port.ts'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { waitForProjection } from '../projection/wait-for-projection.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import type { Projection } from '../projection/projection.ts'
import { listDeadLetters } from '@portal/platform/testing/projection/list-dead-letters'
import { retryDeadLetters } from '../projection/retry-dead-letters.ts'
import { projectionGroup, type RunningProjection, runProjection } from './run-projection.ts'
import { numbersOf, tally, tallyOf } from '@portal/platform/testing/projection/tally'
import { notePublisher } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const keys = ['a0', 'a1', 'b0', 'b1', 'c0', 'c1']

describe('a running projection', { timeout: 30_000 }, () => {
  let folder: string
  let eventStore: EventStore
  let readModel: ReadModel
  let bus: Bus
  const running: RunningProjection[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'projection-'))
    eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
    readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    bus = await openInProcessBus({ eventStore, publishers: [notePublisher], logger })
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()))
    await bus.close()
    await readModel.close()
    await eventStore.close()
    await rm(folder, { recursive: true })
  })

  const note = async (key: string, n: number, type = 'Noted') => {
    const appended = await eventStore.append('note-1', 'any', [{ id: randomUUID(), type, data: { key, n } }])
    if (appended.kind === 'conflict') throw new Error('Nothing to conflict with')
    return appended.position
  }
  const run = async (projection: Projection, into = readModel, onApplied?: (p: string, e: Envelope) => void) => {
    const started = await runProjection({ projection, bus, readModel: into, logger, ...(onApplied && { onApplied }) })
    running.push(started)
    return started
  }
  const untilCounted = (projection: RunningProjection, counts: Partial<ReturnType<RunningProjection['counts']>>) =>
    until(() => expect(projection.counts()).toMatchObject(counts))
  const retry = (projection: Projection, limit = 100) => retryDeadLetters({ projection, readModel, logger, limit })

  it('PJ-1 applies existing and new messages once each, and skips messages without a partition', async () => {
    await note('a', 1)
    await note('a', 100, 'Ignored')
    const applied: string[] = []
    const projection = await run(tally(), readModel, (partition, { position }) =>
      applied.push(`${partition} ${position}`),
    )
    await projection.caughtUp
    expect(await numbersOf(readModel, 'a')).toEqual([1])
    const position = await note('a', 2)
    await untilCounted(projection, { applied: 2, known: 0, deadLettered: 0 })
    expect(await numbersOf(readModel, 'a')).toEqual([1, 2])
    expect(applied).toHaveLength(2)
    expect(applied[1]).toBe(`a ${position}:00`)
  })

  it('PJ-27 stops before a message of a type that only a newer release knows, without dead-lettering it', async () => {
    const older: Projection = {
      ...tally(),
      apply: (envelope, view) => {
        if (envelope.type === 'NotedTwice') throw new UnknownEventTypeError(envelope.type)
        return tally().apply(envelope, view)
      },
    }
    await note('a', 1)
    await note('a', 2, 'NotedTwice')
    const projection = await run(older)
    await expect(projection.caughtUp).rejects.toThrow('Event type NotedTwice of topic notifications')
    await expect(bus.check()).rejects.toThrow('is unknown to this release')
    expect(projection.counts()).toEqual({ applied: 1, known: 0, deadLettered: 0 })
    await projection.stop()
    const newer = await run(tally())
    await newer.caughtUp
    expect(await numbersOf(readModel, 'a')).toEqual([1, 2])
  })

  it('PJ-3 continues from the cursors that it saved on stop', async () => {
    const first = await run(tally())
    await note('a', 1)
    await untilCounted(first, { applied: 1 })
    await first.stop()
    await note('a', 2)
    const second = await run(tally())
    await second.caughtUp
    expect(second.counts()).toEqual({ applied: 1, known: 0, deadLettered: 0 })
    expect(await numbersOf(readModel, 'a')).toEqual([1, 2])
  })

  it('PJ-3 saves its cursors while it runs, also past messages that it skips', async () => {
    const position = await note('a', 1)
    const projection = await run(tally())
    await projection.caughtUp
    const saved = async () =>
      positionOf(parseLogCursors(await readModel.loadCursors(projectionGroup({ name: 'tally' }))))
    await until(async () => expect(await saved()).toBe(position))
    const later = await note('a', 2, 'Ignored')
    await until(async () => expect(await saved()).toBe(later))
  })

  it('PJ-4 dead-letters a message that cannot be applied and later ones of its key, and applies other keys', async () => {
    const projection = await run(tally((n) => n === 13))
    await note('aa', 1)
    await note('aa', 13)
    await note('ab', 2)
    await note('aa', 3)
    await untilCounted(projection, { applied: 2, known: 0, deadLettered: 2 })
    expect([await numbersOf(readModel, 'aa'), await numbersOf(readModel, 'ab')]).toEqual([[1], [2]])
    const letters = await listDeadLetters(readModel, 'tally', 10)
    expect(letters.map(({ partition, reason, envelope }) => [partition, reason, envelope.data])).toEqual([
      ['a', 'Error: cannot take 13', { key: 'aa', n: 13 }],
      ['a', 'Behind a parked message of its key', { key: 'aa', n: 3 }],
    ])
    expect(await listDeadLetters(readModel, 'tally', 1)).toHaveLength(1)
  })

  it('PJ-4 dead-letters a message whose writes the read model rejects', async () => {
    const fractional: Projection = {
      ...tally(),
      apply: async ({ id }) => [{ op: 'add', list: 'numbers:a', member: id, score: 0.5, value: null }],
    }
    const projection = await run(fractional)
    await note('a', 1)
    await untilCounted(projection, { deadLettered: 1 })
    expect((await listDeadLetters(readModel, 'tally', 10))[0]?.reason).toContain('InvalidCommit')
  })

  it('PJ-4 keeps dead-lettering a key after a restart', async () => {
    const first = await run(tally((n) => n === 13))
    await note('aa', 13)
    await untilCounted(first, { deadLettered: 1 })
    await first.stop()
    const second = await run(tally())
    await note('aa', 1)
    await untilCounted(second, { deadLettered: 1 })
    expect(await numbersOf(readModel, 'aa')).toEqual([])
  })

  it('PJ-5 does not dead-letter a message that a retry applies', async () => {
    let failures = 2
    const projection = await run(tally(() => failures-- > 0))
    await note('a', 1)
    await untilCounted(projection, { applied: 1, deadLettered: 0 })
    expect(await numbersOf(readModel, 'a')).toEqual([1])
  })

  it('PJ-5 dead-letters nothing while the read model fails: the messages come again', async () => {
    let failures = 5
    const flaky: ReadModel = {
      ...readModel,
      get: async (ref) => {
        if (ref.collection === 'head' && failures-- > 0) throw new Error('disk on fire')
        return readModel.get(ref)
      },
    }
    const projection = await run(tally(), flaky)
    await note('a', 1)
    await note('a', 2)
    await untilCounted(projection, { applied: 2, deadLettered: 0 })
    expect(await numbersOf(readModel, 'a')).toEqual([1, 2])
  })

  it('PJ-6 retries dead letters in order, while it runs', async () => {
    let isMended = false
    const projection = tally((n) => n === 13 && !isMended)
    const runner = await run(projection)
    await note('aa', 13)
    await note('aa', 1)
    await untilCounted(runner, { deadLettered: 2 })

    expect(await retry(projection)).toMatchObject({ applied: 0, failed: [{ reason: 'Error: cannot take 13' }] })
    expect(await listDeadLetters(readModel, 'tally', 10)).toHaveLength(2)

    isMended = true
    expect(await retry(projection, 1)).toEqual({ applied: 1, failed: [] })
    expect(await numbersOf(readModel, 'aa')).toEqual([13])
    await note('aa', 2)
    await untilCounted(runner, { deadLettered: 3 })

    expect(await retry(projection)).toEqual({ applied: 2, failed: [] })
    await note('aa', 3)
    await untilCounted(runner, { applied: 1 })
    expect(await numbersOf(readModel, 'aa')).toEqual([13, 1, 2, 3])
    expect(await listDeadLetters(readModel, 'tally', 10)).toEqual([])
  })

  it('PJ-8 has the same result as a rebuild into another namespace beside it', async () => {
    const original = await run(tally())
    for (let n = 0; n < 60; n++) await note(keys[n % keys.length] ?? '', n)
    await untilCounted(original, { applied: 60 })
    const rebuilt = openSqliteReadModel({ path: folder, namespace: 'rebuilt' })
    const rebuild = await runProjection({ projection: tally(), bus, readModel: rebuilt, logger, group: 'rebuild' })
    await rebuild.caughtUp
    expect(rebuild.counts()).toEqual({ applied: 60, known: 0, deadLettered: 0 })
    expect(await tallyOf(rebuilt, keys)).toEqual(await tallyOf(readModel, keys))
    for (const partition of ['a', 'b', 'c'])
      expect(await rebuilt.position('tally', partition)).toBe(await readModel.position('tally', partition))
    await rebuild.stop()
    // Its positions are stored under the projection's own name, for later runs.
    expect(Object.keys(await rebuilt.loadCursors(projectionGroup({ name: 'tally' })))).toHaveLength(1)
    await rebuilt.close()
  })

  it('PJ-9 lets a request wait for its own change, up to its timeout', async () => {
    const waitFor = (of: Pick<ReadModel, 'whenApplied'>, eventPosition: Position, timeoutMs = 2_000) =>
      waitForProjection(of, { projection: tally(), partition: 'a', eventPosition, timeoutMs })
    const early = await note('a', 1)
    expect(await waitFor(readModel, early, 20)).toBe(false)
    const away = { whenApplied: () => Promise.reject(new ReadModelUnavailableError('Redis is away')) }
    expect(await waitFor(away, early)).toBe(false)
    await run(tally())
    expect(await waitFor(readModel, early)).toBe(true)
    const position = await note('a', 2)
    expect(await waitFor(readModel, position)).toBe(true)
    expect(await numbersOf(readModel, 'a')).toEqual([1, 2])
  })
})
