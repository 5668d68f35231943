/** @module-tag verify */
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus, Consumer, Cursor } from '../../bus/port.ts'
import { runProjection } from '../../generations/run-projection.ts'
import { noteEnvelope, tally, tallyOf } from '@portal/platform/testing/projection/tally'
import type { Commit, ReadModel } from '../port.ts'
import { openRedisReadModel } from '../redis.ts'
import { openSqliteReadModel } from '../sqlite.ts'
import { ReadModelWentBackError } from '../errors.ts'
import { lossyReplicationOf } from './server-settings.ts'
import { startProxy } from '../../../testing/read-model/redis/own-server.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { until } from '../../../testing/until.ts'

const logger = pino({ level: 'silent' })
const namespace = 'main'
const keys = ['a0', 'a1', 'b0', 'c0']

const logOf = (length: number) => Array.from({ length }, (_, n) => noteEnvelope(n, keys[n % keys.length] ?? 'a0', n))

/** Redelivers the same messages after a rejection, as both buses do. */
const busOver = (log: ReturnType<typeof logOf>) => {
  let consumer: Consumer | undefined
  let next = 0
  const bus: Bus = {
    async consume(joining) {
      const cursor = (await joining.loadCursors())['0']
      next = cursor === undefined ? 0 : Number(cursor) + 1
      consumer = joining
      return { startedAt: {}, stop: async () => undefined }
    },
    hasReached: () => true,
    check: async () => undefined,
    close: async () => undefined,
  }
  return {
    bus,
    isAtEnd: () => next >= log.length,
    /** The reason of the consumer's rejection, if it rejects. */
    async deliver(count: number): Promise<unknown> {
      const deliveries = log.slice(next, next + count).map((envelope, index) => ({
        envelope,
        busPartition: '0',
        cursor: String(next + index).padStart(6, '0') as Cursor,
      }))
      try {
        await consumer?.handle(deliveries)
      } catch (error) {
        return error
      }
      next += deliveries.length
      return undefined
    },
  }
}

/** A worker that goes back to its stored cursors when the read model has gone back. */
const startWorker = async (readModel: ReadModel, log: ReturnType<typeof logOf>) => {
  const { bus, deliver, isAtEnd } = busOver(log)
  // Its connection may still be lost, and a process that cannot start is started again.
  const start = () => until(() => runProjection({ projection: tally(), bus, readModel, logger }), { timeoutMs: 30_000 })
  let running = await start()
  let rewinds = 0
  return {
    isAtEnd,
    rewinds: () => rewinds,
    async step(count: number): Promise<void> {
      const problem = await deliver(count)
      if (!(problem instanceof ReadModelWentBackError)) return
      expect(problem.isWhole).toBe(true)
      await running.stop().catch(() => undefined)
      readModel.acceptOlder()
      rewinds++
      running = await start()
    },
    stop: () => running.stop(),
  }
}

const untilEnd = async (worker: Awaited<ReturnType<typeof startWorker>>) => {
  await until(
    async () => {
      while (!worker.isAtEnd()) {
        await worker.step(7)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    { timeoutMs: 30_000 },
  )
}

const expectLikeCleanPass = async (readModel: ReadModel, log: ReturnType<typeof logOf>) => {
  const reference = openSqliteReadModel({ path: ':memory:', namespace })
  const clean = await startWorker(reference, log)
  await untilEnd(clean)
  await clean.stop()
  expect(await tallyOf(readModel, keys)).toEqual(await tallyOf(reference, keys))
  expect(await readModel.positionIds('tally')).toEqual(await reference.positionIds('tally'))
  await reference.close()
}

describe('a read model on a Redis that comes back with older data', { timeout: 120_000 }, () => {
  let server: OwnServer
  const opened: ReadModel[] = []

  const open = async (onOlder?: (what: string) => void) => {
    const each = await openRedisReadModel({ url: server.url, namespace, onOlder })
    opened.push(each)
    return each
  }

  beforeEach(async () => {
    server = await makeOwnServer()
    await server.start()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await server.dispose()
  })

  const change = (expected: string | undefined, position: string, partition = 'p'): Commit => ({
    projection: 'a',
    partition,
    expected,
    position,
    writes: [{ op: 'put', collection: 'things', key: 'x', value: position }],
  })
  const x = { partition: 'p', collection: 'things', key: 'x' }

  const loseTo = async (positions: readonly string[]) => {
    const readModel = await open()
    let expected: string | undefined
    for (const position of positions) {
      if (position === positions.at(-1)) await server.keepCopy()
      await readModel.commit(change(expected, position))
      expected = position
    }
    await server.kill()
    await server.startOlder()
    return readModel
  }

  it('RM-69 rejects reads and writes of a consumer until older data is accepted', async () => {
    const readModel = await loseTo(['003', '005'])
    const writes = [
      () => readModel.commit(change('005', '006')),
      () => readModel.commit(change('003', '006')),
      () => readModel.commit(change(undefined, '006', 'new')),
      () => readModel.commitAll([change('003', '006')]),
      () => readModel.saveCursor('c', '0', '1'),
      () => readModel.fence(),
      () => readModel.unfence(),
      () => readModel.putImmutable({ ...x, key: 'text' }, 'text'),
      () => readModel.check(),
    ]
    const reads = [
      () => readModel.get(x),
      () => readModel.position('a', 'p'),
      () => readModel.range('p', 'list', { order: 'ascending', limit: 1 }),
      () => readModel.loadCursors('c'),
    ]
    await until(() => expect(readModel.get(x)).rejects.toThrow(ReadModelWentBackError))
    for (const read of reads) await expect(read()).rejects.toThrow(ReadModelWentBackError)
    for (const write of writes) await expect(write()).rejects.toThrow(ReadModelWentBackError)
    await expect(readModel.check()).rejects.toMatchObject({ isWhole: true })
    readModel.acceptOlder()
    expect(await readModel.get(x)).toBe('003')
    expect(await readModel.loadCursors('c')).toEqual({})
    await readModel.check()
    expect(await readModel.commit(change('003', '005'))).toBe('committed')
    await readModel.saveCursor('c', '0', '1')
  })

  it.each([
    ['a commit', (each: ReadModel) => each.commit(change('003', '006'))],
    ['a cursor', (each: ReadModel) => each.saveCursor('c', '0', '1')],
    ['a fence', (each: ReadModel) => each.fence()],
    ['an immutable document', (each: ReadModel) => each.putImmutable({ ...x, key: 'text' }, 'text')],
  ])(
    'RM-69 does not write %s that was requested during an outage of Redis, if it comes back with older data',
    async (_, write) => {
      const readModel = await open()
      await readModel.commit(change(undefined, '003'))
      await server.keepCopy()
      await readModel.commit(change('003', '005'))
      await server.kill()
      const writing = until(() => expect(write(readModel)).rejects.toThrow(ReadModelWentBackError))
      await server.startOlder()
      await writing
      expect(await server.command('HGETALL', '{portal:main}:c:c')).toEqual({})
      expect(await server.command('HGET', '{portal:main}:marker', 'fenced')).toBeNull()
      readModel.acceptOlder()
      expect(await readModel.position('a', 'p')).toBe('003')
    },
  )

  it('RM-69 detects a single older cursor, because other processes may have written its data', async () => {
    const readModel = await open()
    await readModel.saveCursor('c', '0', '000010')
    await server.keepCopy()
    await readModel.saveCursor('c', '0', '000020')
    await server.kill()
    await server.startOlder()
    await until(() => expect(readModel.check()).rejects.toThrow(ReadModelWentBackError))
    await expect(readModel.saveCursor('c', '0', '000030')).rejects.toThrow(ReadModelWentBackError)
  })

  it('RM-69 treats a partition that does not exist any more as older data, and begins it again after acceptance', async () => {
    const readModel = await open()
    await readModel.commit(change(undefined, '001', 'q'))
    await server.keepCopy()
    await readModel.commit(change(undefined, '001'))
    await server.kill()
    await server.startOlder()
    const commit = () => readModel.commit(change('001', '002'))
    await until(() => expect(commit()).rejects.toThrow(ReadModelWentBackError))
    readModel.acceptOlder()
    expect(await readModel.commit(change(undefined, '001'))).toBe('committed')
  })

  it('RM-69 also detects a lower position on an unbroken connection', async () => {
    const readModel = await open()
    await readModel.commit(change(undefined, '005'))
    await server.command('HSET', '{portal:main:p}:m', 'p:a', '003')
    await expect(readModel.commit(change('005', '006'))).rejects.toThrow(ReadModelWentBackError)
    readModel.acceptOlder()
    expect(await readModel.position('a', 'p')).toBe('003')
    await server.command('HSET', '{portal:main:p}:m', 'p:a', '002')
    expect(await readModel.position('a', 'p')).toBe('002')
    await expect(readModel.commit(change('002', '006'))).rejects.toThrow(ReadModelWentBackError)
  })

  it('RM-69 accepts the same data after a lost connection', async () => {
    const readModel = await open()
    await readModel.commit(change(undefined, '001'))
    await readModel.saveCursor('c', '0', '1')
    for (let n = 1; n <= 3; n++) {
      await server.kill()
      await server.start()
      const [before, after] = [n, n + 1].map((k) => String(k).padStart(3, '0'))
      await until(() => readModel.check())
      expect(await readModel.commit(change(before, after ?? ''))).toBe('committed')
    }
  })

  it('RM-69 continues to serve a process that only reads', async () => {
    const readModel = await open()
    await readModel.commit(change(undefined, '001'))
    await server.keepCopy()
    const reader = await open()
    await readModel.commit(change('001', '002'))
    await readModel.saveCursor('c', '0', '000002')
    expect(await reader.position('a', 'p')).toBe('002')
    expect(await reader.loadCursors('c', 'observer')).toEqual({ '0': '000002' })
    await server.kill()
    await server.startOlder()
    await until(() => reader.check())
    expect(await reader.get(x)).toBe('001')
    await expect(readModel.check()).rejects.toThrow(ReadModelWentBackError)
  })

  it('RM-74 reports older data with onOlder, and compare-and-set continues from it', async () => {
    const older: string[] = []
    const readModel = await open((what) => older.push(what))
    await readModel.commit(change(undefined, '001'))
    await server.keepCopy()
    await readModel.commit(change('001', '002'))
    await readModel.commit(change(undefined, '001', 'begun later'))
    await server.kill()
    await server.startOlder()
    await until(() => readModel.check())
    expect(older.length).toBeGreaterThan(0)
    expect(await readModel.commit(change('002', '003'))).toBe('conflict')
    expect(await readModel.commit(change('001', '002'))).toBe('committed')
    expect(await readModel.commit(change(undefined, '001', 'begun later'))).toBe('committed')
    await readModel.saveCursor('c', '0', '1')
  })

  it.each([
    ['no commit in flight', false],
    ['a commit in flight', true],
  ])('RM-69 with %s, a worker that goes back to its cursors ends like one clean pass', async (_, isInFlight) => {
    const log = logOf(160)
    const readModel = await open()
    let stopAtCommit = false
    const inFlight = Promise.withResolvers<void>()
    const stopping: ReadModel = {
      ...readModel,
      async commitAll(commits) {
        if (!stopAtCommit) return readModel.commitAll(commits)
        server.signal('SIGSTOP')
        const committing = readModel.commitAll(commits)
        setImmediate(inFlight.resolve)
        return committing
      },
    }
    const worker = await startWorker(stopping, log)
    for (let n = 0; n < 9; n++) await worker.step(10)
    await server.keepCopy()
    await worker.step(30)
    stopAtCommit = isInFlight
    const step = isInFlight ? worker.step(1) : undefined
    if (isInFlight) await inFlight.promise
    await server.kill()
    stopAtCommit = false
    await server.startOlder()
    await step
    await untilEnd(worker)
    expect(worker.rewinds()).toBeGreaterThan(0)
    await worker.stop()
    await expectLikeCleanPass(readModel, log)

    const again = await startWorker(await open(), log)
    await untilEnd(again)
    await again.stop()
    await expectLikeCleanPass(readModel, log)
  })

  it('RM-69 takes a worker back with a failover to a lagging replica, before and after a restart', async () => {
    const log = logOf(400)
    const replica = await makeOwnServer('--repl-diskless-sync-delay', '0')
    await replica.start()
    const proxy = await startProxy(server.port)
    const readModel = await openRedisReadModel({ url: proxy.url, namespace })
    try {
      const worker = await startWorker(readModel, log)
      for (let n = 0; n < 10; n++) await worker.step(10)
      await replica.command('REPLICAOF', '127.0.0.1', String(server.port))
      const isInSync = async () => {
        expect(String(await replica.command('INFO', 'replication'))).toContain('master_link_status:up')
        expect(await replica.command('DBSIZE')).toBe(await server.command('DBSIZE'))
      }
      await until(isInSync)
      expect(lossyReplicationOf(String(await server.command('INFO')))).toContain('min-replicas-to-write')
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', '1')
      expect(lossyReplicationOf(String(await server.command('INFO')))).toBeUndefined()
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', '0')
      // From here on it gets no more writes.
      await replica.command('REPLICAOF', 'NO', 'ONE')
      for (let n = 0; n < 10; n++) await worker.step(10)
      proxy.leadTo(replica.port)
      await server.kill()
      for (let n = 0; n < 5; n++) await worker.step(10)
      await until(async () => {
        await worker.step(10)
        expect(worker.rewinds()).toBe(1)
      })
      await worker.stop()

      const again = await openRedisReadModel({ url: proxy.url, namespace })
      opened.push(again)
      const restarted = await startWorker(again, log)
      await untilEnd(restarted)
      await restarted.stop()
      await expectLikeCleanPass(again, log)
    } finally {
      await readModel.close()
      await proxy.close()
      await replica.dispose()
    }
  })

  it('RM-61 connects to the new primary when the previous one has become a replica', async () => {
    const next = await makeOwnServer()
    await next.start()
    const proxy = await startProxy(server.port)
    const readModel = await openRedisReadModel({ url: proxy.url, namespace })
    try {
      await readModel.commit(change(undefined, '001'))
      await next.command('REPLICAOF', '127.0.0.1', String(server.port))
      await until(async () => expect(await next.command('DBSIZE')).toBe(await server.command('DBSIZE')))
      await next.command('REPLICAOF', 'NO', 'ONE')
      await server.command('REPLICAOF', '127.0.0.1', String(next.port))
      // Connections to the previous primary stay open. Only a rejected write shows that it was demoted.
      proxy.pointTo(next.port)
      await until(async () => expect(await readModel.commit(change('001', '002'))).toBe('committed'))
      expect(await next.command('HGET', '{portal:main:p}:m', 'p:a')).toBe('002')
    } finally {
      await readModel.close()
      await proxy.close()
      await next.dispose()
    }
  })

  it('RM-69 ends like one clean pass after any kills, lost connections and restarts', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('step' as const), count: fc.integer({ min: 1, max: 25 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('loss' as const),
          isOlder: fc.boolean(),
          isFrozen: fc.boolean(),
          isRestarted: fc.boolean(),
        }),
      },
    )
    let round = 0
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const log = logOf(200)
      const name = `n${round++}`
      const openHere = () => openRedisReadModel({ url: server.url, namespace: name })
      let readModel = await openHere()
      let worker = await startWorker(readModel, log)
      await server.keepCopy()
      for (const each of steps) {
        if (each.kind === 'step') await worker.step(each.count)
        else if (each.kind === 'copy') await server.keepCopy()
        else {
          if (each.isFrozen) server.signal('SIGSTOP')
          const cutOff = worker.step(10)
          if (each.isFrozen) await new Promise((resolve) => setTimeout(resolve, 5))
          await server.kill()
          await (each.isOlder ? server.startOlder() : server.start())
          await cutOff
          if (each.isRestarted) {
            await worker.stop().catch(() => undefined)
            await readModel.close()
            readModel = await openHere()
            worker = await startWorker(readModel, log)
          }
        }
      }
      await untilEnd(worker)
      await worker.stop()
      await expectLikeCleanPass(readModel, log)
      await readModel.close()
    })
    await fc.assert(property, { numRuns: 8 })
  })
})
