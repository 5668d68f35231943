import { createHash } from 'node:crypto'
import { createClient, createCluster, ErrorReply } from 'redis'
import { TimeoutError } from '../../async/timeout.ts'
import { ReadModelUnavailableError } from '../errors.ts'
import type { RedisAddress } from './address.ts'

export type SendToNode = (command: readonly string[]) => Promise<unknown>

/** One server or a cluster, seen as the same: the key of a command decides which node it goes to. */
export type Client = {
  connect(): Promise<unknown>
  /** Replies are as the server gave them; callers decode them with `listOf`, `textOf` and `textsOf`. */
  send(key: string, command: readonly string[]): Promise<unknown>
  /** The servers that keys live on: the masters of a cluster. */
  nodes(): Promise<readonly SendToNode[]>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** After what is under way. */
  close(): Promise<unknown>
  destroy(): void
}

export type ClientListeners = {
  onError(error: unknown): void
  /** A server that was connected is not any more, or another server has taken its place. Before anything is sent to the next one. */
  onLost(): void
  onReady(): void
}

/** Commands that are under way; past it calls reject at once. */
const mostCommands = 100_000
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
  // What was meant for a server that is gone is never sent to the one that follows it: whoever waits is asked first (connection.ts).
  disableOfflineQueue: true,
})

const openOne = (address: RedisAddress, { onError, onLost, onReady }: ClientListeners): Client => {
  const { host, port, database } = address
  const client = createClient({
    ...optionsOf(address),
    database,
    socket: { ...socketOf(address), host, port },
    // A signal per command costs more than the command; a call's deadline is our own (connection.ts).
    commandOptions: { timeout: 0 },
  })
    .on('error', onError)
    .on('reconnecting', onLost)
    .on('ready', onReady)
  // Subscriptions take a connection of their own, and only where somebody waits for another process.
  const subscriber = client.duplicate({ disableOfflineQueue: false }).on('error', onError)
  let subscribing: Promise<unknown> | undefined
  const send = (command: readonly string[]) => client.sendCommand(command)
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

type Node = { readonly host: string; readonly port: number }

const openCluster = (address: RedisAddress, { onError, onLost, onReady }: ClientListeners): Client => {
  const { host, port } = address
  const socket = socketOf(address)
  const known = new Set<string>()
  const cluster = createCluster({
    rootNodes: [{ ...optionsOf(address), socket: { ...socket, host, port } }],
    defaults: { ...optionsOf(address), socket },
  })
    .on('error', onError)
    .on('node-reconnecting', onLost)
    .on('node-disconnect', (node: Node) => {
      known.delete(`${node.host}:${node.port}`)
      onLost()
    })
    .on('node-ready', ({ host: of, port: at }: Node) => {
      // A replica that has become a master was not connected before. Those of subscriptions are told of here, too.
      if (!known.has(`${of}:${at}`)) onLost()
      known.add(`${of}:${at}`)
      onReady()
    })
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

export const openClient = (address: RedisAddress, listeners: ClientListeners): Client =>
  address.cluster ? openCluster(address, listeners) : openOne(address, listeners)

/** Answers of a server that is up but cannot serve now: starting, without its master, out of memory, busy with a script. */
const passing = /^(LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|TRYAGAIN|MOVED|ASK|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)\b/

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/** What a caller is told: unavailable, unless the server has understood and refused. */
export const failureOf = (error: unknown): Error => {
  if (error instanceof ReadModelUnavailableError) return error
  if (error instanceof ErrorReply && !passing.test(error.message)) return error
  const why = error instanceof TimeoutError ? 'no answer in time' : reasonOf(error)
  return new ReadModelUnavailableError(`Redis is not available: ${why}`, { cause: error })
}

/** A server that was restarted, flushed or failed over does not know the scripts. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')

/** A server that was the primary and is a replica now: it takes no writes, and what it answers may be replaced any moment. */
export const isDemoted = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('READONLY')

export const isRefusal = (error: unknown): boolean =>
  error instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.message)

/** What the server sends is checked as it is taken up; zod would cost more than the reading. */
const unexpected = (what: string, reply: unknown): Error =>
  new Error(`Redis answered ${reply === null ? 'null' : typeof reply} where ${what} was expected`)

export const listOf = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw unexpected('a list', reply)
  return reply
}

/** Undefined for what is not there. */
export const textOf = (reply: unknown): string | undefined => {
  if (reply === null || reply === undefined) return undefined
  if (typeof reply !== 'string') throw unexpected('text', reply)
  return reply
}

export const textsOf = (reply: unknown): readonly (string | undefined)[] => listOf(reply).map(textOf)

/** A script is called by its hash; whoever does not know it is sent the source. */
export type Script = {
  readonly source: string
  readonly sha: string
  /** Then a user who may only read may run it. */
  readonly isReadOnly: boolean
}

export const script = (source: string, isReadOnly = false): Script => ({
  source,
  isReadOnly,
  sha: createHash('sha1').update(source).digest('hex'),
})

export const readingScript = (source: string): Script => script(source, true)
