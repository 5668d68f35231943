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
 * What waits to be sent to a client. Engine.IO keeps it without a bound and without an official way to look, hence the
 * checks of what is really there.
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

  /** Closes the transport without waiting for what is unsent: the client comes back and resumes. */
  const dropIfStuck = (socket: PortalSocket): boolean => {
    if (!isStuck(socket, limits)) return false
    count += 1
    logger.warn({ userId: socket.data.session.userId }, 'A socket was disconnected: its client does not read')
    socket.conn.close(true)
    return true
  }

  return {
    /** True if the client was disconnected. */
    dropIfStuck,
    dropStuck: (user: UserConnections): void => {
      for (const socket of user.sockets) dropIfStuck(socket)
    },
    /** How many were disconnected. */
    get count() {
      return count
    },
  }
}

const ignoreError = (): void => undefined

/**
 * The TCP connections of web sockets. A client that does not read never answers a closing frame either, so closing its web socket
 * would hold up the end of the process for half a minute.
 */
export const trackUpgraded = (server: Pick<HttpServer, 'on'>) => {
  const open = new Set<Duplex>()
  server.on('upgrade', (_request: IncomingMessage, connection: Duplex) => {
    open.add(connection)
    // While the handshake is checked nobody else listens, and an error without a listener ends the process.
    connection.on('error', ignoreError)
    connection.once('close', () => open.delete(connection))
  })
  return {
    /** Once their clients have been told: resolves when all are closed, by force after the grace. */
    closeWithin: async (graceMs: number): Promise<void> => {
      const closing = [...open].map((connection) => new Promise<void>((done) => void connection.once('close', done)))
      const closed = Promise.all(closing)
      await Promise.race([closed, pause(graceMs, undefined, { ref: false })])
      for (const connection of open) connection.destroy()
      await closed
    },
  }
}
