import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createRelay } from '@portal/platform/bus/relay'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { applyLog, openRebuildTarget } from '@portal/platform/generations/rebuild-target'
import { dropReadModel, openReadModel } from '@portal/platform/adapters/open-adapters'
import { createLogger } from '@portal/platform/observability/logger'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { notificationsPublishers } from '@portal/notifications/projections'
import { createClient } from 'redis'
import { recordHistory } from '../../testing/long-history.ts'
import { newDataFolder } from '../../testing/portal-process.ts'
import { type Comparison, nowMs, type Scale } from '../measure.ts'

/** HSET commands per pipeline of the baseline. */
const commandsAtOnce = 1_000

/** Writes the same rows as pipelined HSET commands: no decisions, no reads, no position. */
const writeBare = async (redisUrl: string, rows: readonly (readonly [key: string, value: string])[]) => {
  const client = createClient({ url: redisUrl })
  await client.connect()
  const prefix = `bare-${randomUUID()}`
  const startMs = nowMs()
  for (let from = 0; from < rows.length; from += commandsAtOnce) {
    const some = rows.slice(from, from + commandsAtOnce)
    await Promise.all(some.map(([key, value], at) => client.hSet(`${prefix}:${(from + at) % 64}`, key, value)))
  }
  const tookMs = nowMs() - startMs
  for (let n = 0; n < 64; n++) await client.unlink(`${prefix}:${n}`)
  client.destroy()
  return tookMs
}

/** Rebuilds the inbox read model into Redis as `make replay` does, against a plain write of as many rows. */
export const benchRebuild = async (redisUrl: string, scale: Scale): Promise<Comparison[]> => {
  const folder = await newDataFolder()
  const log = openSqliteEventStore({ path: join(folder.path, 'events.db') })
  await recordHistory(log, scale.rebuildEvents)
  const logger = createLogger({ level: 'warn' })
  const url = `${redisUrl}?prefix=${randomUUID()}`

  const rebuild = async (): Promise<{ readonly tookMs: number; readonly rows: number }> => {
    const target = await openRebuildTarget(inboxProjection, 'rebuilt', await openReadModel(url, 'rebuilt'), logger)
    const { signal } = new AbortController()
    const startMs = nowMs()
    const relay = createRelay(notificationsPublishers)
    await applyLog({ log, relay, targets: [target], after: 'start', until: await log.end(), signal })
    await target.flush()
    const tookMs = nowMs() - startMs
    let rows = 0
    for (const partition of await target.readModel.partitions()) {
      const { documents, entries } = await target.readModel.digest(inboxProjection.name, partition)
      rows += documents + entries
    }
    await target.readModel.close()
    await dropReadModel(url, 'rebuilt')
    return { tookMs, rows }
  }
  const { rows } = await rebuild()
  const value = JSON.stringify({ seq: 1_000, deliveredAt: new Date().toISOString(), readAt: new Date().toISOString() })
  const bareRows = Array.from({ length: rows }, (_, n) => [`${randomUUID()}-${n}`, value] as const)
  await writeBare(redisUrl, bareRows)
  const rates = { portal: [] as number[], bare: [] as number[] }
  for (let round = 0; round < Math.min(scale.rounds, 5); round++) {
    rates.portal.push((rows * 1_000) / (await rebuild()).tookMs)
    rates.bare.push((rows * 1_000) / (await writeBare(redisUrl, bareRows)))
  }
  await log.close()
  await folder.remove()
  return [
    {
      name: `engines: rebuild of ${scale.rebuildEvents.toLocaleString('en')} events into Redis, rows`,
      limitName: 'bare pipelined HSET of as many rows',
      unit: '/s',
      portal: rates.portal,
      limit: rates.bare,
      reach: { atLeast: 0.8 },
    },
  ]
}
