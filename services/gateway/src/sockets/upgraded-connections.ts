import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

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
