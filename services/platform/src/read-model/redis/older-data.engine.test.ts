import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Commit, ReadModel } from '../port.ts'
import { openRedisReadModel } from '../redis.ts'
import { ReadModelWentBackError } from '../errors.ts'
import { startProxy } from '../../../testing/read-model/redis/own-server.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { until } from '../../../testing/until.ts'

const namespace = 'main'

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

  it('RM-75 does not write what was requested during an outage of Redis, if it comes back with older data', async () => {
    const readModel = await open()
    await readModel.commit(change(undefined, '003'))
    await server.keepCopy()
    await readModel.commit(change('003', '005'))
    await server.kill()
    const writes = [
      () => readModel.commit(change('003', '006')),
      () => readModel.saveCursor('c', '0', '1'),
      () => readModel.fence(),
      () => readModel.putImmutable({ ...x, key: 'text' }, 'text'),
    ]
    const writing = writes.map((write) => until(() => expect(write()).rejects.toThrow(ReadModelWentBackError)))
    await server.startOlder()
    await Promise.all(writing)
    expect(await server.command('HGETALL', '{portal:main}:c:c')).toEqual({})
    expect(await server.command('HGET', '{portal:main}:marker', 'fenced')).toBeNull()
    readModel.acceptOlder()
    expect(await readModel.position('a', 'p')).toBe('003')
  })

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

  it('RM-76 continues to serve a process that only reads', async () => {
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

  it('RM-61 connects to the new primary when the previous one has become a replica', { tags: ['verify'] }, async () => {
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
})
