import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcessBus } from '../bus/in-process.ts'
import { messagePosition } from '../bus/relay.ts'
import { DiscontinuityError, createDiscontinuityStore, wholeLog } from '../discontinuity/discontinuity.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { changeGenerations, loadGenerations } from './generations.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openReadModels } from './read-models.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import {
  ReadModelDamagedError,
  ReadModelEmptiedError,
  ReadModelUnavailableError,
  ReadModelWentBackError,
} from '../read-model/errors.ts'
import { clearCursors } from '../projection/checkpoint-saver.ts'
import { reactorGroup, runConsumer } from './run-consumer.ts'
import { projectionGroup, runProjection } from './run-projection.ts'
import { noteSchema, numbersOf, tally } from '@portal/platform/testing/projection/tally'
import { notePublisher } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

/** The projection skips 'Ignored': only its cursor moves. */
type NoteType = 'Noted' | 'Ignored'

/** A process on files that outlive it. */
const startProcess = async (folder: string, damaged: Map<string, () => Error>) => {
  /** Namespaces whose server has come back with older data. */
  const older = new Set<string>()
  let subscribing: Promise<void> = Promise.resolve()
  let beforeOpening: (namespace: string) => Promise<void> = () => Promise.resolve()
  const logged: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const bus = await openInProcessBus({ eventStore, publishers: [notePublisher], logger })
  const open = async (namespace: string): Promise<ReadModel> => {
    await beforeOpening(namespace)
    const readModel = openSqliteReadModel({ path: folder, namespace })
    const failing = () => {
      const error = damaged.get(namespace)
      if (error !== undefined) throw error()
    }
    return {
      ...readModel,
      get: async (ref) => (failing(), readModel.get(ref)),
      range: async (...given) => (failing(), readModel.range(...given)),
      commit: async (commit) => (failing(), readModel.commit(commit)),
      commitAll: async (commits) => (failing(), readModel.commitAll(commits)),
      check: async () => {
        failing()
        if (older.has(namespace)) throw new ReadModelWentBackError(namespace, 'a test did it', true)
        await readModel.check()
      },
      acceptOlder: () => void older.delete(namespace),
    }
  }
  const readModels = await openReadModels({ projections: ['tally'], open, logger, process: 'portal' })
  const { continuity } = readModels
  const serving = readModels.of(tally())
  const running = await runProjection({
    projection: tally(),
    bus: { ...bus, consume: async (consumer) => (await subscribing, bus.consume(consumer)) },
    readModel: serving,
    continuity,
    log: eventStore,
    logger,
  })
  const handled: number[] = []
  const reactor = await runConsumer({
    name: 'reactor',
    topics: ['notifications'],
    bus,
    readModel: readModels.control,
    continuity,
    logger,
    handle: async ({ data }) => void handled.push(noteSchema.parse(data).n),
  })
  return {
    bus,
    readModels,
    continuity,
    serving,
    running,
    handled,
    logged,
    note: async (n: number, type: NoteType = 'Noted') => {
      const appended = await eventStore.append('note-1', 'any', [{ id: randomUUID(), type, data: { key: 'a0', n } }])
      if (appended.kind === 'conflict') throw new Error('Nothing to conflict with')
      return messagePosition(appended.position)
    },
    numbers: () => numbersOf(serving, 'a0'),
    beforeOpening: (work: typeof beforeOpening) => void (beforeOpening = work),
    /** Returns a function that lets the projection subscribe again. */
    goBack: (namespace: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      subscribing = promise
      older.add(namespace)
      return resolve
    },
    async stop() {
      await Promise.all([running.stop(), reactor.stop()])
      await bus.close()
      await readModels.close()
      await eventStore.close()
    },
  }
}
type Process = Awaited<ReturnType<typeof startProcess>>

describe('gaps', { timeout: 30_000 }, () => {
  let folder: string
  let portal: Process
  const damaged = new Map<string, () => Error>()

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gaps-'))
    damaged.clear()
    portal = await startProcess(folder, damaged)
  })
  afterEach(async () => {
    await portal.stop()
    await rm(folder, { recursive: true })
  })
  const restart = async (meanwhile: () => void = () => undefined) => {
    await portal.stop()
    meanwhile()
    portal = await startProcess(folder, damaged)
  }
  const noteApplied = async (n: number) => {
    const position = await portal.note(n)
    expect(await portal.serving.whenApplied('tally', 'a', position, 10_000)).toBe(true)
  }
  const untilOpen = (consumers: readonly string[]) =>
    until(() => expect(portal.continuity.open().map(({ consumer }) => consumer)).toEqual(consumers))

  /** The restored backup holds three of the five notes. */
  const restoreLog = async (lost: NoteType = 'Noted') => {
    const path = join(folder, 'events.db')
    for (let n = 0; n < 3; n++) await noteApplied(n)
    const db = new DatabaseSync(path, { readOnly: true })
    db.exec(`VACUUM INTO '${join(folder, 'backup.db')}'`)
    db.close()
    for (let n = 3; n < 5; n++) await portal.note(n, lost)
    const shown = lost === 'Noted' ? 5 : 3
    await until(async () => expect(await portal.numbers()).toHaveLength(shown))
    await until(() => expect(portal.handled).toHaveLength(5))
    await restart(() => {
      for (const suffix of ['-wal', '-shm', '']) rmSync(path + suffix, { force: true })
      copyFileSync(join(folder, 'backup.db'), path)
    })
  }

  it('PJ-18 PJ-23 an event store that is older than a read model halts every consumer, also after restarts, and no request waits', async () => {
    await restoreLog()
    await expect(portal.running.caughtUp).rejects.toThrow(DiscontinuityError)
    await untilOpen([wholeLog])
    expect(portal.logged.filter((line) => line.includes('make replay'))).toHaveLength(1)
    expect(portal.logged.join('')).not.toContain('stack')
    // The log grows beyond the read model's positions. Still no message is taken for applied.
    let position = ''
    for (let n = 100; n < 110; n++) position = await portal.note(n)
    await restart()
    await expect(portal.running.caughtUp).rejects.toThrow(/event-log halted .* make replay$/)
    // Far longer than the test may take.
    expect(await portal.serving.whenApplied('tally', 'a', position, 600_000)).toBe(false)
    for (let n = 110; n < 115; n++) await portal.note(n)
    expect(await portal.numbers()).toEqual([0, 1, 2, 3, 4])
    expect(portal.handled).toEqual([])
    await expect(portal.bus.check()).resolves.toBeUndefined()
  })

  /** Opening a generation takes a slow disk longer than a second, and may fail. */
  const slowly = () => {
    let opened = 0
    return async () => {
      await sleep(1_000)
      if (opened++ === 0) throw new Error('The disk does not answer')
    }
  }

  it.each<[string, () => Promise<void>, NoteType]>([
    ['that is ahead of it', slowly(), 'Noted'],
    ['of which only cursors are ahead', slowly(), 'Ignored'],
  ])(
    'PJ-18 does not take the end of a rebuild for an older log in a process that switches late from a read model %s',
    async (_which, beforeOpening, lost) => {
      await restoreLog(lost)
      await untilOpen([wholeLog])
      const { control } = portal.readModels
      const rebuilt = openSqliteReadModel({ path: folder, namespace: 'tally-next' })
      await rebuilt.close()
      portal.beforeOpening(beforeOpening)
      await changeGenerations(control, await loadGenerations(control), {
        serving: { tally: { generation: 'tally-next' } },
      })
      await clearCursors(control, reactorGroup('reactor'))
      await createDiscontinuityStore(control).clear([wholeLog])
      await portal.continuity.refresh()
      await until(() => expect(portal.running.isCaughtUp()).toBe(true))
      expect(portal.serving.current().name).toBe('tally-next')
      expect(await portal.numbers()).toEqual([0, 1, 2])
      expect(await createDiscontinuityStore(control).all()).toEqual([])
    },
  )

  it('PJ-19 continues as soon as the record is cleared', async () => {
    await noteApplied(1)
    portal.continuity.record({
      consumer: projectionGroup({ name: 'tally' }),
      cause: 'bus-lost',
      missing: 'some messages',
    })
    await until(() => expect(portal.running.haltedBy()).toBeDefined())
    await portal.note(2)
    const { clear } = createDiscontinuityStore(portal.readModels.control)
    await portal.continuity.refresh()
    expect(await portal.numbers()).toEqual([1])
    await clear([projectionGroup({ name: 'tally' })])
    await until(() => expect(portal.running.haltedBy()).toBeUndefined())
    await noteApplied(3)
    expect(await portal.numbers()).toEqual([1, 2, 3])
    await until(() => expect(portal.running.isCaughtUp()).toBe(true))
  })

  it('PJ-29 clears a loss of the replaced read model that is recorded after the rebuild', async () => {
    await noteApplied(1)
    const consumer = projectionGroup({ name: 'tally' })
    portal.continuity.record({ consumer, cause: 'read-model-lost', missing: 'everything', epoch: 'the-one-before' })
    await untilOpen([])
    expect(await createDiscontinuityStore(portal.readModels.control).all()).toEqual([])
    expect(await portal.numbers()).toEqual([1])
    await noteApplied(2)
  })

  it('PJ-28 rejects reads of a read model that went back until its consumer has caught up again', async () => {
    await noteApplied(1)
    const subscribe = portal.goBack('tally-main')
    await until(() => expect(portal.running.isCaughtUp()).toBe(false))
    await expect(portal.numbers()).rejects.toThrow(ReadModelWentBackError)
    await expect(portal.serving.check()).rejects.toThrow(ReadModelWentBackError)
    const position = await portal.note(2)
    subscribe()
    await until(() => expect(portal.running.isCaughtUp()).toBe(true))
    expect(await portal.serving.whenApplied('tally', 'a', position, 10_000)).toBe(true)
    expect(await portal.numbers()).toEqual([1, 2])
    await portal.serving.check()
  })

  it('PJ-28 allows reads after the projection stops, and the next run starts where the read model is', async () => {
    await noteApplied(1)
    const subscribe = portal.goBack('tally-main')
    await until(() => expect(portal.running.isCaughtUp()).toBe(false))
    await expect(portal.numbers()).rejects.toThrow(ReadModelWentBackError)
    const stopped = portal.running.stop()
    subscribe()
    await stopped
    expect(await portal.numbers()).toEqual([1])
    await portal.serving.check()
  })

  it.each([
    ['emptied', () => new ReadModelEmptiedError('tally-main', 'a test did it')],
    ['damaged', () => new ReadModelDamagedError('tally-main', new Error('a test did it'))],
  ])('PJ-15 rejects reads of a read model that is %s, also after a restart', async (_how, error) => {
    await noteApplied(1)
    damaged.set('tally-main', error)
    await untilOpen([projectionGroup({ name: 'tally' })])
    damaged.clear()
    await expect(portal.numbers()).rejects.toThrow(/Run: make replay P=tally$/)
    await restart()
    await untilOpen([projectionGroup({ name: 'tally' })])
    await portal.note(2)
    await expect(portal.numbers()).rejects.toThrow(/Run: make replay P=tally$/)
    await until(() => expect(portal.handled).toEqual([2]))
  })

  it.each([
    {
      error: new ReadModelEmptiedError('control', 'a test did it'),
      says: 'the read models have been emptied: run make replay',
    },
    {
      error: new ReadModelUnavailableError('a test did it'),
      says: 'generations of the read models cannot be read, retrying',
    },
  ])('says that "$says", and follows the generations again afterwards', async ({ error, says }) => {
    await noteApplied(1)
    damaged.set('control', () => error)
    await until(() => expect(portal.logged.join('')).toContain(says))
    damaged.clear()
    await until(() => portal.readModels.check())
    await noteApplied(2)
    expect(await portal.numbers()).toEqual([1, 2])
  })

  it('PJ-15 records damage that only readers find', async () => {
    await noteApplied(1)
    portal.running.stop()
    damaged.set('tally-main', () => new ReadModelEmptiedError('tally-main', 'a test did it'))
    await expect(portal.numbers()).rejects.toThrow('a test did it')
    await untilOpen([projectionGroup({ name: 'tally' })])
  })

  it('PJ-21 builds a read model that is missing at startup from the log, and clears its record', async () => {
    await noteApplied(1)
    damaged.set('tally-main', () => new ReadModelEmptiedError('tally-main', 'a test did it'))
    await untilOpen([projectionGroup({ name: 'tally' })])
    await portal.note(2)
    damaged.clear()
    await restart(() => {
      for (const suffix of ['-wal', '-shm', '']) rmSync(join(folder, `tally-main.db${suffix}`), { force: true })
    })
    await noteApplied(3)
    await untilOpen([])
    expect(await portal.numbers()).toEqual([1, 2, 3])
  })

  it('PJ-22 restarts a reactor with cleared cursors at the beginning of the log', async () => {
    for (let n = 0; n < 3; n++) await portal.note(n)
    await until(() => expect(portal.handled).toEqual([0, 1, 2]))
    await restart()
    await portal.note(3)
    await until(() => expect(portal.handled).toEqual([3]))
    portal.continuity.record({ consumer: wholeLog, cause: 'log-older', missing: 'some events' })
    await until(() => expect(portal.running.haltedBy()).toBeDefined())
    await until(async () => {
      // Wait until the reactor has saved the cursors that it saves on stop.
      await clearCursors(portal.readModels.control, reactorGroup('reactor'))
      const saved = await portal.readModels.control.loadCursors(reactorGroup('reactor'))
      expect(Object.values(saved)).toEqual([''])
    })
    const { clear } = createDiscontinuityStore(portal.readModels.control)
    await clear([wholeLog])
    await until(() => expect(portal.handled).toEqual([3, 0, 1, 2, 3]))
  })
})
