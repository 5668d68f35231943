import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { UserConnections, PortalSocket } from './connections.ts'
import type { SocketLimits } from './limits.ts'

const textLength = (packet: unknown): number =>
  typeof packet === 'object' && packet !== null && 'data' in packet && typeof packet.data === 'string'
    ? packet.data.length
    : 0

/**
 * The amount of unsent data. Engine.IO buffers without a limit and has no public API for it, so this reads its
 * internals with checks.
 */
const backlogOf = ({ conn }: PortalSocket): { readonly packets: number; readonly bytes: number } => {
  const engine: object = conn
  const buffer: readonly unknown[] =
    'writeBuffer' in engine && Array.isArray(engine.writeBuffer) ? engine.writeBuffer : []
  const transport: object = conn.transport
  const webSocket = 'socket' in transport ? transport.socket : undefined
  const buffered =
    typeof webSocket === 'object' && webSocket !== null && 'bufferedAmount' in webSocket
      ? Number(webSocket.bufferedAmount)
      : 0
  return { packets: buffer.length, bytes: buffer.reduce<number>((sum, packet) => sum + textLength(packet), buffered) }
}

const isStuck = (socket: PortalSocket, limits: SocketLimits): boolean => {
  const { packets, bytes } = backlogOf(socket)
  return packets > limits.pendingPackets || bytes > limits.pendingBytes
}

/** Disconnects clients that have stopped reading. */
export const createStuckClients = (limits: SocketLimits, logger: Logger) => {
  let count = 0

  /** Closes the transport without flushing. The client reconnects and resumes. */
  const dropIfStuck = (socket: PortalSocket): boolean => {
    if (!isStuck(socket, limits)) return false
    count += 1
    logger.warn({ userId: socket.data.session.userId }, 'client does not read, socket disconnected')
    socket.conn.close(true)
    return true
  }

  return {
    /** True if the client was disconnected. */
    dropIfStuck,
    dropStuck: (user: UserConnections): void => {
      for (const socket of user.sockets) dropIfStuck(socket)
    },
    /** Number of disconnected clients. */
    get count() {
      return count
    },
  }
}

const ignoreError = (): void => undefined

/**
 * Tracks the TCP connections of web sockets. A client that does not read never answers a close frame, which would
 * delay shutdown by half a minute.
 */
export const trackUpgraded = (server: Pick<HttpServer, 'on'>) => {
  const open = new Set<Duplex>()
  server.on('upgrade', (_request: IncomingMessage, connection: Duplex) => {
    open.add(connection)
    // During the handshake nothing else listens, and an unhandled 'error' event would end the process.
    connection.on('error', ignoreError)
    connection.once('close', () => open.delete(connection))
  })
  return {
    /**
     * Call after the sockets are closed. Resolves when all connections have closed; destroys the rest after
     * `graceMs`.
     */
    closeWithin: async (graceMs: number): Promise<void> => {
      const closing = [...open].map((connection) => new Promise<void>((done) => void connection.once('close', done)))
      const closed = Promise.all(closing)
      await Promise.race([closed, pause(graceMs, undefined, { ref: false })])
      for (const connection of open) connection.destroy()
      await closed
    },
  }
}
