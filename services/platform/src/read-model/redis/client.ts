import { createHash } from 'node:crypto'
import { createClient, createCluster, DisconnectsClientError, ErrorReply, type RedisArgument } from 'redis'
import { TimeoutError } from '../../async/timeout.ts'
import { ReadModelUnavailableError } from '../errors.ts'
import type { RedisAddress } from './address.ts'

export type SendToNode = (command: readonly string[]) => Promise<unknown>

/** A connection to one server, for commands or for subscriptions. */
export type ServerConnection = {
  /** Identifies it for as long as it is not replaced. */
  readonly id: object
  /** When it was listed. */
  readonly isReady: boolean
  ping(): Promise<unknown>
  /** Closes it, and lets the next call open another. Undefined if the whole client has to be replaced instead. */
  readonly drop?: () => void
}

export type MessageListener = (message: Buffer, channel: Buffer) => void

/** One interface for a server and a cluster. The key of a command selects the node. */
export type Client = {
  connect(): Promise<unknown>
  /** Returns the raw reply. Callers decode it with `listOf`, `textOf` and `textsOf`. */
  send(key: string, command: readonly RedisArgument[]): Promise<unknown>
  /** The server, or the masters of a cluster. */
  nodes(): Promise<readonly SendToNode[]>
  /** Those that have been opened so far. */
  connections(): readonly ServerConnection[]
  subscribe(channel: string, listener: MessageListener): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** Waits for commands in flight. */
  close(): Promise<unknown>
  destroy(): void
}

export type ClientListeners = {
  onError(error: unknown): void
  /** A connection was lost, or another server has taken over. Called before any command goes to the next one. */
  onLost(): void
  onReady(): void
}

/** Maximum commands in flight. Beyond it, calls reject at once. */
const maxCommands = 100_000
const connectTimeoutMs = 2_000

/** Retries without end, with jitter, so that not all processes reconnect at the same moment. */
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
  commandsQueueMaxLength: maxCommands,
  maintNotifications: 'disabled' as const,
  // Never send a command for a lost connection on the next one: connection.ts decides whether its caller still waits.
  disableOfflineQueue: true,
})

type PingedClient = { readonly isReady: boolean; sendCommand(command: readonly string[]): Promise<unknown> }

const serverConnection = (client: PingedClient): ServerConnection => ({
  id: client,
  isReady: client.isReady,
  ping: () => client.sendCommand(['PING']),
})

const openOne = (address: RedisAddress, { onError, onLost, onReady }: ClientListeners): Client => {
  const { host, port, database } = address
  const client = createClient({
    ...optionsOf(address),
    database,
    socket: { ...socketOf(address), host, port },
    // The client's timeout per command costs more than the command. connection.ts has a deadline instead.
    commandOptions: { timeout: 0 },
  })
    .on('error', onError)
    .on('reconnecting', onLost)
    .on('ready', onReady)
  // Subscriptions need a separate connection. It is opened when a caller first waits for a commit of another process.
  const duplicate = () => client.duplicate({ disableOfflineQueue: false }).on('error', onError)
  let subscriber = duplicate()
  let subscribing: Promise<unknown> | undefined
  const dropSubscriber = (): void => {
    subscriber.destroy()
    subscriber = duplicate()
    subscribing = undefined
  }
  const send = (command: readonly RedisArgument[]) => client.sendCommand(command)
  return {
    connect: () => client.connect(),
    send: (_key, command) => send(command),
    nodes: async () => [send],
    connections: () => [
      serverConnection(client),
      ...(subscribing ? [{ ...serverConnection(subscriber), drop: dropSubscriber }] : []),
    ],
    async subscribe(channel, listener) {
      await (subscribing ??= subscriber.connect())
      await subscriber.sSubscribe(channel, listener, true)
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
      // A replica that has become a master was not connected before. Connections of subscriptions are reported here, too.
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
    // The cluster opens a connection again for a node that has none.
    connections: () =>
      cluster.masters.flatMap((master) => {
        const { client, pubSub } = master
        const dropClient = (): void => {
          onLost()
          client?.destroy()
          delete master.client
        }
        const dropSubscriber = (): void => {
          pubSub?.client.destroy()
          delete master.pubSub
        }
        return [
          ...(client ? [{ ...serverConnection(client), drop: dropClient }] : []),
          ...(pubSub ? [{ ...serverConnection(pubSub.client), drop: dropSubscriber }] : []),
        ]
      }),
    subscribe: (channel, listener) => cluster.sSubscribe(channel, listener, true),
    unsubscribe: (channel) => cluster.sUnsubscribe(channel),
    close: () => cluster.close(),
    destroy: () => cluster.destroy(),
  }
}

export const openClient = (address: RedisAddress, listeners: ClientListeners): Client =>
  address.cluster ? openCluster(address, listeners) : openOne(address, listeners)

/** Errors of a server that is up but cannot serve now: it is starting, has no master, is out of memory or runs a script. */
const transientErrors =
  /^(LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|TRYAGAIN|MOVED|ASK|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)\b/

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/** A ReadModelUnavailableError, unless the server has rejected the command itself. */
export const toReadModelError = (error: unknown): Error => {
  if (error instanceof ReadModelUnavailableError) return error
  if (error instanceof ErrorReply && !transientErrors.test(error.message)) return error
  // The connection was replaced because it did not answer.
  const isSilent = error instanceof TimeoutError || error instanceof DisconnectsClientError
  const why = isSilent ? 'no answer in time' : reasonOf(error)
  return new ReadModelUnavailableError(`Redis is not available: ${why}`, { cause: error })
}

/** A server that was restarted, flushed or failed over does not know the scripts. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')

/** The server was the primary and is now a replica: it rejects writes, and its data may be replaced at any moment. */
export const isDemoted = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('READONLY')

export const isAuthError = (error: unknown): boolean =>
  error instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.message)

/** Replies are decoded by hand, because zod would cost more than the read itself. */
const unexpected = (what: string, reply: unknown): Error =>
  new Error(`Redis answered ${reply === null ? 'null' : typeof reply} where ${what} was expected`)

export const listOf = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw unexpected('a list', reply)
  return reply
}

/** Undefined for a nil reply. */
export const textOf = (reply: unknown): string | undefined => {
  if (reply === null || reply === undefined) return undefined
  if (typeof reply !== 'string') throw unexpected('text', reply)
  return reply
}

export const textsOf = (reply: unknown): readonly (string | undefined)[] => listOf(reply).map(textOf)

/** Called by its hash. A server that does not know it gets the source. */
export type Script = {
  readonly source: string
  readonly sha: string
  /** A user with read permission can run it. */
  readonly isReadOnly: boolean
}

export const script = (source: string, isReadOnly = false): Script => ({
  source,
  isReadOnly,
  sha: createHash('sha1').update(source).digest('hex'),
})

export const readingScript = (source: string): Script => script(source, true)
