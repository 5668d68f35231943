import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRelay } from '@portal/platform/bus/relay'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { applyLog } from '@portal/platform/replay/apply-log'
import { openTarget } from '@portal/platform/replay/target'
import { dropReadModel, openReadModel } from '@portal/platform/runtime/wire'
import { createLogger } from '@portal/platform/runtime/logger'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { notificationsPublishers } from '@portal/notifications/projections'
import { createClient } from 'redis'
import { recordHistory } from './history.ts'
const path = '/tmp/rbench/history.db'
const had = existsSync(path)
const log = openSqliteEventStore({ path })
if (!had) await recordHistory(log, 200_000)
const redisUrl = 'redis://127.0.0.1:16379'
const url = `${redisUrl}?prefix=${randomUUID()}`
const cpu = async (name: string, work: () => Promise<unknown>) => { const c = process.cpuUsage(); const t = performance.now(); await work(); const d = process.cpuUsage(c); const wall = performance.now() - t; console.log(name, 'cpu', Math.round((d.user + d.system) / 1000), 'wall', Math.round(wall)); return wall }
const relay = createRelay(notificationsPublishers)
const { signal } = new AbortController()
let target = await openTarget(inboxProjection, 'rebuilt', await openReadModel(url, 'rebuilt'), createLogger({ level: 'warn' }))
const a = await cpu('rebuild', async () => { await applyLog({ log, relay, targets: [target], after: 'start', until: await log.end(), signal }); await target.flush() })
let rows = 0
for (const p of await target.readModel.partitions()) { const d = await target.readModel.digest('inbox', p); rows += d.documents + d.entries }
await target.readModel.close(); await dropReadModel(url, 'rebuilt')
const client = createClient({ url: redisUrl }); await client.connect()
const value = JSON.stringify({ seq: 1_000, deliveredAt: new Date().toISOString(), readAt: new Date().toISOString() })
const bareRows = Array.from({ length: rows }, (_, n) => [`${randomUUID()}-${n}`, value] as const)
const prefix = randomUUID()
const b = await cpu('bare', async () => { for (let from = 0; from < rows; from += 1000) { const some = bareRows.slice(from, from + 1000); await Promise.all(some.map(([k, v], at) => client.hSet(`${prefix}:${(from + at) % 64}`, k, v))) } })
for (let n = 0; n < 64; n++) await client.unlink(`${prefix}:${n}`)
console.log('rows', rows, 'rebuild rows/s', Math.round(rows / a * 1000), 'bare', Math.round(rows / b * 1000), 'ratio', (b / a).toFixed(2), 'rss', Math.round(process.memoryUsage().rss / 1e6))
process.exit()
