import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { notificationsPublishers } from '@portal/notifications/projections'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { createLogger } from '@portal/platform/observability/logger'
import { dropReadModel, openReadModel, startLogPublisher } from '@portal/platform/adapters/open-adapters'
import { z } from 'zod'
import { dropKafkaTopics, type SharedEngines } from '../../testing/distributed-portal.ts'
import { recordHistory } from '../../testing/long-history.ts'
import { eventually, newDataFolder, nodeBinary, repositoryRoot } from '../../testing/portal-process.ts'
import { type Comparison, nowMs, type Scale } from '../measure.ts'

const worker = join(repositoryRoot, 'services/system-tests/src/bench/engines/projection-worker.ts')
const reportSchema = z.object({ applied: z.number() })
const startTimeoutMs = 60_000

type Worker = { applied(): number; stop(): Promise<void> }

/** Resolves when the worker has joined its group and caught up. */
const startWorker = async (busUrl: string, readModelUrl: string): Promise<Worker> => {
  const child: ChildProcess = fork(worker, [busUrl, readModelUrl], { execPath: nodeBinary })
  let applied: number | undefined
  child.on('message', (message) => {
    applied = reportSchema.parse(message).applied
  })
  await eventually('the worker is ready', () => applied !== undefined, startTimeoutMs)
  return {
    applied: () => applied ?? 0,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/**
 * Messages per second from the log through log publisher and Kafka into Redis, with this many partitions and workers.
 */
const rateWith = async (engines: SharedEngines, count: number, scale: Scale): Promise<number> => {
  const folder = await newDataFolder()
  const prefix = `scaled-${randomUUID().slice(0, 8)}`
  const busUrl = `${engines.kafkaUrl}?prefix=${prefix}.&partitions=${count}`
  const readModelUrl = `${engines.redisUrl}?prefix=${prefix}`
  const workers: Worker[] = []
  const logger = createLogger({ level: 'warn' })
  const log = openSqliteEventStore({ path: join(folder.path, 'events.db') })
  const control = await openReadModel(readModelUrl, 'control')
  await recordHistory(log, scale.scaledMessages)
  for (let n = 0; n < count; n++) workers.push(await startWorker(busUrl, readModelUrl))
  const startMs = nowMs()
  const publishers = notificationsPublishers
  const publisher = await startLogPublisher(busUrl, {
    service: 'bench',
    eventStore: log,
    publishers,
    control,
    logger,
  })
  const applied = () => workers.reduce((sum, each) => sum + each.applied(), 0)
  // Not every event is one message, so the run ends when no more arrive.
  let last = { applied: 0, atMs: nowMs() }
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (applied() > last.applied) last = { applied: applied(), atMs: nowMs() }
    else if (last.applied > 0 && nowMs() - last.atMs > 2_000) break
    else if (nowMs() - startMs > startTimeoutMs && last.applied === 0) throw new Error('nothing was projected')
  }
  await publisher?.stop()
  await Promise.all(workers.map((each) => each.stop()))
  await control.close()
  await log.close()
  for (const namespace of ['control', 'scaled']) await dropReadModel(readModelUrl, namespace)
  await dropKafkaTopics(engines.kafkaUrl, `${prefix}.`)
  await folder.remove()
  return (last.applied * 1_000) / (last.atMs - startMs)
}

export const benchScaling = async (engines: SharedEngines, scale: Scale): Promise<Comparison[]> => {
  const rates = new Map<number, number[]>([1, 2, 4].map((count) => [count, []]))
  for (let round = 0; round < Math.min(scale.rounds, 3); round++) {
    for (const [count, taken] of rates) taken.push(await rateWith(engines, count, scale))
  }
  return [2, 4].map((count) => ({
    name: `engines: messages projected with ${count} partitions and workers`,
    limitName: 'itself with one',
    unit: '/s',
    portal: rates.get(count) ?? [],
    limit: rates.get(1) ?? [],
    reach: { atLeast: 1 },
  }))
}
