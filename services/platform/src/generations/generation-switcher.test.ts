import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { openInProcessBus } from '../bus/in-process.ts'
import { parseLogCursors, positionOf } from '../bus/log-cursor.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { ReadModelEmptiedError } from '../read-model/errors.ts'
import { changeGenerations, loadGenerations } from './generations.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import { openReadModels } from './read-models.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { listDeadLetters } from '@portal/platform/testing/projection/list-dead-letters'
import { retryDeadLetters } from '../projection/retry-dead-letters.ts'
import { projectionGroup, runProjection } from './run-projection.ts'
import { tally, tallyOf } from '@portal/platform/testing/projection/tally'
import { notePublisher } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

const keys = ['a0', 'a1', 'b0']

/** Like an emptied engine: known data is gone, and earlier connections reject writes. */
const emptiable = (readModel: ReadModel, isEmptied: () => boolean): ReadModel => {
  const unlessEmptied = <T>(call: () => Promise<T>): Promise<T> =>
    isEmptied() ? Promise.reject(new ReadModelEmptiedError('tally-main', 'a test did it')) : call()
  return {
    ...readModel,
    commit: (commit) => unlessEmptied(() => readModel.commit(commit)),
    commitAll: (commits) => unlessEmptied(() => readModel.commitAll(commits)),
    check: () => unlessEmptied(() => readModel.check()),
    positions: async (projection) => (isEmptied() ? {} : readModel.positions(projection)),
  }
}

describe('a running projection and the generations of its read model', { timeout: 60_000 }, () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
  })

  const start = async (projection = tally()) => {
    const folder = await mkdtemp(join(tmpdir(), 'generations-'))
    const errors: string[] = []
    const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
    const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
    const bus = await openInProcessBus({ eventStore, publishers: [notePublisher], logger })
    const emptied = new Set<string>()
    const open = async (namespace: string) =>
      emptiable(openSqliteReadModel({ path: folder, namespace }), () => emptied.has(namespace))
    const readModels = await openReadModels({ projections: ['tally'], open, logger })
    const serving = readModels.of(projection)
    const running = await runProjection({ projection, bus, readModel: serving, logger })
    cleanUps.push(async () => {
      await running.stop()
      await bus.close()
      await readModels.close()
      await eventStore.close()
      await rm(folder, { recursive: true })
    })

    const note = async (key: string, n: number) => {
      const appended = await eventStore.append('note-1', 'any', [{ id: randomUUID(), type: 'Noted', data: { key, n } }])
      if (appended.kind === 'conflict') throw new Error('Nothing to conflict with')
      return `${appended.position}:00`
    }
    const untilApplied = async (key: string, position: string) => {
      const isApplied = await serving.whenApplied('tally', key.slice(0, 1), position, 20_000)
      if (!isApplied) throw new Error(`${position} has not been applied`)
    }

    return {
      projection,
      readModels,
      serving,
      running,
      logger,
      note,
      untilApplied,
      errors,
      emptied,
      open,
      noteApplied: async (key: string, n: number) => untilApplied(key, await note(key, n)),
      /** Builds the log so far into another namespace, with the cursors that a runner would save. */
      build: async (namespace: string) => {
        const readModel = await open(namespace)
        const builder = await runProjection({ projection, bus, readModel, logger, group: randomUUID() })
        await builder.caughtUp
        await builder.stop()
        await readModel.close()
      },
      pointTo: async (generation: string) => {
        const known = await loadGenerations(readModels.control)
        await changeGenerations(readModels.control, known, { serving: { tally: { generation } } })
      },
      untilServed: (generation: string) => until(() => expect(serving.current().name).toBe(generation)),
      expectOneCleanPass: async () => {
        const clean = openSqliteReadModel({ path: ':memory:', namespace: 'clean' })
        const pass = await runProjection({ projection, bus, readModel: clean, logger, group: randomUUID() })
        await pass.caughtUp
        await pass.stop()
        await until(async () => {
          expect(await tallyOf(serving, keys)).toEqual(await tallyOf(clean, keys))
          expect(await serving.positions('tally')).toEqual(await clean.positions('tally'))
        })
        await clean.close()
      },
    }
  }

  it('PJ-12 waits in a fenced generation, and continues in the next one without applying a message twice', async () => {
    const tallied = await start()
    await tallied.noteApplied('a0', 1)
    await tallied.readModels.of(tallied.projection).current().readModel.fence()
    // The lock says that a run owns the fence.
    const known = await loadGenerations(tallied.readModels.control)
    const claim = { by: 'a test', renewals: 0, sealing: ['tally'] }
    await changeGenerations(tallied.readModels.control, known, { claim })
    const waiting = await tallied.note('a0', 2)
    await tallied.build('tally-next')
    await tallied.pointTo('tally-next')
    await tallied.untilServed('tally-next')
    await tallied.untilApplied('a0', waiting)
    await tallied.noteApplied('b0', 3)
    await tallied.expectOneCleanPass()
    expect(tallied.running.counts()).toEqual({ applied: 2, known: 1, deadLettered: 0 })
    expect(tallied.errors).toEqual([])
  })

  it('PJ-24 is caught up only in the generation where it has caught up, also if the next one is built from the start', async () => {
    const tallied = await start()
    for (let n = 1; n <= 200; n++) await tallied.note('a0', n)
    await tallied.noteApplied('b0', 1)
    await tallied.running.caughtUp
    expect(tallied.running.isCaughtUp()).toBe(true)
    const complete = await tallyOf(tallied.serving, keys)
    let wasCaughtUpAtSwitch = true
    tallied.serving.onSwitch(() => (wasCaughtUpAtSwitch = tallied.running.isCaughtUp()))
    await tallied.pointTo('tally-empty')
    await tallied.untilServed('tally-empty')
    expect(wasCaughtUpAtSwitch).toBe(false)
    await until(() => expect(tallied.running.isCaughtUp()).toBe(true))
    expect(await tallyOf(tallied.serving, keys)).toEqual(complete)
  })

  it('PJ-12 saves its cursors in the generation that they belong to', async () => {
    const tallied = await start()
    await tallied.noteApplied('a0', 1)
    await tallied.build('tally-next')
    const reached = async (readModel: Checkpoints) =>
      positionOf(parseLogCursors(await readModel.loadCursors(projectionGroup({ name: 'tally' }))))
    await tallied.pointTo('tally-next')
    await tallied.untilServed('tally-next')
    const position = await tallied.note('a0', 2)
    const [inLog] = position.split(':')
    await until(async () => expect(await reached(tallied.serving)).toBe(inLog))
    const left = await tallied.open('tally-main')
    expect(await reached(left)).not.toBe(inLog)
    await left.close()
  })

  it("PJ-13 consumes the messages that the next generation lacks, from that generation's cursors", async () => {
    const tallied = await start()
    for (let n = 0; n < 5; n++) await tallied.note('a0', n)
    await tallied.build('tally-next')
    // Not fenced: the previous generation gets further than the next one.
    for (let n = 5; n < 9; n++) await tallied.noteApplied('b0', n)
    await tallied.pointTo('tally-next')
    await tallied.untilServed('tally-next')
    await tallied.expectOneCleanPass()
    expect(tallied.running.counts()).toMatchObject({ applied: 13 })
    await tallied.pointTo('tally-empty')
    await tallied.untilServed('tally-empty')
    await tallied.expectOneCleanPass()
    expect(tallied.running.counts()).toMatchObject({ applied: 22 })
  })

  it('PJ-14 lifts a fence without a replay lock', async () => {
    const tallied = await start()
    await tallied.noteApplied('a0', 1)
    await tallied.serving.current().readModel.fence()
    await tallied.noteApplied('a0', 2)
    expect(tallied.serving.current().name).toBe('tally-main')
  })

  it('PJ-15 is halted after the read model is emptied, logs it once, and continues after a replay', async () => {
    const tallied = await start()
    for (let n = 0; n < 5; n++) await tallied.noteApplied('a0', n)
    await expect(tallied.readModels.check()).resolves.toBeUndefined()
    tallied.emptied.add('tally-main')
    for (let n = 5; n < 9; n++) await tallied.note('a0', n)
    await until(() => expect(tallied.errors).toHaveLength(1))
    await expect(tallied.readModels.check()).rejects.toThrow('the read models have been emptied: run make replay')
    await tallied.build('tally-next')
    await tallied.pointTo('tally-next')
    await tallied.untilServed('tally-next')
    await tallied.noteApplied('a0', 10)
    await tallied.expectOneCleanPass()
    await expect(tallied.readModels.check()).resolves.toBeUndefined()
    expect(tallied.errors).toHaveLength(1)
  })

  it('PJ-6 retries dead letters in the active generation', async () => {
    let isMended = false
    const tallied = await start(tally((n) => n === 13 && !isMended))
    await tallied.noteApplied('a0', 13)
    await tallied.build('tally-next')
    await tallied.pointTo('tally-next')
    await tallied.untilServed('tally-next')
    await tallied.noteApplied('a0', 2)
    expect(await listDeadLetters(tallied.serving, 'tally', 10)).toHaveLength(2)
    isMended = true
    const { projection, logger, serving } = tallied
    const report = await retryDeadLetters({ projection, readModel: serving, logger, limit: 10 })
    expect(report).toEqual({ applied: 2, failed: [] })
    await tallied.noteApplied('a0', 3)
    // Except for the positions, which show the retry.
    const numbers = await serving.range('a', 'numbers:a0', { order: 'ascending', limit: 10 })
    expect(numbers.map(({ value }) => value)).toEqual([13, 2, 3])
    expect(await serving.get({ partition: 'a', collection: 'parking', key: 'tally' })).toBeUndefined()
  })

  it('PJ-13 ends like one clean pass after any switches during delivery, fenced or not', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('note'), key: fc.constantFrom(...keys) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('build') }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch'), fences: fc.boolean(), to: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('breathe') }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const tallied = await start()
        const built = ['tally-main']
        for (const [index, each] of steps.entries()) {
          if (each.kind === 'note' && 'key' in each) await tallied.note(each.key, index)
          if (each.kind === 'build') {
            await tallied.build(`tally-${index}`)
            built.push(`tally-${index}`)
          }
          if (each.kind === 'switch' && 'to' in each) {
            const to = built.at(-1 - each.to) ?? 'tally-main'
            if (each.fences) await tallied.serving.current().readModel.fence()
            await tallied.pointTo(to)
            await tallied.untilServed(to)
            await tallied.serving.current().readModel.unfence()
          }
          if (each.kind === 'breathe') await new Promise((resolve) => setImmediate(resolve))
        }
        await tallied.noteApplied('a0', 1_000)
        await tallied.expectOneCleanPass()
        expect(tallied.errors).toEqual([])
      }),
      { numRuns: 12 },
    )
  })
})
