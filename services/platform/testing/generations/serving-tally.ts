import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openInProcessBus } from '../../src/bus/in-process.ts'
import type { Publisher } from '../../src/bus/publisher.ts'
import { openSqliteEventStore } from '../../src/event-store/sqlite.ts'
import type { Projection } from '../../src/projection/projection.ts'
import { type RunningProjection, runProjection } from '../../src/generations/run-projection.ts'
import { noteSchema, tally, tallyOf } from '../projection/tally.ts'
import type { ReadModel } from '../../src/read-model/port.ts'
import { openReadModels } from '../../src/generations/read-models.ts'
import { dropSqliteReadModel, openSqliteReadModel } from '../../src/read-model/sqlite.ts'
import type { ReplayPorts } from '../../src/generations/run-with-replay-lock.ts'

export const keys = ['a0', 'a1', 'b0', 'c0']
const logger = pino({ level: 'silent' })

export const notePublisher: Publisher = {
  category: 'note',
  topics: ['notifications'],
  publish: ({ data, type }) => {
    const note = noteSchema.parse(data)
    return [{ topic: 'notifications', key: note.key, type, data: note }]
  },
}

/** A read model whose calls hang while its process is 'dead', until it is woken. */
const mortal = (readModel: ReadModel, life: { readonly isDead: () => Promise<void> | undefined }): ReadModel =>
  new Proxy(readModel, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function' || name === 'close') return value
      return async (...given: unknown[]) => {
        await life.isDead()
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })

/** A tally with a running projection in a separate folder, as a portal serves its inboxes. */
export const serveTally = async (projection: Projection = tally(), keptIn?: Pick<ReplayPorts, 'open' | 'drop'>) => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const bus = await openInProcessBus({ eventStore, publishers: [notePublisher], logger })
  const { open, drop } = keptIn ?? {
    open: async (namespace: string) => openSqliteReadModel({ path: folder, namespace }),
    drop: (namespace: string) => dropSqliteReadModel({ path: folder, namespace }),
  }
  const readModels = await openReadModels({ projections: ['tally'], open, logger })
  const serving = readModels.of(projection)
  const { continuity } = readModels
  const run = () => runProjection({ projection, bus, readModel: serving, continuity, log: eventStore, logger })
  let running: RunningProjection = await run()

  const ports: ReplayPorts = {
    log: eventStore,
    publishers: [notePublisher],
    open,
    drop,
    busIsLog: true,
    logger,
  }

  return {
    folder,
    eventStore,
    readModels,
    serving,
    ports,
    counts: () => running.counts(),
    continuity,
    haltedBy: () => running.haltedBy(),
    note: async (key: string, n: number, type = 'Noted') => {
      const appended = await eventStore.append('note-1', 'any', [{ id: randomUUID(), type, data: { key, n } }])
      if (appended.kind === 'conflict') throw new Error('Nothing to conflict with')
      return appended.position
    },
    /** Resolves once the active generation has applied the position. */
    untilApplied: async (key: string, position: string) => {
      if (!(await serving.whenApplied('tally', key.slice(0, 1), `${position}:00`, 15_000))) {
        throw new Error(`${position} has not been applied in ${key}`)
      }
    },
    restartProjection: async () => {
      await running.stop()
      running = await run()
    },
    /** The result of one pass over the log, in a separate read model. */
    cleanPass: async () => {
      const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'clean' })
      const pass = await runProjection({ projection, bus, readModel, logger, group: randomUUID() })
      await pass.caughtUp
      await pass.stop()
      const result = { tally: await tallyOf(readModel, keys), positions: await readModel.positions('tally') }
      await readModel.close()
      return result
    },
    served: async () => ({ tally: await tallyOf(serving, keys), positions: await serving.positions('tally') }),
    /** The same ports for a run that can die and be woken. */
    mortalPorts: () => {
      let death: PromiseWithResolvers<void> | undefined
      const life = { isDead: () => death?.promise }
      return {
        ports: { ...ports, open: async (namespace: string) => mortal(await open(namespace), life) },
        /** Hangs every call, forever or until woken. */
        die: () => (death = Promise.withResolvers<void>()).promise,
        wake: () => death?.resolve(),
      }
    },
    stop: async () => {
      await running.stop()
      await bus.close()
      await readModels.close()
      await eventStore.close()
      // In two of three whole runs, the files of a write-ahead log reappeared meanwhile. All assertions are over by then.
      await rm(folder, { recursive: true, maxRetries: 5 })
    },
  }
}
export type ServedTally = Awaited<ReturnType<typeof serveTally>>
