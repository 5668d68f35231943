import { isIP, connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

const keepAliveMs = 60_000

export type Connections = {
  readonly socketFactory: ISocketFactory
  /** How many connections have closed. kafkajs opens others by itself and says nothing. */
  cuts(): number
  /** Closes those that are open, and opens none any more: kafkajs opens some while it disconnects, and forgets them. */
  end(): void
}

/**
 * Opens connections as kafkajs does by itself, and counts those that close: behind the next one may be a Kafka that has lost its
 * data, which has to be looked at first. With `untilCut` none is opened any more once one has closed.
 */
export const watchConnections = ({ untilCut = false }: { readonly untilCut?: boolean } = {}): Connections => {
  const open = new Set<{ destroy(): unknown }>()
  const opening = new Set<{ destroy(): unknown }>()
  let cuts = 0
  let isEnded = false

  const onClose = () => {
    cuts++
    if (!untilCut) return
    for (const socket of opening) socket.destroy()
  }

  return {
    cuts: () => cuts,
    end() {
      isEnded = true
      for (const socket of open) socket.destroy()
    },
    socketFactory({ host, port, ssl, onConnect }) {
      if (isEnded) throw new Error('The connections to Kafka have been closed')
      if (untilCut && cuts > 0) throw new Error('A connection was lost: Kafka is looked at before anything is written')
      const connected = () => {
        opening.delete(socket)
        onConnect()
      }
      // The types have it always, kafkajs only where TLS is wanted.
      const tls: typeof ssl | undefined = ssl
      const socket = tls
        ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...tls }, connected)
        : connectPlain({ host, port }, connected)
      socket.setKeepAlive(true, keepAliveMs)
      open.add(socket)
      opening.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        opening.delete(socket)
        onClose()
      })
      return socket
    },
  }
}
