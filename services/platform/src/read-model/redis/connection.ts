import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { ClientOfflineError, ErrorReply, type RedisArgument } from 'redis'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import { ReadModelUnavailableError } from '../errors.ts'
import type { RedisAddress } from './address.ts'
import {
  type Client,
  type ClientListeners,
  toReadModelError,
  isDemoted,
  isAuthError,
  isUnknownScript,
  type MessageListener,
  openClient,
  type Script,
  type ServerConnection,
  type SendToNode,
} from './client.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { startHeartbeat } from './heartbeat.ts'

type Keys = readonly [string, ...string[]]

export type ConnectionTimes = {
  /** Timeout of each call. The client has no timeout for sent commands, which would wait forever for a stopped server. */
  readonly deadlineMs: number
  /** After this long without a reply, calls fail at once until a probe gets a reply. */
  readonly silentAfterMs: number
  /** A connection that does not answer a ping for this long is replaced, with its subscriptions (heartbeat.ts). */
  readonly renewAfterMs: number
  /** Maximum wait for commands in flight on `close`. */
  readonly closeMs: number
}

const usualTimes: ConnectionTimes = { deadlineMs: 4_000, silentAfterMs: 2_000, renewAfterMs: 2_500, closeMs: 2_000 }

/** Maximum calls that wait for a connection. Beyond it, calls reject at once. */
const maxWaiting = 100_000
/** A cluster may have moved a partition to a node that is already connected. */
const retryMs = 100
/** A demoted server rejects several calls at once, which must replace the connection only once. */
const minReplaceIntervalMs = 1_000

/** `isOver` is true once its caller has stopped waiting. */
type Call = { isOver: boolean }

/** Lifecycle: constructed, `open`, `close`. In between the client reconnects by itself or is replaced. */
export class Connection {
  readonly #address: RedisAddress
  readonly #times: ConnectionTimes
  readonly #breaker: CircuitBreaker
  readonly #heartbeat: { stop(): void }
  #client: Client
  #lastError: unknown
  #lostConnections = 0
  #waiting = 0
  #replacedAtMs = -minReplaceIntervalMs
  #isClosed = false
  #connected = Promise.withResolvers<void>()
  readonly #authFailed = Promise.withResolvers<never>()
  readonly #subscriptions = new Map<string, MessageListener>()
  readonly #readyListeners: (() => void)[] = []

  constructor(address: RedisAddress, times: ConnectionTimes) {
    this.#address = address
    this.#times = times
    this.#authFailed.promise.catch(() => undefined)
    this.#breaker = createCircuitBreaker(times.silentAfterMs, async () => {
      const [first] = await this.#client.nodes()
      if (first !== undefined) await this.#inTime(() => first(['PING']), undefined)
    })
    this.#client = openClient(address, this.#listeners)
    this.#heartbeat = startHeartbeat(
      times.renewAfterMs,
      () => this.#client.connections(),
      (silent) => this.#renew(silent),
    )
  }

  /** Number of lost connections. After a loss, the server may hold older data than before. */
  get lostConnections(): number {
    return this.#lostConnections
  }

  get isCluster(): boolean {
    return this.#address.cluster
  }

  /** Timeout of each call. */
  get deadlineMs(): number {
    return this.#times.deadlineMs
  }

  async open(): Promise<void> {
    const { deadlineMs } = this.#times
    try {
      // The client retries a wrong password without end. Fail on it here; once open, a password change may take effect in any order.
      await withTimeout(Promise.race([this.#client.connect(), this.#authFailed.promise]), deadlineMs, 'Redis')
    } catch (error) {
      this.#breaker.stop()
      this.#heartbeat.stop()
      this.#client.destroy()
      throw toReadModelError(error instanceof TimeoutError ? (this.#lastError ?? error) : error)
    }
  }

  /** `key` selects the node. Returns the raw reply. With `during`, rejects without sending if `lostConnections` has changed. */
  send(key: string, command: readonly RedisArgument[], during?: number): Promise<unknown> {
    return this.#begin(() => this.#client.send(key, command), during)
  }

  run(script: Script, keys: Keys, args: readonly string[], during?: number): Promise<unknown> {
    return this.#begin(() => this.#evaluate(script, keys, args, during), during)
  }

  async nodes(): Promise<readonly SendToNode[]> {
    const nodes = await this.#begin(() => this.#client.nodes(), undefined)
    return nodes.map((send) => (command) => this.#begin(() => send(command), undefined))
  }

  /** Lasts until `unsubscribe`, also when the connection is lost or replaced. Messages in between are lost. One listener per channel. */
  subscribe(channel: string, listener: MessageListener): Promise<void> {
    this.#subscriptions.set(channel, listener)
    return this.#client.subscribe(channel, listener)
  }

  unsubscribe(channel: string): Promise<void> {
    this.#subscriptions.delete(channel)
    return this.#client.unsubscribe(channel)
  }

  /** Rejects unless every connection answers, also that of the subscriptions. */
  async ping(): Promise<void> {
    const answers = this.#client.connections().map(async ({ isReady, ping }) => {
      if (!isReady) throw new ReadModelUnavailableError('Redis is not available: not connected')
      await ping()
    })
    await withTimeout(Promise.all(answers), this.#times.deadlineMs, 'Redis').catch((error: unknown) => {
      throw toReadModelError(error)
    })
  }

  /** Called whenever a server is connected, also after each loss. */
  onReady(listener: () => void): void {
    this.#readyListeners.push(listener)
  }

  /** Bound, because callers pass it on without the connection. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    this.#breaker.stop()
    this.#heartbeat.stop()
    this.#connected.resolve()
    try {
      await withTimeout(this.#client.close(), this.#times.closeMs, 'Redis')
    } catch {
      // The server does not answer, or was never connected.
      this.#client.destroy()
    }
  }

  readonly #listeners: ClientListeners = {
    // Each call reports its own failure; the client requires a listener.
    onError: (error) => {
      this.#lastError = error
      if (isAuthError(error)) this.#authFailed.reject(error)
    },
    onLost: () => void this.#lostConnections++,
    onReady: () => {
      this.#breaker.connected()
      this.#connected.resolve()
      this.#connected = Promise.withResolvers()
      for (const listener of this.#readyListeners) listener()
    },
  }

  #replace(): void {
    if (this.#isClosed || performance.now() - this.#replacedAtMs < minReplaceIntervalMs) return
    this.#replacedAtMs = performance.now()
    this.#lostConnections++
    this.#client.destroy()
    this.#client = openClient(this.#address, this.#listeners)
    this.#client.connect().catch(this.#listeners.onError)
    this.#resubscribe()
  }

  #renew({ drop }: ServerConnection): void {
    if (drop === undefined) return this.#replace()
    drop()
    this.#resubscribe()
  }

  #resubscribe(): void {
    for (const [channel, listener] of this.#subscriptions) {
      // It fails only if the connection is replaced again, or forever, as for a missing permission.
      this.#client.subscribe(channel, listener).catch(this.#listeners.onError)
    }
  }

  #checkNotLost(during: number | undefined): void {
    if (during === undefined || during === this.#lostConnections) return
    throw new ReadModelUnavailableError('Redis is not available: the connection was lost during the call')
  }

  #isUnsent(error: unknown): boolean {
    return error instanceof ClientOfflineError && !this.#isClosed && this.#waiting < maxWaiting
  }

  #begin<T>(send: () => Promise<T>, during: number | undefined): Promise<T> {
    if (!this.#breaker.isOpen) return this.#inTime(send, during)
    const message = `Redis is not available: no reply for ${this.#times.silentAfterMs} ms`
    return Promise.reject(new ReadModelUnavailableError(message))
  }

  /** Rejects at the deadline. A call that was sent may still take effect. */
  async #inTime<T>(send: () => Promise<T>, during: number | undefined): Promise<T> {
    const { deadlineMs } = this.#times
    const call = { isOver: false }
    this.#breaker.started()
    try {
      this.#checkNotLost(during)
      const answer = await withTimeout(send(), deadlineMs, 'Redis').catch((error: unknown) => {
        if (!this.#isUnsent(error)) throw error
        return withTimeout(this.#sendWhenConnected(call, send, during), deadlineMs, 'Redis')
      })
      this.#breaker.ended(true)
      return answer
    } catch (error) {
      this.#noteFailure(error)
      throw toReadModelError(error)
    } finally {
      call.isOver = true
    }
  }

  /** Waits for a connection, and sends the call only if its caller still waits. */
  async #sendWhenConnected<T>(call: Call, send: () => Promise<T>, during: number | undefined): Promise<T> {
    for (;;) {
      this.#waiting++
      const again = this.#address.cluster ? [delay(retryMs, undefined, { ref: false })] : []
      await Promise.race([this.#connected.promise, ...again])
      this.#waiting--
      if (call.isOver) throw new ReadModelUnavailableError('Redis is not available: not connected in time')
      this.#checkNotLost(during)
      try {
        return await send()
      } catch (error) {
        if (!this.#isUnsent(error)) throw error
      }
    }
  }

  #noteFailure(error: unknown): void {
    this.#breaker.ended(error instanceof ErrorReply)
    // A demoted primary keeps its connections. A new connection may reach the new primary.
    if (isDemoted(error) && !this.#address.cluster) this.#replace()
  }

  async #evaluate(
    { sha, source, isReadOnly }: Script,
    keys: Keys,
    args: readonly string[],
    during: number | undefined,
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    const suffix = isReadOnly ? '_RO' : ''
    try {
      return await this.#client.send(keys[0], [`EVALSHA${suffix}`, sha, ...rest])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      this.#checkNotLost(during)
      return this.#client.send(keys[0], [`EVAL${suffix}`, source, ...rest])
    }
  }
}

export const openConnection = async (address: RedisAddress, times = usualTimes): Promise<Connection> => {
  const connection = new Connection(address, times)
  await connection.open()
  return connection
}
