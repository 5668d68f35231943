import { ErrorReply } from 'redis'
import { DeadlineError, withDeadline } from '../../runtime/deadline.ts'
import { ReadModelUnavailableError } from '../unavailable.ts'
import type { RedisAddress } from './address.ts'
import { type Client, openClient } from './client.ts'
import type { Script } from './script.ts'

export type Connection = Pick<Client, 'nodes' | 'subscribe' | 'unsubscribe'> & {
  /** `key` decides the node; replies are as the server gave them. */
  send(key: string, command: readonly string[]): Promise<unknown>
  run(script: Script, keys: readonly [string, ...string[]], args: readonly string[]): Promise<unknown>
  close(): Promise<void>
}

/** The client bounds only what it has not sent yet: with a server that is stopped, the rest would wait for ever. */
const deadlineMs = 5_000
/** What is under way at the end gets so long. */
const closeMs = 2_000

/** Answers of a server that is up but cannot serve now: starting, without its master, out of memory, busy with a script. */
const passing = /^(LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|TRYAGAIN|MOVED|ASK|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)\b/

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unavailable = (error: unknown): Error => {
  if (error instanceof ReadModelUnavailableError) return error
  if (error instanceof ErrorReply && !passing.test(error.message)) return error
  const why = error instanceof DeadlineError ? `no answer within ${deadlineMs} ms` : messageOf(error)
  return new ReadModelUnavailableError(`Redis cannot be reached: ${why}`, { cause: error })
}

const isUnknownScript = (error: unknown): boolean => error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')

export const openConnection = async (address: RedisAddress): Promise<Connection> => {
  // Each call that fails says so itself; the client wants somebody to listen all the same.
  let lastError: unknown
  const client = openClient(address, (error) => {
    lastError = error
  })

  /** In time, or not at all as far as the caller is concerned: what has been sent may still happen. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await withDeadline(work, deadlineMs, 'Redis')
    } catch (error) {
      throw unavailable(error)
    }
  }

  const evaluate = async (
    { sha, source }: Script,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<unknown> => {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await client.send(keys[0], ['EVALSHA', sha, ...rest])
    } catch (error) {
      // A server that was restarted, flushed or failed over does not know it; this teaches it.
      if (isUnknownScript(error)) return client.send(keys[0], ['EVAL', source, ...rest])
      throw error
    }
  }

  try {
    await withDeadline(client.connect(), deadlineMs, 'Redis')
  } catch (error) {
    client.destroy()
    throw unavailable(error instanceof DeadlineError ? (lastError ?? error) : error)
  }

  return {
    send: (key, command) => inTime(client.send(key, command)),
    run: (script, keys, args) => inTime(evaluate(script, keys, args)),
    nodes: client.nodes,
    subscribe: client.subscribe,
    unsubscribe: client.unsubscribe,
    async close() {
      try {
        await withDeadline(client.close(), closeMs, 'Redis')
      } catch {
        // It does not answer; nothing more is to be had from it.
        client.destroy()
      }
    },
  }
}
