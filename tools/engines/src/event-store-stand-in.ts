import { once } from 'node:events'
import { createConnection } from 'node:net'
import { join, resolve } from 'node:path'
import type { Engine, EngineOptions } from './engine.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

const main = join(import.meta.dirname, 'event-store/main.ts')

export const pingPort = async (port: number): Promise<void> => {
  const socket = createConnection({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

/** Starts a stand-in that speaks EventStoreDB's protocol, for machines without Docker. It listens once it has loaded its data. */
export const startEventStoreStandIn = async ({ folder, port, lifetime }: EngineOptions): Promise<Engine> => {
  const chosen = port ?? (await freePort())
  const home = resolve(folder)
  return startServer({
    name: "EventStoreDB's stand-in",
    url: `esdb://127.0.0.1:${chosen}?tls=false`,
    folder: home,
    command: process.execPath,
    args: [main, '--port', String(chosen), '--data', join(home, 'data')],
    ping: () => pingPort(chosen),
    startTimeoutMs: 30_000,
    lifetime,
  })
}
