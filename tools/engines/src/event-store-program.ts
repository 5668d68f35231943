import { join, resolve } from 'node:path'
import type { Engine, EngineOptions } from './engine.ts'
import { pingPort } from './event-store-stand-in.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

/** The settings of a real EventStoreDB for tests, in a container or as a process. */
export const eventStoreDbEnvironment = {
  EVENTSTORE_INSECURE: 'true',
  EVENTSTORE_CLUSTER_SIZE: '1',
  EVENTSTORE_RUN_PROJECTIONS: 'None',
  EVENTSTORE_TELEMETRY_OPTOUT: 'true',
  // An append has up to 1 MiB of JSON, which takes more in the server's format.
  EVENTSTORE_MAX_APPEND_SIZE: '4194304',
} as const

export const pingEventStoreDb = async (port: number): Promise<void> => {
  await pingPort(port)
  const { status } = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(2_000) })
  if (status >= 300) throw new Error(`/health/live answered ${status}`)
}

/** Starts a real EventStoreDB that is installed on this machine. `program` is the path of `eventstored`, 23.10 or newer. */
export const startEventStoreProgram = async (
  program: string,
  { folder, port, lifetime }: EngineOptions,
): Promise<Engine> => {
  const chosen = port ?? (await freePort())
  const home = resolve(folder)
  return startServer({
    name: 'EventStoreDB',
    url: `esdb://127.0.0.1:${chosen}?tls=false`,
    folder: home,
    command: program,
    args: [],
    environment: {
      ...eventStoreDbEnvironment,
      EVENTSTORE_NODE_PORT: String(chosen),
      EVENTSTORE_REPLICATION_PORT: String(await freePort()),
      EVENTSTORE_DB: join(home, 'data'),
      EVENTSTORE_INDEX: join(home, 'index'),
      EVENTSTORE_LOG: join(home, 'log'),
    },
    ping: () => pingEventStoreDb(chosen),
    startTimeoutMs: 60_000,
    lifetime,
  })
}
