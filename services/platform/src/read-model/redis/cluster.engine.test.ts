/** @module-tag verify */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModelContract } from '@portal/platform/testing/read-model/contract'
import type { ReadModel } from '../port.ts'
import { dropRedisReadModel, openRedisReadModel } from '../redis.ts'
import { ReadModelWentBackError } from '../errors.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { until } from '../../../testing/until.ts'

/** Three masters without replicas, all of them fresh. */
const startCluster = async (): Promise<readonly OwnServer[]> => {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000']
  const servers = await Promise.all([1, 2, 3].map(() => makeOwnServer(...settings)))
  await Promise.all(servers.map((server) => server.start()))
  const nodes = servers.map(({ clusterNode }) => clusterNode)
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'])
  const areReady = async () => {
    for (const server of servers) expect(await server.command('CLUSTER', 'INFO')).toContain('cluster_state:ok')
  }
  await until(areReady, { timeoutMs: 30_000 })
  return servers
}

/** Masters, and a replica of each, which the client finds when it takes over. */
const startWithReplicas = async (): Promise<readonly OwnServer[]> => {
  const settings = [
    '--cluster-enabled',
    'yes',
    '--cluster-node-timeout',
    '5000',
    '--cluster-replica-no-failover',
    'yes',
  ]
  const servers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makeOwnServer(...settings)))
  await Promise.all(servers.map((server) => server.start()))
  const nodes = servers.map(({ clusterNode }) => clusterNode)
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-replicas', '1', '--cluster-yes'])
  const areReady = async () => {
    for (const server of servers) {
      expect(await server.command('CLUSTER', 'INFO')).toContain('cluster_state:ok')
      expect(String(await server.command('INFO', 'replication'))).toMatch(/role:master|master_link_status:up/)
    }
  }
  await until(areReady, { timeoutMs: 40_000 })
  return servers
}

describe('on a cluster', () => {
  let servers: readonly OwnServer[] = []
  const opened: ReadModel[] = []
  const urlOf = (prefix: string) => `${servers[0]?.url}/?cluster=true&prefix=${prefix}`

  beforeAll(async () => {
    servers = await startCluster()
  }, 60_000)
  afterAll(async () => {
    await Promise.all(opened.map((readModel) => readModel.close()))
    await Promise.all(servers.map((server) => server.dispose()))
  })

  readModelContract('redis cluster', async () => {
    const url = urlOf(`t${randomUUID()}`)
    const openedHere: ReadModel[] = []
    return {
      async open(namespace) {
        const readModel = await openRedisReadModel({ url, namespace, cursorsTrailMs: 0 })
        openedHere.push(readModel)
        return readModel
      },
      dispose: async () => {
        await Promise.all(openedHere.map((readModel) => readModel.close()))
      },
    }
  })

  const fill = async (readModel: ReadModel) => {
    const partitions = Array.from({ length: 40 }, (_, n) => `p${n}`)
    const outcomes = await readModel.commitAll(
      partitions.map((partition) => ({
        projection: 'a',
        partition,
        expected: undefined,
        position: '001',
        writes: [
          { op: 'put', collection: 'things', key: 'x', value: partition },
          { op: 'add', list: 'list', member: 'm', score: 1, value: null },
        ],
      })),
    )
    expect(new Set(outcomes)).toEqual(new Set(['committed']))
    return partitions
  }

  it('RM-66 partitions are spread over the nodes, each complete on one, and dropped from all', async () => {
    const place = { url: urlOf('spread'), namespace: 'main' }
    const readModel = await openRedisReadModel(place)
    opened.push(readModel)
    const partitions = await fill(readModel)
    const keysOf = async (server: OwnServer) => {
      const keys: unknown = await server.command('KEYS', '{spread:main*')
      return Array.isArray(keys) ? keys.map(String) : []
    }
    const perNode = await Promise.all(servers.map(keysOf))
    const nodesOf = (partition: string) => perNode.filter((keys) => keys.some((key) => key.includes(`:${partition}}`)))
    for (const partition of partitions) expect(nodesOf(partition)).toHaveLength(1)
    for (const keys of perNode) expect(keys.length).toBeGreaterThan(0)
    expect((await readModel.partitions()).toSorted()).toEqual(partitions.toSorted())
    await readModel.close()
    await dropRedisReadModel(place)
    expect((await Promise.all(servers.map(keysOf))).flat()).toEqual([])
  })

  it('RM-72 loadCursors returns an earlier cursor, because the last one can be ahead of its data', async () => {
    const openTrailing = async (cursorsTrailMs?: number) => {
      const trail = cursorsTrailMs === undefined ? {} : { cursorsTrailMs }
      const readModel = await openRedisReadModel({ url: urlOf('cursors'), namespace: 'main', ...trail })
      opened.push(readModel)
      return readModel
    }
    const usual = await openTrailing()
    await usual.saveCursor('c', '0', '001')
    await usual.saveCursor('c', '0', '002')
    await usual.saveCursor('c', '1', '005')
    await usual.saveCursor('c', '1', '004')
    expect(await usual.loadCursors('c')).toEqual({ '0': '001', '1': '004' })
    const soon = await openTrailing(400)
    await until(async () => {
      await soon.saveCursor('c', '0', '003')
      expect(await soon.loadCursors('c')).toEqual({ '0': '003', '1': '004' })
    })
    const accepting = await openRedisReadModel({
      url: urlOf('control'),
      namespace: 'control',
      onOlder: () => undefined,
    })
    opened.push(accepting)
    for (const cursor of ['001', '002']) await accepting.saveCursor('c', '0', cursor)
    expect(await accepting.loadCursors('c')).toEqual({ '0': '002' })
  })

  it('RM-63 one emptied node is detected', async () => {
    const readModel = await openRedisReadModel({ url: urlOf('lost'), namespace: 'main' })
    opened.push(readModel)
    const partitions = await fill(readModel)
    await servers[1]?.command('FLUSHALL')
    const outcomes = await Promise.allSettled(
      partitions.map((partition) =>
        readModel.commit({ projection: 'a', partition, expected: '001', position: '002', writes: [] }),
      ),
    )
    expect(outcomes.some((outcome) => outcome.status === 'rejected')).toBe(true)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(false)
    await expect(readModel.check()).rejects.toThrow('emptied')
  })
})

describe('a failover on a cluster', { timeout: 120_000 }, () => {
  let servers: readonly OwnServer[] = []
  beforeAll(async () => {
    servers = await startWithReplicas()
  }, 90_000)
  afterAll(() => Promise.all(servers.map((server) => server.dispose())))

  it('RM-69 to a lagging replica is detected before any write, and is not whole', async () => {
    const partitions = Array.from({ length: 40 }, (_, n) => `p${n}`)
    const readModel = await openRedisReadModel({ url: `${servers[0]?.url}/?cluster=true`, namespace: 'main' })
    const commitTo = (partition: string, expected: string | undefined, position: string) =>
      readModel.commit({ projection: 'a', partition, expected, position, writes: [] })
    try {
      for (const partition of partitions) await commitTo(partition, undefined, '001')
      const roles = await Promise.all(servers.map((server) => server.command('ROLE')))
      const master = servers.find((_, n) => String(roles[n]).startsWith('master'))
      const replica = servers.find((_, n) => String(roles[n]).startsWith(`slave,127.0.0.1,${master?.port}`))
      if (master === undefined || replica === undefined) throw new Error('No replica of the master was found')
      await until(async () => expect(await replica.command('DBSIZE')).toBe(await master.command('DBSIZE')))
      // It gets no more writes, and cannot ask for missed ones.
      replica.signal('SIGSTOP')
      await master.command('CLIENT', 'KILL', 'TYPE', 'replica')
      for (const partition of partitions) expect(await commitTo(partition, '001', '002')).toBe('committed')
      await master.kill()
      replica.signal('SIGCONT')
      await until(async () => expect(await replica.command('CLUSTER', 'FAILOVER', 'TAKEOVER')).toBe('OK'))

      const outcomes = await until(
        async () => {
          const all = await Promise.allSettled(partitions.map((partition) => commitTo(partition, '001', '003')))
          const reasons: unknown[] = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
          expect(reasons.some((reason) => reason instanceof ReadModelWentBackError)).toBe(true)
          return all
        },
        { timeoutMs: 60_000 },
      )
      expect(outcomes.some((each) => each.status === 'fulfilled' && each.value === 'committed')).toBe(false)
      await expect(readModel.check()).rejects.toMatchObject({ name: 'ReadModelWentBackError', isWhole: false })
      await expect(readModel.saveCursor('c', '0', '1')).rejects.toThrow(ReadModelWentBackError)
      const reached = await Promise.all(partitions.map((partition) => readModel.position('a', partition)))
      expect(new Set(reached)).toEqual(new Set(['001', '002']))
    } finally {
      await readModel.close()
    }
  })
})
