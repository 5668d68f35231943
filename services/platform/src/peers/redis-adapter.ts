import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { Server, type ServerOptions } from 'socket.io'
import { withTimeout } from '../async/timeout.ts'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { listOf, type MessageListener } from '../read-model/redis/client.ts'
import { type Connection, type ConnectionTimes, openConnection } from '../read-model/redis/connection.ts'
import type { Peers } from './port.ts'
import { createPeers } from './socket-io.ts'

/** Short, because a message is useless a moment later. */
const defaultTimes: ConnectionTimes = { deadlineMs: 2_000, silentAfterMs: 1_000, renewAfterMs: 2_500, closeMs: 2_000 }

type PeerLogger = Pick<Logger, 'debug' | 'error' | 'warn'>

/**
 * The client for the adapter, which awaits no call. A message that cannot be published soon is dropped. A message sent while the
 * connection breaks may still arrive late, which is harmless.
 */
const asAdapterClient = (connection: Connection, logger: PeerLogger) => ({
  sPublish: async (channel: string, message: string | Buffer): Promise<void> => {
    await connection
      .send(channel, ['SPUBLISH', channel, message])
      .catch((err: unknown) => logger.debug({ err }, 'peer message dropped'))
  },
  sSubscribe: (channel: string, listener: MessageListener): void => {
    connection
      .subscribe(channel, listener)
      .catch((err: unknown) => logger.error({ err }, 'cluster subscription failed'))
  },
  sUnsubscribe: async (channel: string): Promise<void> => {
    await connection
      .unsubscribe(channel)
      .catch((err: unknown) => logger.debug({ err }, 'cluster unsubscription failed'))
  },
  /** The adapter counts subscribers with it. On a cluster, each master counts its own. */
  sendCommand: async (command: readonly string[]): Promise<readonly [channel: string | undefined, count: string]> => {
    const nodes = await connection.nodes()
    const counts = await Promise.all(nodes.map(async (send) => Number(listOf(await send(command))[1])))
    return [command.at(-1), String(counts.reduce((sum, count) => sum + count, 0))]
  },
})

type PeerAdapter = {
  /** Adapter of a Socket.IO server, which must emit to rooms with `local` only. */
  readonly adapter: ServerOptions['adapter']
  check(): Promise<void>
  close(): Promise<void>
}

type PeerAdapterOptions = {
  /** READ_MODEL_URL. */
  readonly url: string
  readonly logger: PeerLogger
  readonly times?: ConnectionTimes
}

/**
 * Socket.IO's adapter over sharded pub/sub of Redis, which works with one server and with a cluster. Streams are not needed: messages
 * are useless a moment later, and clients that were offline catch up by the sequence number of their inbox.
 */
export const openPeerAdapter = async ({
  url,
  logger,
  times = defaultTimes,
}: PeerAdapterOptions): Promise<PeerAdapter> => {
  const address = parseRedisAddress(url)
  const connection = await openConnection(address, times)
  const client = asAdapterClient(connection, logger)
  const channelPrefix = `${address.prefix}:sockets`
  // The adapter subscribes later and does not wait. Now the connection of its subscriptions is open, and the first answers arrive.
  try {
    const subscribing = connection.subscribe(`${channelPrefix}#/#`, () => undefined)
    await withTimeout(subscribing, times.deadlineMs, 'subscribing to messages of peers')
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    adapter: createShardedAdapter(client, client, {
      channelPrefix,
      // Each gateway emits to its own rooms only, so a subscription per room would be useless.
      subscriptionMode: 'static',
    }),
    check: () => connection.ping(),
    close: connection.close,
  }
}

/** Connects a process without client sockets: a Socket.IO server that accepts no clients. */
export const openPeers = async (options: PeerAdapterOptions): Promise<Peers & { check(): Promise<void> }> => {
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
