/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startRedis } from '@portal/engines/redis'
import { openPeers } from './redis-adapter.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })

it('peers reconnect after a Redis restart and receive later messages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peers-redis-'))
  const redis = await startRedis({ folder })
  const [one, two] = [await openPeers({ url: redis.url, logger }), await openPeers({ url: redis.url, logger })]
  try {
    two.onRequest('how-many', async () => 1)
    const received: unknown[] = []
    two.onBroadcast('news', (message) => received.push(message))
    await until(async () => expect(await one.request('how-many', {}, 500)).toEqual([1]))

    await redis.kill()
    // Usually lost. During the disconnect, the client may still queue it and send it later.
    one.broadcast('news', 'meanwhile')
    expect(await one.request('how-many', {}, 200)).toEqual([])
    await expect(one.check()).rejects.toBeInstanceOf(Error)

    await redis.restart()
    await until(async () => expect(await one.request('how-many', {}, 500)).toEqual([1]))
    one.broadcast('news', 'later')
    await until(() => expect(received.at(-1)).toBe('later'))
    await one.check()
  } finally {
    await Promise.all([one.close(), two.close()])
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
