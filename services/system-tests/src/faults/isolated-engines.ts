import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import type { Engine } from '@portal/engines/engine'
import { startEventStoreStandIn } from '@portal/engines/event-store-stand-in'
import { freePort } from '@portal/engines/free-port'
import { startKafka } from '@portal/engines/kafka'
import { startRedis } from '@portal/engines/redis'

export type EngineName = 'kafka' | 'redis' | 'eventStore'

/** The three engines of one portal, at fixed ports, and operations on their data. */
export type IsolatedEngines = {
  readonly urls: Readonly<Record<EngineName, string>>
  engine(name: EngineName): Engine
  /** Kills the engine, deletes its data, and starts it again at its port. */
  deleteData(name: EngineName): Promise<void>
  /** Copies the data while the engine runs, as `cp -a` does. */
  copyData(name: EngineName): Promise<void>
  /** Kills the engine, restores the copied data, and starts it again at its port. */
  restoreData(name: EngineName): Promise<void>
  /** Fails Redis over to a replica that stopped replicating `lagMs` before, at the same address. */
  failOver(lagMs: number): Promise<void>
  stop(): Promise<void>
}

/** Redis syncs its file once a second. */
const fileSyncMs = 2_000

const isRunning = ({ pid }: Engine): boolean => pid !== undefined

/** The data folder of each engine, below its folder. */
const dataOf: Readonly<Record<EngineName, string>> = { kafka: 'data', redis: 'appendonlydir', eventStore: 'data' }

export const startIsolatedEngines = async (folder: string): Promise<IsolatedEngines> => {
  const folderOf = (name: EngineName) => join(folder, name)
  const [kafkaPort, redisPort] = [await freePort(), await freePort()]
  const start = {
    kafka: () => startKafka({ folder: folderOf('kafka'), port: kafkaPort }),
    redis: () => startRedis({ folder: folderOf('redis'), port: redisPort }),
    eventStore: () => startEventStoreStandIn({ folder: folderOf('eventStore') }),
  }
  const engines: Record<EngineName, Engine> = Object.fromEntries(
    await Promise.all(
      (['kafka', 'redis', 'eventStore'] as const).map(async (name) => [name, await start[name]()] as const),
    ),
  ) as Record<EngineName, Engine> // each of the three is there

  const data = (name: EngineName) => join(folderOf(name), dataOf[name])
  const copy = (name: EngineName) => join(folder, `${name}-copy`)

  const replaceData = async (name: EngineName, replace: () => Promise<void>): Promise<void> => {
    await engines[name].kill()
    await rm(data(name), { recursive: true, force: true })
    await replace()
    // Only a start formats the folder of Kafka; the other engines start with what they find.
    if (name === 'kafka') engines.kafka = await start.kafka()
    else await engines[name].restart()
  }

  const failOver = async (lagMs: number): Promise<void> => {
    const replicaFolder = join(folder, 'redis-replica')
    await mkdir(replicaFolder, { recursive: true })
    const replica = await startRedis({ folder: replicaFolder })
    const client = createClient({ url: replica.url })
    // The connection ends with its server.
    client.on('error', () => undefined)
    await client.connect()
    await client.sendCommand(['REPLICAOF', '127.0.0.1', String(redisPort)])
    // Waits until the replica has synced and rewritten its file, which later serves.
    for (;;) {
      const info = await client.info()
      if (info.includes('master_link_status:up') && /aof_rewrite_in_progress:0\s+aof_rewrite_scheduled:0/.test(info))
        break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await new Promise((resolve) => setTimeout(resolve, fileSyncMs))
    // The failover loses what the replica has not read from its socket.
    if (replica.pid !== undefined) process.kill(replica.pid, 'SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, lagMs))
    await engines.redis.kill()
    await replica.kill()
    client.destroy()
    await rename(folderOf('redis'), join(folder, 'redis-primary'))
    await rename(replicaFolder, folderOf('redis'))
    engines.redis = await start.redis()
  }

  return {
    urls: { kafka: engines.kafka.url, redis: engines.redis.url, eventStore: engines.eventStore.url },
    engine: (name) => engines[name],
    deleteData: (name) => replaceData(name, async () => undefined),
    copyData: async (name) => {
      await rm(copy(name), { recursive: true, force: true })
      await cp(data(name), copy(name), { recursive: true })
    },
    restoreData: (name) => replaceData(name, () => cp(copy(name), data(name), { recursive: true })),
    failOver,
    stop: async () => {
      for (const engine of Object.values(engines)) {
        // A frozen process does not react to SIGTERM.
        if (isRunning(engine) && engine.pid !== undefined) process.kill(engine.pid, 'SIGCONT')
        await engine.kill()
        await engine.stop()
      }
    },
  }
}
