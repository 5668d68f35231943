/** @module-tag verify */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProjection } from '../../generations/run-projection.ts'
import { scriptedBus } from '@portal/platform/testing/projection/scripted-bus'
import { noteEnvelope, tally, tallyOf } from '@portal/platform/testing/projection/tally'
import type { Commit, ReadModel } from '../port.ts'
import { dropRedisReadModel, openRedisReadModel } from '../redis.ts'
import { openSqliteReadModel } from '../sqlite.ts'
import { ReadModelEmptiedError, ReadModelUnavailableError } from '../errors.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { until } from '../../../testing/until.ts'

const logger = pino({ level: 'silent' })
const namespace = 'main'

const change = (expected: string | undefined, position: string, partition = 'p'): Commit => ({
  projection: 'a',
  partition,
  expected,
  position,
  writes: [
    { op: 'put', collection: 'things', key: 'x', value: position },
    { op: 'add', list: 'list', member: position, score: Number(position), value: null },
  ],
})
const x = (partition = 'p') => ({ partition, collection: 'things', key: 'x' })
const everything = { order: 'ascending', limit: 1_000 } as const

describe('a read model on a Redis that fails', { timeout: 60_000 }, () => {
  let server: OwnServer
  let readModel: ReadModel
  const opened: ReadModel[] = []

  const open = async (name = namespace) => {
    const each = await openRedisReadModel({ url: server.url, namespace: name })
    opened.push(each)
    return each
  }

  beforeEach(async () => {
    server = await makeOwnServer()
    await server.start()
    readModel = await open()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await server.dispose()
  })

  it('RM-60 loses no write and repeats none when the server is killed repeatedly under the load of two workers', async () => {
    const keys = ['a0', 'a1', 'b0', 'b1', 'c0', 'd0']
    const log = Array.from({ length: 4_000 }, (_, n) => noteEnvelope(n, keys[n % keys.length] ?? 'a0', n))
    let failures = 0
    let applied = 0
    let isOver = false
    /** Both have all partitions, as after a consumer was wrongly considered dead. */
    const work = async (into: ReadModel) => {
      const { bus, deliver, isAtEnd } = scriptedBus(log)
      const onApplied = () => void applied++
      const running = await runProjection({ projection: tally(), bus, readModel: into, logger, onApplied })
      while (!isAtEnd() && !isOver) {
        if (await deliver(50)) continue
        failures++
        // Calls that fail at once would otherwise leave the sockets no turn of the event loop.
        await nextTurn()
      }
      await running.stop()
      expect(running.counts().deadLettered).toBe(0)
    }
    let done = false
    const working = Promise.all([work(readModel), work(await open())]).finally(() => (done = true))
    try {
      for (let n = 0; n < 4; n++) {
        const before = applied
        await until(() => expect(done || applied > before + 300).toBe(true))
        await server.kill()
        await server.start()
      }
      await working
    } finally {
      isOver = true
    }
    expect(failures).toBeGreaterThan(0)

    const reference = openSqliteReadModel({ path: ':memory:', namespace })
    const clean = scriptedBus(log)
    const running = await runProjection({ projection: tally(), bus: clean.bus, readModel: reference, logger })
    while (!clean.isAtEnd()) await clean.deliver(500)
    await running.stop()
    expect(await tallyOf(readModel, keys)).toEqual(await tallyOf(reference, keys))
    expect(await readModel.positions('tally')).toEqual(await reference.positions('tally'))
    await reference.close()
  })

  it('RM-61 answers a call if the server comes back in time', async () => {
    await readModel.commit(change(undefined, '001'))
    await server.kill()
    // The first may still go out on the old connection; the second waits for a new one.
    const reading = readModel.get(x()).catch(() => readModel.get(x()))
    await server.start()
    expect(await reading).toBe('001')
    expect(await readModel.commit(change('001', '002'))).toBe('committed')
  })

  it('RM-61 is unavailable while the server is down, and works again afterwards', async () => {
    await readModel.commit(change(undefined, '001'))
    await server.kill()
    const calls = [readModel.get(x()), readModel.check(), readModel.commit(change('001', '002')), readModel.fence()]
    for (const call of calls) await expect(call).rejects.toThrow(ReadModelUnavailableError)
    await server.start()
    await until(() => readModel.check())
    // A commit that timed out may have been sent at the same moment: completely, or not at all.
    const reached = await readModel.position('a', 'p')
    expect(['001', '002']).toContain(reached)
    expect(await readModel.get(x())).toBe(reached)
    expect(await readModel.commit(change(reached, '003'))).toBe('committed')
  })

  it('RM-61 does not wait forever for a stopped server, and applies a sent commit once', async () => {
    await readModel.commit(change(undefined, '001'))
    server.signal('SIGSTOP')
    const calls = [readModel.commit(change('001', '002')), readModel.get(x()), readModel.check()]
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { name: 'ReadModelUnavailableError' } })
    }
    server.signal('SIGCONT')
    await until(async () => expect(await readModel.position('a', 'p')).toBe('002'))
    expect(await readModel.commit(change('001', '002'))).toBe('conflict')
    expect(await readModel.range('p', 'list', everything)).toHaveLength(2)
  })

  it('RM-73 rejects calls at once while the server does not respond', async () => {
    await readModel.commit(change(undefined, '001'))
    server.signal('SIGSTOP')
    await expect(readModel.get(x())).rejects.toThrow('no answer in time')
    for (let n = 0; n < 20; n++) await expect(readModel.get(x())).rejects.toThrow('no reply for')
    await expect(readModel.commit(change('001', '002'))).rejects.toThrow(ReadModelUnavailableError)
    server.signal('SIGCONT')
    await until(async () => expect(await readModel.get(x())).toBe('001'))
    expect(await readModel.commit(change('001', '002'))).toBe('committed')
  })

  it('RM-62 sends the scripts again to a server that does not know them', async () => {
    await readModel.commit(change(undefined, '001'))
    await server.command('SCRIPT', 'FLUSH')
    const commits = ['p', 'q', 'r'].map((partition) => change(partition === 'p' ? '001' : undefined, '002', partition))
    expect(await readModel.commitAll(commits)).toEqual(['committed', 'committed', 'committed'])
    await server.command('SCRIPT', 'FLUSH')
    expect(await readModel.range('p', 'list', everything)).toHaveLength(2)
  })

  describe('that was emptied', () => {
    const anyCall: readonly ((each: ReadModel) => Promise<unknown>)[] = [
      (each) => each.get(x()),
      (each) => each.getMany([x()]),
      (each) => each.get(x('never')),
      (each) => each.entry('p', 'list', '001'),
      (each) => each.entries('p', [{ list: 'list', member: '001' }]),
      (each) => each.range('p', 'list', everything),
      (each) => each.position('a', 'p'),
      (each) => each.positions('a'),
      (each) => each.partitions(),
      (each) => each.loadCursors('c'),
      (each) => each.digest('a', 'p'),
      (each) => each.putImmutable(x(), 1),
      (each) => each.unfence(),
      (each) => each.commit(change('001', '002')),
      (each) => each.commit(change(undefined, '002')),
      (each) => each.commit(change(undefined, '002', 'new')),
      (each) => each.commitAll([change('001', '002'), change(undefined, '002', 'new')]),
      (each) => each.saveCursor('c', '0', '1'),
      (each) => each.check(),
    ]
    const others: typeof anyCall = [
      (each) => each.positionIds('a'),
      (each) => each.whenApplied('a', 'p', '002', 1_000),
      (each) => each.putImmutable(x('new'), 1),
      (each) => each.fence(),
    ]
    const expectEmptied = async (each: ReadModel) => {
      for (const call of [...anyCall, ...others]) await expect(call(each)).rejects.toThrow(ReadModelEmptiedError)
    }

    it('RM-63 rejects writes and returns no empty result, whichever call detects it', async () => {
      for (const [n, call] of anyCall.entries()) {
        const each = await open(`n${n}`)
        await each.commit(change(undefined, '001'))
        await server.command('FLUSHALL')
        await expect(call(each)).rejects.toThrow(ReadModelEmptiedError)
        await expectEmptied(each)
        expect(await server.command('DBSIZE')).toBe(0)
      }
    })

    it('RM-63 starts a new namespace when it is opened again, and still rejects writes of earlier connections', async () => {
      await readModel.commit(change(undefined, '001'))
      await server.command('FLUSHALL')
      const reopened = await open()
      expect(await reopened.commit(change(undefined, '007'))).toBe('committed')
      await expect(readModel.check()).rejects.toThrow(ReadModelEmptiedError)
      await expectEmptied(readModel)
      expect(await reopened.position('a', 'p')).toBe('007')
      await expect(reopened.check()).resolves.toBeUndefined()
    })

    it('RM-70 still reads missing data as missing, also in a partition without writes', async () => {
      await readModel.commit(change(undefined, '001'))
      for (const partition of ['p', 'never']) {
        const thing = { partition, collection: 'none', key: 'x' }
        expect(await readModel.get(thing)).toBeUndefined()
        expect(await readModel.getMany([thing, thing])).toEqual([undefined, undefined])
        expect(await readModel.range(partition, 'none', everything)).toEqual([])
        expect(await readModel.entry(partition, 'none', 'm')).toBeUndefined()
        expect(await readModel.position('b', partition)).toBeUndefined()
      }
      expect(await readModel.loadCursors('c')).toEqual({})
    })

    it('RM-70 does not treat a partition that begins during a read as lost', async () => {
      const other = await open()
      for (let n = 0; n < 150; n++) {
        const partition = `begins${n}`
        let hasBegun = false
        const beginning = other.commit(change(undefined, '001', partition)).finally(() => (hasBegun = true))
        while (!hasBegun) await readModel.get({ ...x(partition), key: 'none' })
        expect(await beginning).toBe('committed')
      }
    })

    it('RM-70 needs one command for a read with a result, and shares the check among empty ones', async () => {
      await readModel.commit(change(undefined, '001'))
      const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
        await server.command('CONFIG', 'RESETSTAT')
        await work()
        const info = String(await server.command('INFO', 'commandstats'))
        const counted = [...info.matchAll(/cmdstat_(\w+):calls=(\d+)/g)]
        const own = counted.filter(([, name]) => ['hget', 'hmget', 'evalsha'].includes(name ?? ''))
        // Calls inside scripts are counted, too. Count only the sent commands.
        const scripts = own.some(([, name]) => name === 'evalsha')
        return own.reduce((sum, [, name, calls]) => sum + (scripts && name !== 'evalsha' ? 0 : Number(calls)), 0)
      }
      expect(await callsOf(() => readModel.get(x()))).toBe(1)
      expect(await callsOf(() => readModel.getMany([x(), x()]))).toBe(1)
      expect(await callsOf(() => readModel.range('p', 'list', everything))).toBe(1)
      expect(await callsOf(() => readModel.position('a', 'p'))).toBe(1)
      const absent = { ...x(), key: 'none' }
      expect(await callsOf(() => Promise.all(Array.from({ length: 50 }, () => readModel.get(absent))))).toBe(51)
    })

    it('RM-70 checks the namespace before the first read after a lost connection', async () => {
      await readModel.commit(change(undefined, '001'))
      // Not detected while the connection holds and reads find data.
      await server.command('HSET', '{portal:main}:marker', 'epoch', 'another')
      expect(await readModel.get(x())).toBe('001')
      await server.kill()
      await server.start()
      await until(() => expect(readModel.get(x())).rejects.toThrow(ReadModelEmptiedError))
    })

    it('RM-71 writes no immutable document into a partition of another epoch, but does so while fenced', async () => {
      const thing = { partition: 'new', collection: 'texts', key: 'x' }
      await readModel.fence()
      await readModel.putImmutable(thing, 'text')
      expect(await readModel.get(thing)).toBe('text')
      expect(await readModel.commit(change(undefined, '001', 'new'))).toBe('fenced')
      await readModel.unfence()
      expect(await readModel.commit(change(undefined, '001', 'new'))).toBe('committed')
      for (const key of ['m', 'r', 'z:list']) await server.command('DEL', `{portal:main:new}:${key}`)
      await expect(readModel.putImmutable(thing, 'text')).rejects.toThrow(ReadModelEmptiedError)
      expect(await server.command('KEYS', '{portal:main:new}*')).toEqual([])
    })

    it('RM-63 keeps rejecting after the server comes back empty', async () => {
      await readModel.commit(change(undefined, '001'))
      await server.command('FLUSHALL')
      await server.kill('SIGTERM')
      await server.start()
      await until(() => expect(readModel.check()).rejects.toThrow(ReadModelEmptiedError))
      await expectEmptied(readModel)
    })

    it('RM-63 detects the loss of a single partition, also on a later connection', async () => {
      await readModel.commit(change(undefined, '001'))
      await readModel.commit(change(undefined, '001', 'q'))
      for (const key of ['m', 'r', 'z:list']) await server.command('DEL', `{portal:main:p}:${key}`)
      const later = await open()
      for (const each of [readModel, later]) {
        await expect(each.commit(change(undefined, '002'))).rejects.toThrow(ReadModelEmptiedError)
        await expect(each.check()).rejects.toThrow(ReadModelEmptiedError)
      }
    })

    it('RM-63 rejects writes to a namespace that was dropped while open', async () => {
      await readModel.commit(change(undefined, '001'))
      await dropRedisReadModel({ url: server.url, namespace })
      expect(await server.command('DBSIZE')).toBe(0)
      await expectEmptied(readModel)
    })
  })

  it('RM-64 does not open on a server that may evict keys', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory', '100mb')
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(open('other')).rejects.toThrow('noeviction')
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'volatile-lru')
    await expect(open('other')).resolves.toBeDefined()
  })

  it('RM-65 does not repeat the address in errors about a wrong password or a missing server', async () => {
    await server.command('CONFIG', 'SET', 'requirepass', 'right-secret')
    const { port } = server
    const textOf = (url: string) =>
      openRedisReadModel({ url, namespace }).then(
        () => 'opened',
        (error: unknown) =>
          `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? String(error.cause) : ''}`,
      )
    for (const url of [
      `redis://:wrong-secret@127.0.0.1:${port}`,
      `redis://user:wrong-secret@127.0.0.1:${port}`,
      'redis://:wrong-secret@127.0.0.1:1',
      'redis://:wrong-secret@127.0.0.1:99999999',
      'redis://:wrong-secret@127.0.0.1:1/x',
      'redis://:wrong-secret@127.0.0.1:1?password=wrong-secret',
    ]) {
      const text = await textOf(url)
      expect(text).toContain('Error')
      expect(text).not.toContain('wrong-secret')
    }
    const right = await openRedisReadModel({ url: `redis://:right-secret@127.0.0.1:${port}`, namespace })
    await right.check()
    await right.close()
  })
})
