import { randomUUID } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@portal/engines/free-port'
import { startEventStoreStandIn } from '@portal/engines/event-store-stand-in'
import { topics } from '@portal/contracts/shared/event-envelope'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { createClient } from 'redis'
import { type Environment, eventually, repositoryRoot, spawnProgram } from './portal-process.ts'

const program = join(repositoryRoot, 'tools/dev-cluster/src/portal/main.ts')
const startTimeoutMs = 90_000

export type ProcessName = 'auth' | 'catalog' | 'notifications' | 'delivery' | 'gateway-1' | 'gateway-2'
export const processNames: readonly ProcessName[] = [
  'auth',
  'catalog',
  'notifications',
  'delivery',
  'gateway-1',
  'gateway-2',
]

/** Engines that several portals may share; each portal uses its own prefix. */
export type SharedEngines = {
  readonly redisUrl: string
  readonly kafkaUrl: string
  /** Default: a separate stand-in. */
  readonly eventStoreUrl?: string | undefined
}

export type DistributedPortal = {
  readonly address: string
  /** EVENT_STORE_URL, BUS_URL, READ_MODEL_URL and DATA_DIR, for commands on this portal. */
  readonly settings: Environment
  readonly dataDir: string
  /** The supervisor that `make run-distributed` starts. */
  readonly child: ChildProcess
  /** Output of both streams so far. */
  output(): string
  pidOf(name: ProcessName): Promise<number>
  /** Kills the process with SIGKILL and resolves when it is gone. The supervisor restarts it. */
  kill(name: ProcessName): Promise<void>
  /** Runs the work while the process hangs, so that the process learns of it only afterwards. */
  whileHanging<T>(name: ProcessName, work: () => Promise<T>): Promise<T>
  /** Resolves when a new process serves under the name. */
  waitForRestart(name: ProcessName, pid: number): Promise<void>
  /** Stops the portal with SIGTERM and removes its data. Resolves with the exit code. */
  stop(): Promise<number | null>
}

const withQuery = (url: string, query: Readonly<Record<string, string>>): string => {
  const joined = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `${url}${url.includes('?') ? '&' : '?'}${joined.join('&')}`
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // no such process
  }
}

/** Starts the portal as `make run-distributed` does, in its own data folder, and waits until it serves. */
export const startDistributedPortal = async (
  engines: SharedEngines,
  options: {
    readonly settings?: Environment
    readonly port?: number
    /** Runs before the processes start, with their settings. */
    readonly prepare?: (settings: Environment) => Promise<void>
  } = {},
): Promise<DistributedPortal> => {
  const folder = await mkdtemp(join(tmpdir(), 'distributed-'))
  const dataDir = join(folder, 'data')
  const prefix = `test-${randomUUID().slice(0, 8)}`
  const standIn =
    engines.eventStoreUrl === undefined ? await startEventStoreStandIn({ folder: join(folder, 'events') }) : undefined
  const port = options.port ?? (await freePort())
  const settings = {
    DATA_DIR: dataDir,
    EVENT_STORE_URL: engines.eventStoreUrl ?? standIn?.url ?? '',
    BUS_URL: withQuery(engines.kafkaUrl, { prefix: `${prefix}.`, partitions: '2' }),
    READ_MODEL_URL: withQuery(engines.redisUrl, { prefix }),
  }
  await options.prepare?.(settings)
  const { child, exited, output, end } = spawnProgram(program, {
    HOST: '127.0.0.1',
    PORT: String(port),
    ...settings,
    ...options.settings,
  })

  const cleanUp = async (): Promise<void> => {
    await standIn?.stop()
    await Promise.all([dropRedisKeys(engines.redisUrl, prefix), dropKafkaTopics(engines.kafkaUrl, `${prefix}.`)])
    await rm(folder, { recursive: true, force: true })
  }
  const pidOf = async (name: ProcessName): Promise<number> => {
    const pid = Number.parseInt(await readFile(join(dataDir, 'run', `${name}.pid`), 'utf8'), 10)
    if (!Number.isInteger(pid) || pid <= 1) throw new Error(`the process id of ${name} cannot be read`)
    return pid
  }

  const restartsBefore = new Map<ProcessName, number>()
  const restartsOf = (name: ProcessName): number => output().split(`${name} serves again`).length - 1

  const serves = () => output().includes('Portal is running at')
  try {
    await Promise.race([
      eventually('the portal serves', serves, startTimeoutMs),
      exited.then(([code]) => {
        throw new Error(`the portal ended with ${code} instead of starting`)
      }),
    ])
  } catch (error) {
    await end('SIGTERM')
    await cleanUp()
    throw new Error(`${String(error)}\n${output()}`, { cause: error })
  }

  return {
    address: `http://127.0.0.1:${port}`,
    settings,
    dataDir,
    child,
    output,
    pidOf,
    kill: async (name) => {
      restartsBefore.set(name, restartsOf(name))
      const pid = await pidOf(name)
      process.kill(pid, 'SIGKILL')
      await eventually(`${name} is gone`, () => !isAlive(pid))
    },
    whileHanging: async (name, work) => {
      const pid = await pidOf(name)
      process.kill(pid, 'SIGSTOP')
      try {
        return await work()
      } finally {
        // The work may have killed it.
        if (isAlive(pid)) process.kill(pid, 'SIGCONT')
      }
    },
    waitForRestart: (name, pid) =>
      eventually(
        `${name} serves again`,
        // A process that finds an engine down ends and is started again: its file is missing meanwhile.
        async () => restartsOf(name) > (restartsBefore.get(name) ?? 0) && (await pidOf(name).catch(() => pid)) !== pid,
        60_000,
      ).then(() => undefined),
    stop: async () => {
      const code = await end('SIGTERM')
      const left = (await readdir(join(dataDir, 'run')).catch(() => [])).filter((name) => name.endsWith('.pid'))
      await cleanUp()
      if (left.length > 0) throw new Error(`${left.join(', ')} were left behind:\n${output()}`)
      return code
    },
  }
}

/** Deletes the data of a test portal from shared servers. */
export const dropRedisKeys = async (url: string, prefix: string): Promise<void> => {
  const client = createClient({ url: url.split('?')[0] ?? url })
  await client.connect()
  try {
    for await (const keys of client.scanIterator({ MATCH: `{${prefix}:*`, COUNT: 1_000 })) {
      if (keys.length > 0) await client.unlink(keys)
    }
  } finally {
    client.destroy()
  }
}

const withKafkaAdmin = async (brokers: readonly string[], work: (admin: Admin) => Promise<void>): Promise<void> => {
  const admin = new Kafka({ clientId: 'tests', brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.disconnect()
  }
}

export const dropKafkaTopics = (url: string, prefix: string): Promise<void> => {
  const brokers = (url.split('?')[0] ?? '').replace(/^kafka:\/\//, '').split(',')
  return withKafkaAdmin(brokers, async (admin) => {
    const ours = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix))
    if (ours.length > 0) await admin.deleteTopics({ topics: ours })
  })
}

/** Deletes all messages of a portal in Kafka, as an extreme retention would. */
export const deleteKafkaRecords = (settings: Environment): Promise<void> => {
  const { host, searchParams } = new URL((settings['BUS_URL'] ?? '').replace(/^kafka:/, 'http:'))
  return withKafkaAdmin([host], async (admin) => {
    for (const topic of topics.map((name) => `${searchParams.get('prefix') ?? ''}${name}`)) {
      const ends = await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      })
    }
  })
}
