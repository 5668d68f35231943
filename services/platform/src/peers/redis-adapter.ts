import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Logger } from 'pino'
import { createClient, createCluster } from 'redis'
import { Server, type ServerOptions } from 'socket.io'
import { withTimeout } from '../async/timeout.ts'
import { parseRedisAddress, type RedisAddress } from '../read-model/redis/address.ts'
import type { Peers } from './port.ts'
import { createPeers } from './socket-io.ts'

const connectTimeoutMs = 2_000
const openTimeoutMs = 5_000
const checkTimeoutMs = 2_000
const closeTimeoutMs = 2_000
const longestPauseMs = 1_000
/** Detects a dead connection that would otherwise stay silent. */
const pingEveryMs = 5_000
/** Queued while a server does not respond; further commands are dropped. */
const maxCommands = 10_000

type Listener = (message: Buffer, channel: Buffer) => unknown

/** The Redis commands that the adapter uses, for one server or a cluster. */
type PubSub = {
  connect(): Promise<unknown>
  isReady(): boolean
  publish(channel: string, message: string | Buffer): Promise<unknown>
  subscribe(channel: string, listener: Listener): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  /** Sends a command to each server. */
  readonly servers: () => readonly ((command: readonly string[]) => Promise<unknown>)[]
  close(): Promise<unknown>
  destroy(): void
}

const socketOf = ({ host, port, tls }: RedisAddress) => ({
  host,
  port,
  connectTimeout: connectTimeoutMs,
  reconnectStrategy: (attempts: number) => Math.min(50 * 2 ** Math.min(attempts, 10), longestPauseMs),
  ...(tls ? { tls: true as const } : {}),
})

const credentialsOf = ({ username, password }: RedisAddress) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
})

const oneServer = (address: RedisAddress, onError: (error: unknown) => void): PubSub => {
  const options = {
    ...credentialsOf(address),
    socket: socketOf(address),
    pingInterval: pingEveryMs,
    commandsQueueMaxLength: maxCommands,
    maintNotifications: 'disabled' as const,
  }
  const publisher = createClient(options).on('error', onError)
  const subscriber = createClient(options).on('error', onError)
  return {
    connect: () => Promise.all([publisher.connect(), subscriber.connect()]),
    isReady: () => publisher.isReady,
    publish: (channel, message) => publisher.sPublish(channel, message),
    subscribe: (channel, listener) => subscriber.sSubscribe(channel, listener, true),
    unsubscribe: (channel) => subscriber.sUnsubscribe(channel),
    servers: () => [(command) => publisher.sendCommand(command)],
    close: () => Promise.all([publisher.close(), subscriber.close()]),
    destroy() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}

const cluster = (address: RedisAddress, onError: (error: unknown) => void): PubSub => {
  const { host, port, ...connection } = socketOf(address)
  const client = createCluster({
    rootNodes: [{ socket: { host, port } }],
    defaults: { ...credentialsOf(address), socket: connection, maintNotifications: 'disabled' as const },
  }).on('error', onError)
  return {
    connect: () => client.connect(),
    isReady: () => client.isOpen,
    publish: (channel, message) => client.sPublish(channel, message),
    subscribe: (channel, listener) => client.sSubscribe(channel, listener, true),
    unsubscribe: (channel) => client.sUnsubscribe(channel),
    servers: () =>
      client.masters.map(
        (master) => async (command: readonly string[]) => (await client.nodeClient(master)).sendCommand(command),
      ),
    close: () => client.close(),
    destroy: () => client.destroy(),
  }
}

/**
 * The client for the adapter, which awaits no call: an unhandled rejection would end the process. A message that cannot be published
 * at once is dropped, because it would be useless later. A message sent while the connection breaks may still arrive late, which is
 * harmless.
 */
const asAdapterClient = (redis: PubSub, logger: Pick<Logger, 'debug' | 'error'>) => ({
  sPublish: async (channel: string, message: string | Buffer): Promise<void> => {
    if (!redis.isReady()) return
    await redis.publish(channel, message).catch((err: unknown) => logger.debug({ err }, 'peer message dropped'))
  },
  sSubscribe: (channel: string, listener: Listener): void => {
    redis.subscribe(channel, listener).catch((err: unknown) => logger.error({ err }, 'cluster subscription failed'))
  },
  sUnsubscribe: async (channel: string): Promise<void> => {
    await redis.unsubscribe(channel).catch((err: unknown) => logger.debug({ err }, 'cluster unsubscription failed'))
  },
  // The adapter detects a cluster by this list, because each master counts its own subscribers.
  get masters() {
    return redis.servers().map((sendCommand) => ({ client: { sendCommand } }))
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
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
}

/**
 * Socket.IO's adapter over sharded pub/sub of Redis, which works with one server and with a cluster. Streams are not needed: messages
 * are useless a moment later, and clients that were offline catch up by the sequence number of their inbox.
 */
export const openPeerAdapter = async ({ url, logger }: PeerAdapterOptions): Promise<PeerAdapter> => {
  const address = parseRedisAddress(url)
  let isInterrupted = false
  const onError = (err: unknown): void => {
    if (!isInterrupted) logger.warn({ err }, 'peer connection lost, reconnecting')
    isInterrupted = true
  }
  const redis = address.cluster ? cluster(address, onError) : oneServer(address, onError)
  try {
    await withTimeout(redis.connect(), openTimeoutMs, 'connecting to Redis for peers')
  } catch (error) {
    redis.destroy()
    throw error
  }
  const client = asAdapterClient(redis, logger)

  return {
    adapter: createShardedAdapter(client, client, {
      channelPrefix: `${address.prefix}:sockets`,
      // Each gateway emits to its own rooms only, so a subscription per room would be useless.
      subscriptionMode: 'static',
    }),
    check: async () => {
      const pings = Promise.all(redis.servers().map((send) => send(['PING'])))
      await withTimeout(pings, checkTimeoutMs, 'pinging Redis')
      if (isInterrupted) logger.info('peer connection restored')
      isInterrupted = false
    },
    close: async () => {
      await withTimeout(redis.close(), closeTimeoutMs, 'closing the peer connection').catch(() => redis.destroy())
    },
  }
}

/** Connects a process without client sockets: a Socket.IO server that accepts no clients. */
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
