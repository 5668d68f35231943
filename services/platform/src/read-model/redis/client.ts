import { createClient, createCluster } from 'redis'
import type { RedisAddress } from './address.ts'

export type SendToNode = (command: readonly string[]) => Promise<unknown>

/** One server or a cluster, seen as the same: the key of a command decides which node it goes to. */
export type Client = {
  connect(): Promise<unknown>
  /** Replies are as the server gave them; whoever asks says what it expects (replies.ts). */
  send(key: string, command: readonly string[]): Promise<unknown>
  /** The servers that keys live on: the masters of a cluster. */
  nodes(): Promise<readonly SendToNode[]>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** After what is under way. */
  close(): Promise<unknown>
  destroy(): void
}

/** Commands that wait or are under way; past it calls reject at once. */
const mostCommands = 100_000
/** Of a command that waits for a connection: after it, it is not sent any more. */
const unsentTimeoutMs = 5_000
const connectTimeoutMs = 2_000

/** For ever: a portal outlives its engines. Spread, or all processes would come back in one moment. */
const reconnectStrategy = (retries: number): number => {
  const pauseMs = Math.min(50 * 2 ** Math.min(retries, 6), 2_000)
  return pauseMs / 2 + Math.floor((Math.random() * pauseMs) / 2)
}

const socketOf = ({ tls }: RedisAddress) => ({
  connectTimeout: connectTimeoutMs,
  reconnectStrategy,
  ...(tls ? { tls: true as const } : {}),
})

const optionsOf = ({ username, password }: RedisAddress) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  commandsQueueMaxLength: mostCommands,
  maintNotifications: 'disabled' as const,
})

const openOne = (address: RedisAddress, onError: (error: unknown) => void): Client => {
  const { host, port, database } = address
  const client = createClient({
    ...optionsOf(address),
    database,
    socket: { ...socketOf(address), host, port },
    // A signal per command costs more than the command; a call's deadline is our own (connection.ts).
    commandOptions: { timeout: 0 },
  }).on('error', onError)
  // Subscriptions take a connection of their own, and only where somebody waits for another process.
  const subscriber = client.duplicate().on('error', onError)
  let subscribing: Promise<unknown> | undefined
  const send = (command: readonly string[]) =>
    client.sendCommand(command, client.isReady ? undefined : { timeout: unsentTimeoutMs })
  return {
    connect: () => client.connect(),
    send: (_key, command) => send(command),
    nodes: async () => [send],
    async subscribe(channel, listener) {
      await (subscribing ??= subscriber.connect())
      await subscriber.sSubscribe(channel, listener)
    },
    unsubscribe: (channel) => subscriber.sUnsubscribe(channel),
    close() {
      subscriber.destroy()
      return client.close()
    },
    destroy() {
      subscriber.destroy()
      client.destroy()
    },
  }
}

const openCluster = (address: RedisAddress, onError: (error: unknown) => void): Client => {
  const { host, port } = address
  const socket = socketOf(address)
  const cluster = createCluster({
    rootNodes: [{ ...optionsOf(address), socket: { ...socket, host, port } }],
    defaults: { ...optionsOf(address), socket },
    // Whether a node is connected does not show here, so each command gets the time-out of one that cannot be sent.
    commandOptions: { timeout: unsentTimeoutMs },
  }).on('error', onError)
  return {
    connect: () => cluster.connect(),
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    async nodes() {
      const clients = await Promise.all(cluster.masters.map((master) => cluster.nodeClient(master)))
      return clients.map((client) => (command) => client.sendCommand(command))
    },
    subscribe: (channel, listener) => cluster.sSubscribe(channel, listener),
    unsubscribe: (channel) => cluster.sUnsubscribe(channel),
    close: () => cluster.close(),
    destroy: () => cluster.destroy(),
  }
}

export const openClient = (address: RedisAddress, onError: (error: unknown) => void): Client =>
  address.cluster ? openCluster(address, onError) : openOne(address, onError)
