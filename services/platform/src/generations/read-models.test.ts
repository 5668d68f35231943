import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseLockedError } from '../files/database-file.ts'
import { ReadModelEmptiedError } from '../read-model/errors.ts'
import { changeGenerations, loadGenerations } from './generations.ts'
import type { ProjectionWriter, ReadModel } from '../read-model/port.ts'
import { openReadModels, type ReadModels } from './read-models.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const inbox = { name: 'inbox' }
const documentRef = { partition: 'p', collection: 'c', key: 'k' }

describe('the read models of a process', { timeout: 30_000 }, () => {
  let folder: string
  let readModels: ReadModels
  /** How many times each namespace is open. */
  const opened: string[] = []

  const open = async (namespace: string): Promise<ReadModel> => {
    opened.push(namespace)
    return openSqliteReadModel({ path: folder, namespace })
  }
  const openAll = () => openReadModels({ projections: ['inbox', 'devices', 'inbox'], open, logger })
  const pointTo = async (generation: string, control = readModels.control) =>
    changeGenerations(control, await loadGenerations(control), { serving: { inbox: { generation } } })
  const untilServed = (generation: string) => until(() => expect(readModels.of(inbox).current().name).toBe(generation))

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-models-'))
    opened.length = 0
    readModels = await openAll()
  })
  afterEach(async () => {
    await readModels.close()
    await rm(folder, { recursive: true })
  })

  it('have a namespace each, and use the first generations until the first replay', () => {
    expect(opened.toSorted()).toEqual(['control', 'devices-main', 'inbox-main'])
    expect(readModels.of(inbox)).toBe(readModels.of({ name: 'inbox' }))
    expect(() => readModels.of({ name: 'ledger' })).toThrow("'ledger' has not been opened")
  })

  it('read from the active generation, also through an earlier handle', async () => {
    const handle = readModels.of(inbox)
    await handle.putImmutable(documentRef, 'old')
    const next = await open('inbox-next')
    await next.putImmutable(documentRef, 'new')
    await next.close()
    const switches: string[] = []
    const stop = handle.onSwitch(() => switches.push(handle.current().name))
    await pointTo('inbox-next')
    await untilServed('inbox-next')
    expect(await handle.get(documentRef)).toBe('new')
    expect(readModels.of({ name: 'devices' }).current().name).toBe('devices-main')
    stop()
    await pointTo('inbox-main')
    await untilServed('inbox-main')
    expect(await handle.get(documentRef)).toBe('old')
    expect(switches).toEqual(['inbox-next'])
  })

  it('are the active generations after a restart', async () => {
    await pointTo('inbox-next')
    await readModels.close()
    readModels = await openAll()
    expect(readModels.of(inbox).current().name).toBe('inbox-next')
  })

  it('let callers wait across switches, up to their timeout', async () => {
    const handle = readModels.of(inbox)
    const commit = (readModel: ProjectionWriter) =>
      readModel.commit({ projection: 'inbox', partition: 'p', expected: undefined, position: '1', writes: [] })
    const waiting = handle.whenApplied('inbox', 'p', '1', 20_000)
    const inVain = handle.whenApplied('inbox', 'p', '2', 500)
    await pointTo('inbox-next')
    await untilServed('inbox-next')
    await commit(handle)
    expect(await Promise.all([waiting, inVain])).toEqual([true, false])
  })

  it('continue to serve after the control namespace is emptied, and reopen it', async () => {
    await pointTo('inbox-next')
    await untilServed('inbox-next')
    await readModels.close()
    let isEmptied = false
    const emptiable = async (namespace: string): Promise<ReadModel> => {
      const wasEmptied = isEmptied
      const readModel = await open(wasEmptied && namespace === 'control' ? 'control-again' : namespace)
      if (namespace !== 'control' || wasEmptied) return readModel
      const gone = () => Promise.reject(new ReadModelEmptiedError('control', 'a test did it'))
      return {
        ...readModel,
        position: (projection, partition) =>
          isEmptied ? Promise.resolve(undefined) : readModel.position(projection, partition),
        check: () => (isEmptied ? gone() : readModel.check()),
      }
    }
    readModels = await openReadModels({ projections: ['inbox'], open: emptiable, logger })
    isEmptied = true
    await expect(readModels.check()).rejects.toThrow('the read models have been emptied: run make replay')
    await until(() => expect(readModels.check()).resolves.toBeUndefined())
    expect(readModels.of(inbox).current().name).toBe('inbox-next')
    await pointTo('inbox-mended')
    await untilServed('inbox-mended')
  })

  it('log nothing for a control namespace that only cannot be written, which health reports', async () => {
    let checks = 0
    const lines: string[] = []
    const locked = await openReadModels({
      projections: ['inbox'],
      open: async (namespace) => ({
        ...(await open(namespace)),
        check: async () => {
          checks += 1
          throw new DatabaseLockedError('control.db', undefined)
        },
      }),
      logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    })
    await until(() => expect(checks).toBeGreaterThanOrEqual(2))
    await expect(locked.check()).rejects.toThrow('control.db is locked')
    expect(lines).toEqual([])
    await locked.close()
  })

  it('are all closed if one cannot be opened', async () => {
    const closed: string[] = []
    const failing = async (namespace: string): Promise<ReadModel> => {
      if (namespace === 'devices-main') throw new Error('no space left')
      const readModel = await open(namespace)
      return { ...readModel, close: async () => void (await readModel.close(), closed.push(namespace)) }
    }
    const opening = openReadModels({ projections: ['inbox', 'devices'], open: failing, logger })
    await expect(opening).rejects.toThrow('no space left')
    expect(closed.toSorted()).toEqual(['control', 'inbox-main'])
  })
})
