import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readModelContract } from '../contract.ts'
import type { ReadModel } from '../port.ts'
import { dropRedisReadModel, openRedisReadModel } from '../redis.ts'
import { makeOwnServer, type OwnServer } from './testing/own-server.ts'

/** Three masters without replicas, all of them fresh. */
const startCluster = async (): Promise<readonly OwnServer[]> => {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000']
  const servers = await Promise.all([1, 2, 3].map(() => makeOwnServer(...settings)))
  await Promise.all(servers.map((server) => server.start()))
  const nodes = servers.map(({ port }) => `127.0.0.1:${port}`)
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'])
  const areReady = async () => {
    for (const server of servers) expect(await server.command('CLUSTER', 'INFO')).toContain('cluster_state:ok')
  }
  await vi.waitFor(areReady, { timeout: 30_000 })
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
        const readModel = await openRedisReadModel({ url, namespace })
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

  it('RM-66 partitions are spread over its nodes, each whole on one, and dropped from all', async () => {
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

  it('RM-63 one node that was emptied is noticed', async () => {
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
