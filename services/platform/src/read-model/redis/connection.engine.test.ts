import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { freePort } from '@portal/engines/free-port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRedisReadModel } from '../redis.ts'
import { parseRedisAddress } from './address.ts'
import { type ConnectionTimes, openConnection } from './connection.ts'
import { namespaceKeys } from './keys.ts'
import { startProxy } from '../../../testing/read-model/redis/own-server.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { subscribeToCommits } from './commit-notifications.ts'
import { until } from '../../../testing/until.ts'

const times: ConnectionTimes = { deadlineMs: 20_000, silentAfterMs: 1_000, renewAfterMs: 1_000, closeMs: 200 }

describe('a connection to Redis', () => {
  let server: OwnServer
  const toClose: (() => Promise<void>)[] = []

  beforeEach(async () => {
    server = await makeOwnServer()
    await server.start()
  })
  afterEach(async () => {
    for (const close of toClose.splice(0).toReversed()) await close()
    await server.dispose()
  })

  it('RM-61 is replaced when it no longer responds', async () => {
    const proxy = await startProxy(server.port)
    toClose.push(proxy.close)
    const connection = await openConnection(parseRedisAddress(proxy.url), times)
    toClose.push(connection.close)
    const told: string[] = []
    await connection.subscribe('news', (message) => told.push(message.toString()))
    expect(await connection.send('k', ['SET', 'k', 'v'])).toBe('OK')
    const lost = connection.lostConnections
    proxy.swallow()
    // Nobody calls it meanwhile.
    await until(() => expect(connection.lostConnections).toBeGreaterThan(lost))
    await until(async () => expect(await connection.send('k', ['GET', 'k'])).toBe('v'))
    await until(async () => {
      await server.command('SPUBLISH', 'news', 'heard')
      expect(told).toContain('heard')
    })
    await connection.ping()
  })

  it('RM-61 replaces a silent connection of subscriptions without the other one', async () => {
    const proxy = await startProxy(server.port)
    toClose.push(proxy.close)
    const connection = await openConnection(parseRedisAddress(proxy.url), times)
    toClose.push(connection.close)
    const lost = connection.lostConnections
    const told: string[] = []
    await connection.subscribe('news', (message) => told.push(message.toString()))
    proxy.swallowNewest()
    const missed = connection.ping()
    await expect(missed).rejects.toThrow('Redis is not available')
    await until(async () => {
      await server.command('SPUBLISH', 'news', 'heard')
      expect(told).toContain('heard')
    })
    await connection.ping()
    expect(connection.lostConnections).toBe(lost)
  })

  it('RM-65 with TLS connects only to a trusted server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redis-tls-'))
    toClose.push(() => rm(folder, { recursive: true }))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', key, '-out', certificate]
    await promisify(execFile)('openssl', ['req', '-x509', '-nodes', ...made, ...subject])
    const port = await freePort()
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    const secured = await makeOwnServer('--tls-port', String(port), ...files, '--tls-auth-clients', 'no')
    toClose.push(secured.dispose)
    await secured.start()
    const place = { url: `rediss://127.0.0.1:${port}`, namespace: 'main' }
    await expect(openRedisReadModel(place)).rejects.toThrow('self-signed certificate')

    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, await readFile(certificate, 'utf8')])
    try {
      const readModel = await openRedisReadModel(place)
      toClose.push(readModel.close)
      await readModel.check()
    } finally {
      setDefaultCACertificates(trusted)
    }
  })

  it('RM-68 is notified of commits of others, also after a restart of the server', async () => {
    const address = parseRedisAddress(server.url)
    const connection = await openConnection(address)
    toClose.push(connection.close)
    const told: string[] = []
    const notifications = subscribeToCommits(
      connection,
      namespaceKeys(address.prefix, 'main'),
      (projection, partition, position) => told.push(`${projection} ${partition} ${position}`),
    )
    const other = await openRedisReadModel({ url: server.url, namespace: 'main' })
    toClose.push(other.close)
    const commit = (partition: string, expected: string | undefined, position: string) =>
      other.commit({ projection: 'a "ü"', partition, expected, position, writes: [] })

    const subscribed = async () => {
      const channel = '{portal:main:p}:w'
      expect(await server.command('PUBSUB', 'SHARDNUMSUB', channel)).toEqual([channel, 1])
    }
    notifications.follow('p')
    await until(subscribed)
    await commit('q', undefined, '001')
    await commit('p', undefined, '001')
    await until(() => expect(told).toEqual(['a "ü" p 001']))

    await server.kill()
    await server.start()
    await until(subscribed)
    await until(() => commit('p', '001', '002'))
    await until(() => expect(told).toEqual(['a "ü" p 001', 'a "ü" p 002']))
    notifications.close()
  })
})
