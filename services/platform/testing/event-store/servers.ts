import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { eventStoreDbImage } from '@portal/engines/docker'
import { isDockerAvailable } from '@portal/engines/docker-cli'
import { eventStoreDbEnvironment, startEventStoreProgram } from '@portal/engines/event-store-program'
import { GenericContainer, Wait } from 'testcontainers'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { startStandIn } from '@portal/engines/event-store/start'

/** A server with an empty log, behind a fault proxy. */
export type ServerUnderTest = Omit<FaultProxy, 'stop' | 'port'> & {
  readonly url: string
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Starts it again with its data, at the same address. */
  restart(): Promise<void>
  /** Makes another server answer at this address, as after a restore from an older copy. */
  switchTo(other: ServerUnderTest): void
  stop(): Promise<void>
}

type Address = { host: string; port: number }
type Process = {
  address(): Address
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

const standInProcess = async (): Promise<Process> => {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  let running = await startStandIn({ folder })
  const { port } = running
  return {
    address: () => ({ host: '127.0.0.1', port }),
    kill: () => running.stop('SIGKILL'),
    restart: async () => {
      running = await startStandIn({ folder, port })
    },
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true })
    },
  }
}

const containerProcess = async (image: string): Promise<Process> => {
  const container = await new GenericContainer(image)
    .withEnvironment(eventStoreDbEnvironment)
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start()
  return {
    address: () => ({ host: container.getHost(), port: container.getMappedPort(2113) }),
    kill: async () => {
      await container.stop({ remove: false, timeout: 0 })
    },
    restart: () => container.restart(),
    stop: async () => {
      await container.stop()
    },
  }
}

const programProcess = async (program: string): Promise<Process> => {
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'))
  const engine = await startEventStoreProgram(program, { folder })
  return {
    address: () => ({ host: '127.0.0.1', port: Number(new URL(engine.url).port) }),
    kill: () => engine.kill(),
    restart: () => engine.restart(),
    stop: async () => {
      await engine.stop()
      await rm(folder, { recursive: true })
    },
  }
}

const addresses = new WeakMap<ServerUnderTest, () => Address>()

const start = async (open: () => Promise<Process>): Promise<ServerUnderTest> => {
  const running = await open()
  let address = running.address
  const { port, stop, ...faults } = await startFaultProxy(() => address())
  const server: ServerUnderTest = {
    ...faults,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    kill: async () => {
      await running.kill()
      faults.refuse()
    },
    restart: async () => {
      await running.restart()
      faults.serve()
    },
    switchTo: (other) => {
      address = addresses.get(other) ?? address
      faults.drop()
    },
    stop: async () => {
      await stop()
      await running.stop()
    },
  }
  addresses.set(server, running.address)
  return server
}

const program = process.env['TEST_ESDB_PROGRAM']
const image =
  process.env['TEST_ESDB_IMAGE'] ??
  (process.env['CIRCLE'] === 'verify' && isDockerAvailable() ? eventStoreDbImage : undefined)

export type StartServer = () => Promise<ServerUnderTest>

/**
 * The real EventStoreDB: the installed program that `TEST_ESDB_PROGRAM` names, and a container of the image in `TEST_ESDB_IMAGE`, which
 * `make verify` chooses itself if Docker is available.
 */
export const realServers: readonly (readonly [string, StartServer])[] = [
  ...(program ? [[basename(program), () => start(() => programProcess(program))] as const] : []),
  ...(image ? [[image, () => start(() => containerProcess(image))] as const] : []),
]

/** Servers by name: the stand-in, and the real EventStoreDB where there is one. */
export const serversUnderTest: readonly (readonly [string, StartServer])[] = [
  ['the stand-in', () => start(standInProcess)],
  ...realServers,
]
