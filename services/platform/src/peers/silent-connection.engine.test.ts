import { pino } from 'pino'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { startProxy } from '../../testing/read-model/redis/own-server.ts'
import { until } from '../../testing/until.ts'
import type { ConnectionTimes } from '../read-model/redis/connection.ts'
import type { Peers } from './port.ts'
import { openPeers } from './redis-adapter.ts'

const logger = pino({ level: 'silent' })
const times: ConnectionTimes = { deadlineMs: 10_000, silentAfterMs: 500, renewAfterMs: 500, closeMs: 200 }
const longMs = 20_000

let proxy: Awaited<ReturnType<typeof startProxy>>
let peers: Awaited<ReturnType<typeof openPeers>>
let others: Peers

beforeEach(async () => {
  const url = new URL(`${inject('redisUrl')}?prefix=silent-${crypto.randomUUID()}`)
  proxy = await startProxy(Number(url.port))
  peers = await openPeers({ url: `${proxy.url}${url.search}`, logger, times })
  others = await openPeers({ url: url.href, logger, times })
  for (const each of [peers, others]) each.onRequest('how-many', async () => 1)
})
afterEach(async () => {
  await Promise.all([peers.close(), others.close()])
  await proxy.close()
})

/** Both directions, so that both connections of each work. */
const untilBothHear = () =>
  until(async () => {
    expect(await peers.request('how-many', {}, longMs)).toEqual([1])
    expect(await others.request('how-many', {}, longMs)).toEqual([1])
  })

it.each(['publisher', 'subscriber'] as const)(
  'peers hear again after the connection of the %s has fallen silent, and are unhealthy until then',
  async (which) => {
    await untilBothHear()
    if (which === 'publisher') proxy.swallowOldest()
    else proxy.swallowNewest()
    await expect(peers.check()).rejects.toThrow('Redis is not available')
    await until(() => peers.check())
    await untilBothHear()
  },
)
