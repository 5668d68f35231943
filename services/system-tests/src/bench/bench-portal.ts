import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEngines } from '@portal/engines/engines'
import type { Socket } from 'socket.io-client'
import { logIn, seededEmail, userIdsByEmail } from '../testing/api-client.ts'
import {
  type DistributedPortal,
  processNames,
  type SharedEngines,
  startDistributedPortal,
} from '../testing/distributed-portal.ts'
import { admin, newDataFolder, nodeBinary, seedLearners, startPortal } from '../testing/portal-process.ts'
import { nowMs } from './measure.ts'
import { cpuMsOf } from './process-usage.ts'

export type BenchLearner = { readonly userId: string; readonly token: string }

export type SignedInPortal = {
  readonly address: string
  readonly adminToken: string
  readonly password: string
  readonly userIds: ReadonlyMap<string, string>
  /** The first learners, logged in. Each logs in only once. */
  learners(count: number): Promise<readonly BenchLearner[]>
  /** Processor time of all its processes, without the engines, since their start. */
  cpuMs(): Promise<number>
}

/** A seeded portal in its own process. */
export type BenchPortal = SignedInPortal & {
  readonly pid: number
  readonly dataDir: string
  stop(): Promise<void>
}

export const startBenchPortal = async (
  learnerCount: number,
  options: {
    readonly prepare?: (dataDir: string) => Promise<void>
    readonly settings?: Readonly<Record<string, string>>
    readonly startTimeoutMs?: number
    /** The checkout that runs; default: this one. */
    readonly root?: string
  } = {},
): Promise<BenchPortal> => {
  const { startTimeoutMs } = options
  const folder = await newDataFolder()
  let portal: Awaited<ReturnType<typeof startPortal>> | undefined
  const stop = async () => {
    await portal?.stop()
    await folder.remove()
  }
  try {
    const password = await seedLearners(folder.path, learnerCount, {}, options.root)
    await options.prepare?.(folder.path)
    const { address, pid } = (portal = await startPortal({
      dataDir: folder.path,
      settings: options.settings ?? {},
      root: options.root,
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    }))
    const signedInPortal = await signedIn(address, password, startTimeoutMs)
    return { ...signedInPortal, cpuMs: async () => cpuMsOf(pid), pid, dataDir: folder.path, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const defaultLogInTimeoutMs = 60_000

/** A portal with much to read is up before it knows its first admin. Attempts are few, because wrong passwords are limited. */
const logInAdmin = async (address: string, timeoutMs: number): Promise<string> => {
  const deadlineMs = nowMs() + timeoutMs
  for (let pauseMs = 1_000; ; pauseMs *= 2) {
    try {
      return (await logIn(address, admin.email, admin.password)).token
    } catch (error) {
      if (nowMs() + pauseMs > deadlineMs) throw error
    }
    await pause(pauseMs)
  }
}

/** Logs in the admin and, on demand, each learner once. */
const signedIn = async (
  address: string,
  password: string,
  logInTimeoutMs = defaultLogInTimeoutMs,
): Promise<Omit<SignedInPortal, 'cpuMs'>> => {
  const adminToken = await logInAdmin(address, logInTimeoutMs)
  const userIds = await userIdsByEmail(address, adminToken)
  const loggedIn: BenchLearner[] = []
  return {
    address,
    adminToken,
    password,
    userIds,
    learners: async (count) => {
      while (loggedIn.length < count) {
        const numbers = Array.from(
          { length: Math.min(availableParallelism(), count - loggedIn.length) },
          (_, n) => loggedIn.length + n + 1,
        )
        loggedIn.push(...(await Promise.all(numbers.map((n) => logIn(address, seededEmail(n), password)))))
      }
      return loggedIn.slice(0, count)
    },
  }
}

/** The baseline: the same frameworks without the portal. */
export type BareProcess = { readonly address: string; readonly pid: number; stop(): Promise<void> }

export const startBareServer = async (databasePath: string): Promise<BareProcess> => {
  const script = join(import.meta.dirname, 'bare-server.ts')
  const child = spawn(nodeBinary, [script, databasePath], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const pid = child.pid
  if (pid === undefined) throw new Error('the bare server did not start')
  return {
    address: String(line).trim(),
    pid,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

type BenchEngines = SharedEngines & { stop(): Promise<void> }

/** Kafka and Redis as `make engines-up` starts them. The Kafka of the tests starts faster but runs slower. */
export const startBenchEngines = async (): Promise<BenchEngines> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-engines-'))
  const { bus, readModel } = await startEngines({ folder, kinds: ['bus', 'readModel'], lifetime: 'detached' })
  return {
    kafkaUrl: bus.url,
    redisUrl: readModel.url,
    stop: async () => {
      await Promise.all([bus.stop(), readModel.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type BenchDistributed = SignedInPortal & { readonly portal: DistributedPortal }

/** Four services and two gateways, with learners. */
export const startBenchDistributed = async (engines: SharedEngines, learners: number): Promise<BenchDistributed> => {
  let password = ''
  const portal = await startDistributedPortal(engines, {
    prepare: async (settings) => {
      password = await seedLearners(settings['DATA_DIR'] ?? '', learners, settings)
    },
  })
  return {
    ...(await signedIn(portal.address, password)),
    cpuMs: async () => {
      const pids = await Promise.all(processNames.map(portal.pidOf))
      return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
    },
    portal,
  }
}

/** Resolves when all sockets are connected. */
export const waitForConnections = async (sockets: readonly Socket[]): Promise<void> => {
  await Promise.all(
    sockets.map((socket) =>
      socket.connected
        ? undefined
        : new Promise<void>((resolve, reject) => {
            socket.once('connect', resolve)
            socket.once('connect_error', reject)
          }),
    ),
  )
}

const maxParallelConnects = 200

/** Opens the sockets `from` up to, but not including, `to`, some at a time. Resolves when they are connected. */
export const connectSockets = async (from: number, to: number, open: (n: number) => Socket): Promise<Socket[]> => {
  const sockets: Socket[] = []
  while (from + sockets.length < to) {
    const first = from + sockets.length
    const some = Array.from({ length: Math.min(maxParallelConnects, to - first) }, (_, n) => open(first + n))
    await waitForConnections(some)
    sockets.push(...some)
  }
  return sockets
}
