import { createConnection } from 'node:net'
import { resolve } from 'node:path'
import { type Engine, type EngineOptions, requireCommand } from './engine.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

const pingTimeoutMs = 1_000

/** Redis' protocol takes a bare line; while it still loads its file the answer is an error. */
export const pingRedis = (port: number): Promise<void> =>
  new Promise((onPong, onRefusal) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: pingTimeoutMs }, () => socket.write('PING\r\n'))
    const end = (refusal?: Error) => {
      socket.destroy()
      if (refusal) onRefusal(refusal)
      else onPong()
    }
    socket.once('data', (answer) => end(answer.toString().startsWith('+PONG') ? undefined : new Error(`${answer}`)))
    socket.once('timeout', () => end(new Error(`no answer on port ${port}`)))
    socket.once('error', end)
  })

/** Debian's redis-server, writing each change to its file, which the system syncs once a second. */
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
    folder: resolve(folder),
    command,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ping: () => pingRedis(chosen),
    startTimeoutMs: 30_000,
    lifetime,
  })
}
