import { DeadlineError, withDeadline } from '../../runtime/deadline.ts'
import type { RedisAddress } from './address.ts'
import { openClient, type SendToNode } from './client.ts'
import { failureOf, isRefusal, isUnknownScript } from './failure.ts'
import type { Script } from './script.ts'

export type Keys = readonly [string, ...string[]]

export type Connection = {
  /** `key` decides the node; replies are as the server gave them. */
  send(key: string, command: readonly string[]): Promise<unknown>
  run(script: Script, keys: Keys, args: readonly string[]): Promise<unknown>
  nodes(): Promise<readonly SendToNode[]>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** After the connection was given up and made anew, and with it its subscriptions. */
  onRenewed(listener: () => void): void
  close(): Promise<void>
}

export type ConnectionTimes = {
  /** Of each call. The client itself bounds only what it has not sent: the rest would wait for ever on a stopped server. */
  readonly deadlineMs: number
  /**
   * Without any answer for so long the connection is given up for a new one. A machine that vanished does not close its
   * connections, and the system would try for a quarter of an hour.
   */
  readonly renewAfterMs: number
  /** What is under way at the end gets so long. */
  readonly closeMs: number
}

const usualTimes: ConnectionTimes = { deadlineMs: 5_000, renewAfterMs: 15_000, closeMs: 2_000 }

export const openConnection = async (address: RedisAddress, times = usualTimes): Promise<Connection> => {
  let lastError: unknown
  const refused = Promise.withResolvers<never>()
  refused.promise.catch(() => undefined)
  // Each call that fails says so itself; the client wants somebody to listen all the same.
  const onError = (error: unknown) => {
    lastError = error
    if (isRefusal(error)) refused.reject(error)
  }
  let client = openClient(address, onError)
  let answeredAt = performance.now()
  let closed = false
  const renewedListeners: (() => void)[] = []

  const renew = () => {
    client.destroy()
    client = openClient(address, onError)
    answeredAt = performance.now()
    client.connect().catch(onError)
    for (const listener of renewedListeners) listener()
  }

  /** In time, or not at all as far as the caller is concerned: what has been sent may still happen. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const answer = await withDeadline(work, times.deadlineMs, 'Redis')
      answeredAt = performance.now()
      return answer
    } catch (error) {
      const isSilent = error instanceof DeadlineError && performance.now() - answeredAt > times.renewAfterMs
      if (isSilent && !closed) renew()
      throw failureOf(error)
    }
  }

  const evaluate = async ({ sha, source }: Script, keys: Keys, args: readonly string[]): Promise<unknown> => {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await client.send(keys[0], ['EVALSHA', sha, ...rest])
    } catch (error) {
      if (isUnknownScript(error)) return client.send(keys[0], ['EVAL', source, ...rest])
      throw error
    }
  }

  try {
    // The client would try a wrong password for ever. Once open that is right: they are changed on both sides in turn.
    await withDeadline(Promise.race([client.connect(), refused.promise]), times.deadlineMs, 'Redis')
  } catch (error) {
    client.destroy()
    throw failureOf(error instanceof DeadlineError ? (lastError ?? error) : error)
  }

  return {
    send: (key, command) => inTime(client.send(key, command)),
    run: (script, keys, args) => inTime(evaluate(script, keys, args)),
    async nodes() {
      const nodes = await inTime(client.nodes())
      return nodes.map((send) => (command) => inTime(send(command)))
    },
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    unsubscribe: (channel) => client.unsubscribe(channel),
    onRenewed: (listener) => renewedListeners.push(listener),
    async close() {
      closed = true
      try {
        await withDeadline(client.close(), times.closeMs, 'Redis')
      } catch {
        // It does not answer, or had never been connected; nothing more is to be had from it.
        client.destroy()
      }
    },
  }
}
