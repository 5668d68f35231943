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
/** Finds out that a connection which says nothing is dead. */
const pingEveryMs = 5_000
/** That wait for a server which does not answer; what comes then is dropped. */
const maxCommands = 10_000

type Listener = (message: Buffer, channel: Buffer) => unknown

/** What the adapter needs of Redis, of one server or of a cluster. */
type PubSub = {
  connect(): Promise<unknown>
  isReady(): boolean
  publish(channel: string, message: string | Buffer): Promise<unknown>
  subscribe(channel: string, listener: Listener): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  /** Puts a question to each server. */
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
 * The client as the adapter sees it. It awaits none of what it starts, and a rejection that nobody handles would end the
 * process. What cannot be published at once is dropped, as nobody would want it later; what is said in the very moment in which
 * the connection breaks can still come late, which does no harm.
 */
const asAdapterClient = (redis: PubSub, logger: Pick<Logger, 'debug' | 'error'>) => ({
  sPublish: async (channel: string, message: string | Buffer): Promise<void> => {
    if (!redis.isReady()) return
    await redis.publish(channel, message).catch((err: unknown) => logger.debug({ err }, 'A message was dropped'))
  },
  sSubscribe: (channel: string, listener: Listener): void => {
    redis.subscribe(channel, listener).catch((err: unknown) => logger.error({ err }, 'The others cannot be heard'))
  },
  sUnsubscribe: async (channel: string): Promise<void> => {
    await redis.unsubscribe(channel).catch((err: unknown) => logger.debug({ err }, 'Not unsubscribed'))
  },
  // By this list the adapter tells a cluster, where each master counts its own subscribers.
  get masters() {
    return redis.servers().map((sendCommand) => ({ client: { sendCommand } }))
  },
})

type PeerAdapter = {
  /** For a Socket.IO server; what it emits to rooms must be said to be `local`. */
  readonly adapter: ServerOptions['adapter']
  check(): Promise<void>
  close(): Promise<void>
}

type PeerAdapterOptions = {
  /** READ_MODEL_URL: the Redis that the portal has anyway. */
  readonly url: string
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
}

/**
 * Socket.IO's adapter over Redis' sharded pub/sub, which one server and a cluster both have. Pub/sub and not streams: what goes
 * over it is of no use a moment later, and clients that were away catch up by the sequence of their inbox.
 */
export const openPeerAdapter = async ({ url, logger }: PeerAdapterOptions): Promise<PeerAdapter> => {
  const address = parseRedisAddress(url)
  let isInterrupted = false
  const onError = (err: unknown): void => {
    if (!isInterrupted) logger.warn({ err }, 'The way to the other processes is interrupted')
    isInterrupted = true
  }
  const redis = address.cluster ? cluster(address, onError) : oneServer(address, onError)
  try {
    await withTimeout(redis.connect(), openTimeoutMs, 'connecting to the other processes')
  } catch (error) {
    redis.destroy()
    throw error
  }
  const client = asAdapterClient(redis, logger)

  return {
    adapter: createShardedAdapter(client, client, {
      channelPrefix: `${address.prefix}:sockets`,
      // A subscription for each user's room would be for nothing: rooms are only ever told by their own gateway.
      subscriptionMode: 'static',
    }),
    check: async () => {
      const asked = Promise.all(redis.servers().map((ask) => ask(['PING'])))
      await withTimeout(asked, checkTimeoutMs, 'asking Redis')
      if (isInterrupted) logger.info('The other processes can be reached again')
      isInterrupted = false
    },
    close: async () => {
      await withTimeout(redis.close(), closeTimeoutMs, 'leaving the other processes').catch(() => redis.destroy())
    },
  }
}

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
