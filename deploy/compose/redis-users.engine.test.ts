import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedisCounters } from '@portal/platform/limits/redis'
import { firstGeneration } from '@portal/platform/generations/generations'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openRedisReadModel } from '@portal/platform/read-model/redis'
import { parseRedisAddress } from '@portal/platform/read-model/redis/address'
import { openConnection } from '@portal/platform/read-model/redis/connection'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisUserNames, type RedisUserName, redisUsersFile, redisWriters } from './redis-users.ts'

const passwordOf = (user: string): string => `${user}-password`
const passwords = {
  auth: passwordOf('auth'),
  catalog: passwordOf('catalog'),
  notifications: passwordOf('notifications'),
  delivery: passwordOf('delivery'),
  gateway: passwordOf('gateway'),
  ops: passwordOf('ops'),
}
const services = ['auth', 'catalog', 'notifications', 'delivery'] as const
/** Returns the namespace of each projection that serves first. */
const namespacesOf = (user: keyof typeof redisWriters): readonly string[] => redisWriters[user].map(firstGeneration)

let folder: string
let server: OwnServer
const urlOf = (user: RedisUserName) => `redis://${user}:${passwordOf(user)}@127.0.0.1:${server.port}`
const open = (user: RedisUserName, namespace: string): Promise<ReadModel> =>
  openRedisReadModel({ url: urlOf(user), namespace })

const commit = async (readModel: ReadModel, position: string): Promise<string> => {
  const expected = await readModel.position('p', 'b00')
  const put = { op: 'put', collection: 'things', key: 'k', value: { position } } as const
  return readModel.commit({ projection: 'p', partition: 'b00', expected, position, writes: [put] })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redis-users-'))
  const aclFile = join(folder, 'users.acl')
  // For the server's own start in this test, which asks with no name.
  const file = redisUsersFile(passwords).replace('user default off', 'user default on nopass -@all +ping')
  await writeFile(aclFile, file)
  server = await makeOwnServer('--aclfile', aclFile)
  await server.start()
})
afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

it('a service writes the read models of its own projections and only reads others', async () => {
  for (const user of services) {
    for (const namespace of [...namespacesOf(user), 'control']) {
      const readModel = await open(user, namespace)
      expect([user, namespace, await commit(readModel, String(1 + services.indexOf(user)).padStart(20, '0'))]).toEqual([
        user,
        namespace,
        'committed',
      ])
      await readModel.close()
    }
  }
  for (const user of services) {
    const own = new Set(namespacesOf(user))
    for (const namespace of services.flatMap(namespacesOf).filter((name) => !own.has(name))) {
      const readModel = await open(user, namespace)
      expect(await readModel.get({ partition: 'b00', collection: 'things', key: 'k' })).toBeDefined()
      await expect(commit(readModel, '9'.repeat(20))).rejects.toThrow('NOPERM')
      await readModel.close()
    }
  }
})

it('a gateway reads each read model, waits for it, and writes none', async () => {
  for (const namespace of new Set(services.flatMap(namespacesOf))) {
    const readModel = await open('gateway', namespace)
    const position = await readModel.position('p', 'b00')
    expect(position).toBeDefined()
    expect(await readModel.whenApplied('p', 'b00', position ?? '', 1_000)).toBe(true)
    expect(await readModel.range('b00', 'l', { order: 'ascending', limit: 10 })).toEqual([])
    expect(await readModel.digest('p', 'b00')).toBeDefined()
    await expect(commit(readModel, '9'.repeat(20))).rejects.toThrow('NOPERM')
    await readModel.close()
  }
})

it('a gateway cannot change login limits, which services count', async () => {
  const key = '{portal:limits:log-in:abc}'
  const counts = async (user: RedisUserName) => {
    const connection = await openConnection(parseRedisAddress(urlOf(user)))
    try {
      return await createRedisCounters(connection).add(key, 1, 60, 5)
    } finally {
      await connection.close()
    }
  }
  expect(await counts('auth')).toMatchObject([1, expect.any(Number)])
  await expect(counts('gateway')).rejects.toThrow('NOPERM')
})

it.each(redisUserNames)('%s cannot flush or reconfigure the server, nor access other keys', async (user) => {
  const client = createClient({ url: urlOf(user) })
  client.on('error', () => undefined)
  await client.connect()
  const refused = [['FLUSHALL'], ['FLUSHDB'], ['CONFIG', 'GET', '*'], ['ACL', 'LIST'], ['KEYS', '*'], ['SHUTDOWN']]
  for (const command of [...refused, ['GET', 'another:key'], ['SET', '{other:inbox-main}:marker', 'x']])
    await expect(client.sendCommand(command)).rejects.toThrow('NOPERM')
  client.destroy()
})
