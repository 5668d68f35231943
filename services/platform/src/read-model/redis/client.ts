import { createClient, createCluster } from 'redis'
import type { RedisAddress } from './address.ts'

/** Replies as the server gave them; whoever asks says what it expects (replies.ts). */
export type Send = (key: string, command: readonly string[]) => Promise<unknown>

/** One server or a cluster, seen as the same: the key of a command decides which node it goes to. */
export type Client = {
  connect(): Promise<unknown>
  readonly send: Send
  /** The server that keys live on: each master of a cluster. */
  nodes(): Promise<readonly ((command: readonly string[]) => Promise<unknown>)[]>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** After what is under way. */
  close(): Promise<unknown>
  destroy(): void
}

/** Commands that wait or are under way; past it calls reject at once. */
const mostCommands = 100_000
/** Of a command that waits for a connection: after it, it is not sent any more. */
export const unsentTimeoutMs = 5_000
const connectTimeoutMs = 2_000

/** For ever: a portal outlives its engines. Spread, or all processes would come back in one moment. */
const reconnectStrategy = (retries: number): number => {
  const pauseMs = Math.min(50 * 2 ** Math.min(retries, 6), 2_000)
  return pauseMs / 2 + Math.floor((Math.random() * pauseMs) / 2)
}

const optionsOf = ({ host, port, tls, username, password, database }: RedisAddress) => ({
  socket: { host, port, connectTimeout: connectTimeoutMs, reconnectStrategy, ...(tls ? { tls: true as const } : {}) },
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  database,
  commandsQueueMaxLength: mostCommands,
  maintNotifications: 'disabled' as const,
  // A signal per command costs more than the command; a call's deadline is our own (connection.ts).
  commandOptions: { timeout: 0 },
})

const openOne = (address: RedisAddress, onError: (error: unknown) => void): Client => {
  const client = createClient(optionsOf(address)).on('error', onError)
  // Subscriptions need a connection of their own only where somebody waits for another process.
  let subscriber: Promise<typeof client> | undefined
  const subscriberOf = () => (subscriber ??= client.duplicate().on('error', onError).connect())
  const send = (command: readonly string[]) =>
    client.sendCommand(command, client.isReady ? undefined : { timeout: unsentTimeoutMs })
  return {
    connect: () => client.connect(),
    send: (_key, command) => send(command),
    nodes: async () => [send],
    subscribe: async (channel, listener) => (await subscriberOf()).sSubscribe(channel, listener),
    unsubscribe: async (channel) => (await subscriberOf()).sUnsubscribe(channel),
    async close() {
      subscriber?.then((connected) => connected.destroy()).catch(onError)
      await client.close()
    },
    destroy() {
      client.destroy()
    },
  }
}

const openCluster = (address: RedisAddress, onError: (error: unknown) => void): Client => {
  const { socket, database: _only, ...defaults } = optionsOf(address)
  const { host, port, ...connection } = socket
  const cluster = createCluster({
    rootNodes: [{ socket }],
    defaults: { ...defaults, socket: connection },
    // Whether a node is connected does not show here, so each command gets the time-out of one that cannot be sent.
    commandOptions: { timeout: unsentTimeoutMs },
  }).on('error', onError)
  return {
    connect: () => cluster.connect(),
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    nodes: async () => {
      const clients = await Promise.all(cluster.masters.map((master) => cluster.nodeClient(master)))
      return clients.map((client) => (command: readonly string[]) => client.sendCommand(command))
    },
    subscribe: (channel, listener) => cluster.sSubscribe(channel, listener),
    unsubscribe: (channel) => cluster.sUnsubscribe(channel),
    close: () => cluster.close(),
    destroy: () => cluster.destroy(),
  }
}

export const openClient = (address: RedisAddress, onError: (error: unknown) => void): Client =>
  address.cluster ? openCluster(address, onError) : openOne(address, onError)
