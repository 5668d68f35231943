import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@portal/engines/free-port'
import { createClient } from 'redis'

/** A server of one test, which can be killed, stopped and emptied. Its data outlives its process. */
export type OwnServer = {
  readonly port: number
  readonly url: string
  /** Its address and the port of the cluster bus, as redis-cli expects them. */
  readonly clusterNode: string
  /** Resolves once it serves. */
  start(): Promise<void>
  /** Ends the process with the signal, and resolves when it has ended. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Signals the server. After SIGSTOP connections stay open without replies, until SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Copies its data on disk for `startOlder`. */
  keepCopy(): Promise<void>
  /** Starts on the copied data, as after a power cut or a failover to a lagging replica. */
  startOlder(): Promise<void>
  /** Sends a command without the adapter. */
  command(...command: string[]): Promise<unknown>
  dispose(): Promise<void>
}

/**
 * A kill loses no acknowledged write: without syncs, Redis appends to its log before each reply. With `everysec`, as in production, it
 * holds writes back for up to two seconds while the disk is busy with a sync. `startOlder` shows such a loss.
 */
export const makeOwnServer = async (...settings: string[]): Promise<OwnServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'redis-server-'))
  const [port, clusterPort] = [await freePort(), await freePort()]
  const network = ['--port', String(port), '--cluster-port', String(clusterPort), '--bind', '127.0.0.1']
  const storage = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'no']
  let child: ChildProcess | undefined

  const command = async (...words: string[]): Promise<unknown> => {
    const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.sendCommand(words)
    } finally {
      client.destroy()
    }
  }

  const serves = async (): Promise<boolean> => {
    try {
      return (await command('PING')) === 'PONG'
    } catch {
      return false
    }
  }

  const kill = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }

  const start = async () => {
    const started = spawn('redis-server', [...network, ...storage, ...settings], { stdio: 'ignore' })
    child = started
    while (!(await serves())) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  const [data, copy] = [join(folder, 'appendonlydir'), join(folder, 'copy')]

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    clusterNode: `127.0.0.1:${port}@${clusterPort}`,
    start,
    kill,
    async keepCopy() {
      await rm(copy, { recursive: true, force: true })
      await cp(data, copy, { recursive: true })
    },
    async startOlder() {
      await rm(data, { recursive: true })
      await cp(copy, data, { recursive: true })
      await start()
    },
    signal: (signal) => child?.kill(signal),
    command,
    async dispose() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An address that a failover moves to another server. */
export const startProxy = async (port: number) => {
  const sockets = new Set<Socket>()
  let target = port
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return {
    url: `redis://127.0.0.1:${address.port}`,
    /** Moves new connections. Existing ones stay. */
    pointTo(next: number) {
      target = next
    },
    leadTo(next: number) {
      target = next
      for (const socket of sockets) socket.destroy()
    },
    /** Connections stay open and deliver nothing, as with a machine that vanished. */
    swallow() {
      for (const socket of sockets) socket.unpipe().resume()
    },
    /** The same for the connection that was made first. */
    swallowOldest() {
      for (const socket of [...sockets].slice(0, 2)) socket.unpipe().resume()
    },
    /** The same for the connection that was made last. */
    swallowNewest() {
      for (const socket of [...sockets].slice(-2)) socket.unpipe().resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
