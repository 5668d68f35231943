import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { ClientOfflineError, ErrorReply } from 'redis'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import { ReadModelUnavailableError } from '../errors.ts'
import type { RedisAddress } from './address.ts'
import {
  type Client,
  type ClientListeners,
  failureOf,
  isDemoted,
  isRefusal,
  isUnknownScript,
  openClient,
  type Script,
  type SendToNode,
} from './client.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'

type Keys = readonly [string, ...string[]]

export type Connection = {
  /**
   * How often a server was lost that this connection had reached. What follows was answered by a server that may hold older
   * data than the one before it.
   */
  readonly losses: number
  readonly isCluster: boolean
  /** Of each call. */
  readonly deadlineMs: number
  /** `key` decides the node; replies are as the server gave them. With `during`, rejects unsent once `losses` is another. */
  send(key: string, command: readonly string[], during?: number): Promise<unknown>
  run(script: Script, keys: Keys, args: readonly string[], during?: number): Promise<unknown>
  nodes(): Promise<readonly SendToNode[]>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** After the connection was given up and made anew, and with it its subscriptions. */
  onRenewed(listener: () => void): void
  /** Whenever a server is reached, again after each loss. */
  onReady(listener: () => void): void
  close(): Promise<void>
}

export type ConnectionTimes = {
  /** Of each call. The client does not bound what it has sent: that would wait for ever on a stopped server. */
  readonly deadlineMs: number
  /** After so long without an answer calls fail at once, until a probe is answered. */
  readonly silentAfterMs: number
  /**
   * Without any answer for so long the connection is given up for a new one. A machine that vanished does not close its
   * connections, and the system would try for a quarter of an hour.
   */
  readonly renewAfterMs: number
  /** What is under way at the end gets so long. */
  readonly closeMs: number
}

const usualTimes: ConnectionTimes = { deadlineMs: 4_000, silentAfterMs: 2_000, renewAfterMs: 15_000, closeMs: 2_000 }

/** Calls that wait for a connection; beyond it they reject at once. */
const mostWaiting = 100_000
/** A cluster may have given a partition to a node that is connected already. */
const askAgainMs = 100
/** A server that is no primary any more refuses several calls at once. */
const renewAtMostEveryMs = 1_000

/** `isOver` once its caller has stopped waiting. */
type Call = { isOver: boolean }

/** Lifecycle: constructed, `open`, `close`. Between them the client reconnects by itself, or is replaced by a new one. */
class RedisConnection implements Connection {
  readonly #address: RedisAddress
  readonly #times: ConnectionTimes
  readonly #breaker: CircuitBreaker
  #client: Client
  #lastError: unknown
  #losses = 0
  #waiting = 0
  #answeredAtMs = performance.now()
  #renewedAtMs = -renewAtMostEveryMs
  #isClosed = false
  #reached = Promise.withResolvers<void>()
  readonly #refused = Promise.withResolvers<never>()
  readonly #renewedListeners: (() => void)[] = []
  readonly #readyListeners: (() => void)[] = []

  constructor(address: RedisAddress, times: ConnectionTimes) {
    this.#address = address
    this.#times = times
    this.#refused.promise.catch(() => undefined)
    this.#breaker = createCircuitBreaker(times.silentAfterMs, async () => {
      const [first] = await this.#client.nodes()
      if (first !== undefined) await this.#inTime(() => first(['PING']), undefined)
    })
    this.#client = openClient(address, this.#listeners)
  }

  get losses(): number {
    return this.#losses
  }

  get isCluster(): boolean {
    return this.#address.cluster
  }

  get deadlineMs(): number {
    return this.#times.deadlineMs
  }

  async open(): Promise<void> {
    const { deadlineMs } = this.#times
    try {
      // The client would retry a wrong password without end. That is right only once open: passwords change on both sides in turn.
      await withTimeout(Promise.race([this.#client.connect(), this.#refused.promise]), deadlineMs, 'Redis')
    } catch (error) {
      this.#breaker.stop()
      this.#client.destroy()
      throw failureOf(error instanceof TimeoutError ? (this.#lastError ?? error) : error)
    }
  }

  send(key: string, command: readonly string[], during?: number): Promise<unknown> {
    return this.#begin(() => this.#client.send(key, command), during)
  }

  run(script: Script, keys: Keys, args: readonly string[], during?: number): Promise<unknown> {
    return this.#begin(() => this.#evaluate(script, keys, args, during), during)
  }

  async nodes(): Promise<readonly SendToNode[]> {
    const nodes = await this.#begin(() => this.#client.nodes(), undefined)
    return nodes.map((send) => (command) => this.#begin(() => send(command), undefined))
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    return this.#client.subscribe(channel, listener)
  }

  unsubscribe(channel: string): Promise<void> {
    return this.#client.unsubscribe(channel)
  }

  onRenewed(listener: () => void): void {
    this.#renewedListeners.push(listener)
  }

  onReady(listener: () => void): void {
    this.#readyListeners.push(listener)
  }

  /** Bound, because callers keep it apart from the connection. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    this.#breaker.stop()
    this.#reached.resolve()
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
      if (isRefusal(error)) this.#refused.reject(error)
    },
    onLost: () => void this.#losses++,
    onReady: () => {
      this.#breaker.connected()
      this.#reached.resolve()
      this.#reached = Promise.withResolvers()
      for (const listener of this.#readyListeners) listener()
    },
  }

  #renew(): void {
    if (this.#isClosed || performance.now() - this.#renewedAtMs < renewAtMostEveryMs) return
    this.#renewedAtMs = performance.now()
    this.#losses++
    this.#client.destroy()
    this.#client = openClient(this.#address, this.#listeners)
    this.#answeredAtMs = performance.now()
    this.#client.connect().catch(this.#listeners.onError)
    for (const listener of this.#renewedListeners) listener()
  }

  #checkStillThere(during: number | undefined): void {
    if (during === undefined || during === this.#losses) return
    throw new ReadModelUnavailableError('Redis is not available: the connection was lost meanwhile')
  }

  #isUnsent(error: unknown): boolean {
    return error instanceof ClientOfflineError && !this.#isClosed && this.#waiting < mostWaiting
  }

  #begin<T>(send: () => Promise<T>, during: number | undefined): Promise<T> {
    if (!this.#breaker.isOpen) return this.#inTime(send, during)
    const message = `Redis is not available: nothing was answered for ${this.#times.silentAfterMs} ms`
    return Promise.reject(new ReadModelUnavailableError(message))
  }

  /** Rejects at the deadline. A call that was sent may still take effect. */
  async #inTime<T>(send: () => Promise<T>, during: number | undefined): Promise<T> {
    const { deadlineMs } = this.#times
    const call = { isOver: false }
    this.#breaker.started()
    try {
      this.#checkStillThere(during)
      const answer = await withTimeout(send(), deadlineMs, 'Redis').catch((error: unknown) => {
        if (!this.#isUnsent(error)) throw error
        return withTimeout(this.#sendWhenConnected(call, send, during), deadlineMs, 'Redis')
      })
      this.#answeredAtMs = performance.now()
      this.#breaker.ended(true)
      return answer
    } catch (error) {
      this.#noteFailure(error)
      throw failureOf(error)
    } finally {
      call.isOver = true
    }
  }

  /** A call that could not be sent waits for a connection, and is sent only if its caller still waits. */
  async #sendWhenConnected<T>(call: Call, send: () => Promise<T>, during: number | undefined): Promise<T> {
    for (;;) {
      this.#waiting++
      const again = this.#address.cluster ? [delay(askAgainMs, undefined, { ref: false })] : []
      await Promise.race([this.#reached.promise, ...again])
      this.#waiting--
      if (call.isOver) throw new ReadModelUnavailableError('Redis is not available: not connected in time')
      this.#checkStillThere(during)
      try {
        return await send()
      } catch (error) {
        if (!this.#isUnsent(error)) throw error
      }
    }
  }

  #noteFailure(error: unknown): void {
    const isAnswer = error instanceof ErrorReply
    if (isAnswer) this.#answeredAtMs = performance.now()
    this.#breaker.ended(isAnswer)
    const isUnresponsive =
      error instanceof TimeoutError && performance.now() - this.#answeredAtMs > this.#times.renewAfterMs
    // A primary that became a replica keeps its connections, while the address may lead to the new primary.
    if (isUnresponsive || (isDemoted(error) && !this.#address.cluster)) this.#renew()
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
      this.#checkStillThere(during)
      return this.#client.send(keys[0], [`EVAL${suffix}`, source, ...rest])
    }
  }
}

export const openConnection = async (address: RedisAddress, times = usualTimes): Promise<Connection> => {
  const connection = new RedisConnection(address, times)
  await connection.open()
  return connection
}
