import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { Peers } from './port.ts'
import { openPeerAdapter } from './redis-adapter.ts'
import { createPeers } from './socket-io.ts'

/** For a process without sockets of its own: a Socket.IO server that no client reaches. */
export const openPeers = async (options: {
  readonly url: string
  readonly logger: Logger
}): Promise<Peers & { check(): Promise<void> }> => {
  const { adapter, check, close } = await openPeerAdapter(options)
  const namespace = new Server({ adapter }).of('/')
  const peers = createPeers({ namespace, logger: options.logger })
  return {
    ...peers,
    check,
    close: async () => {
      await peers.close()
      await namespace.adapter.close()
      await close()
    },
  }
}
