import { createConnection } from 'node:net'
import path from 'node:path'
import { type Engine, type EngineOptions, requireCommand } from './engine.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

const pingTimeoutMs = 1_000

/** Redis accepts inline commands. While it loads its data, it answers with an error. */
export const pingRedis = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: pingTimeoutMs }, () => socket.write('PING\r\n'))
    const end = (error?: Error) => {
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    socket.once('data', (answer) => end(answer.toString().startsWith('+PONG') ? undefined : new Error(`${answer}`)))
    socket.once('timeout', () => end(new Error(`no answer on port ${port}`)))
    socket.once('error', end)
  })

/** Starts redis-server with an append-only file that is synced once a second. */
export const startRedis = async ({ folder, port, lifetime }: EngineOptions): Promise<Engine> => {
  const command = requireCommand('redis-server')
  const chosen = port ?? (await freePort())
  const settings = {
    bind: '127.0.0.1',
    port: String(chosen),
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  }
  return startServer({
    name: 'Redis',
    url: `redis://127.0.0.1:${chosen}`,
    folder: path.resolve(folder),
    command,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ping: () => pingRedis(chosen),
    startTimeoutMs: 30_000,
    lifetime,
  })
}
