import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { ClientOfflineError, ErrorReply } from 'redis'
import { DeadlineError, withDeadline } from '../../runtime/deadline.ts'
import { ReadModelUnavailableError } from '../unavailable.ts'
import type { RedisAddress } from './address.ts'
import { openClient, type SendToNode } from './client.ts'
import { failureOf, isDemoted, isRefusal, isUnknownScript } from './failure.ts'
import type { Script } from './script.ts'
import { watchForSilence } from './silence.ts'

export type Keys = readonly [string, ...string[]]

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

/** Calls that wait for a connection; past it they reject at once. */
const mostWaiting = 100_000
/** A cluster may have given a partition to a node that is connected already. */
const askAgainMs = 100
/** Several calls are refused together by one that is no primary any more. */
const renewAtMostEveryMs = 1_000

/** Its caller may have stopped to wait. */
type Call = { isOver: boolean }

export const openConnection = async (address: RedisAddress, times = usualTimes): Promise<Connection> => {
  let lastError: unknown
  let losses = 0
  let waiting = 0
  let answeredAt = performance.now()
  let renewedAt = -renewAtMostEveryMs
  let closed = false
  let reached = Promise.withResolvers<void>()
  const renewedListeners: (() => void)[] = []
  const readyListeners: (() => void)[] = []
  const refused = Promise.withResolvers<never>()
  refused.promise.catch(() => undefined)

  const listeners = {
    // Each call that fails says so itself; the client wants somebody to listen all the same.
    onError(error: unknown) {
      lastError = error
      if (isRefusal(error)) refused.reject(error)
    },
    onLost: () => void losses++,
    onReady() {
      silence.connected()
      reached.resolve()
      reached = Promise.withResolvers()
      for (const listener of readyListeners) listener()
    },
  }
  const silence = watchForSilence(times.silentAfterMs, async () => {
    const [first] = await client.nodes()
    if (first !== undefined) await inTime(() => first(['PING']), undefined)
  })
  let client = openClient(address, listeners)

  const renew = () => {
    if (closed || performance.now() - renewedAt < renewAtMostEveryMs) return
    renewedAt = performance.now()
    losses++
    client.destroy()
    client = openClient(address, listeners)
    answeredAt = performance.now()
    client.connect().catch(listeners.onError)
    for (const listener of renewedListeners) listener()
  }

  const checkStillThere = (during: number | undefined) => {
    if (during === undefined || during === losses) return
    throw new ReadModelUnavailableError('Redis is not available: the connection was lost meanwhile')
  }

  const isUnsent = (error: unknown): boolean => error instanceof ClientOfflineError && !closed && waiting < mostWaiting

  /** What could not be sent waits for a connection, and is sent only if its caller still waits. */
  const sendWhenConnected = async <T>(call: Call, send: () => Promise<T>, during: number | undefined): Promise<T> => {
    for (;;) {
      waiting++
      const again = address.cluster ? [delay(askAgainMs, undefined, { ref: false })] : []
      await Promise.race([reached.promise, ...again])
      waiting--
      if (call.isOver) throw new ReadModelUnavailableError('Redis is not available: not connected in time')
      checkStillThere(during)
      try {
        return await send()
      } catch (error) {
        if (!isUnsent(error)) throw error
      }
    }
  }

  const noteFailure = (error: unknown) => {
    const isAnswer = error instanceof ErrorReply
    if (isAnswer) answeredAt = performance.now()
    silence.ended(isAnswer)
    const isSilent = error instanceof DeadlineError && performance.now() - answeredAt > times.renewAfterMs
    // A primary that became a replica keeps its connections: the address may lead to the new one by now.
    if (isSilent || (isDemoted(error) && !address.cluster)) renew()
  }

  /** In time, or not at all as far as the caller is concerned: what has been sent may still happen. */
  const inTime = async <T>(send: () => Promise<T>, during: number | undefined): Promise<T> => {
    const call = { isOver: false }
    silence.asked()
    try {
      checkStillThere(during)
      const answer = await withDeadline(send(), times.deadlineMs, 'Redis').catch((error: unknown) => {
        if (!isUnsent(error)) throw error
        return withDeadline(sendWhenConnected(call, send, during), times.deadlineMs, 'Redis')
      })
      answeredAt = performance.now()
      silence.ended(true)
      return answer
    } catch (error) {
      noteFailure(error)
      throw failureOf(error)
    } finally {
      call.isOver = true
    }
  }

  const begin = <T>(send: () => Promise<T>, during: number | undefined): Promise<T> => {
    if (!silence.isSilent) return inTime(send, during)
    const message = `Redis is not available: nothing was answered for ${times.silentAfterMs} ms`
    return Promise.reject(new ReadModelUnavailableError(message))
  }

  const evaluate = async (
    { sha, source, isReadOnly }: Script,
    keys: Keys,
    args: readonly string[],
    during: number | undefined,
  ): Promise<unknown> => {
    const rest = [String(keys.length), ...keys, ...args]
    const suffix = isReadOnly ? '_RO' : ''
    try {
      return await client.send(keys[0], [`EVALSHA${suffix}`, sha, ...rest])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      checkStillThere(during)
      return client.send(keys[0], [`EVAL${suffix}`, source, ...rest])
    }
  }

  try {
    // The client would try a wrong password for ever. Once open that is right: they are changed on both sides in turn.
    await withDeadline(Promise.race([client.connect(), refused.promise]), times.deadlineMs, 'Redis')
  } catch (error) {
    silence.stop()
    client.destroy()
    throw failureOf(error instanceof DeadlineError ? (lastError ?? error) : error)
  }

  return {
    get losses() {
      return losses
    },
    isCluster: address.cluster,
    deadlineMs: times.deadlineMs,
    send: (key, command, during) => begin(() => client.send(key, command), during),
    run: (script, keys, args, during) => begin(() => evaluate(script, keys, args, during), during),
    async nodes() {
      const nodes = await begin(() => client.nodes(), undefined)
      return nodes.map((send) => (command) => begin(() => send(command), undefined))
    },
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    unsubscribe: (channel) => client.unsubscribe(channel),
    onRenewed: (listener) => renewedListeners.push(listener),
    onReady: (listener) => readyListeners.push(listener),
    async close() {
      closed = true
      silence.stop()
      reached.resolve()
      try {
        await withDeadline(client.close(), times.closeMs, 'Redis')
      } catch {
        // It does not answer, or had never been connected; nothing more is to be had from it.
        client.destroy()
      }
    },
  }
}
