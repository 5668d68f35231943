import { wholeMs } from '../async/timers.ts'
import { readModelLimits } from './limits.ts'
import { ReadModelUnavailableError } from './errors.ts'

type Waiter = {
  readonly position: string
  readonly resolve: (isApplied: boolean) => void
  readonly reject: (error: unknown) => void
}
type AwaitedPartition = { readonly projection: string; readonly partition: string; readonly waiters: Set<Waiter> }

export type PositionWaiters = {
  wait(projection: string, partition: string, position: string, timeoutMs: number): Promise<boolean>
  /** Call it after each commit of this process: it settles the waiters of that position without a poll. */
  applied(projection: string, partition: string, position: string): void
  close(): void
}

/**
 * Requests that wait until a projection has applied their own change. A commit of this process settles them at once. The projection
 * may run in another process, so the stored position is also polled every `pollMs` while a request waits.
 */
export const createPositionWaiters = (
  readPosition: (projection: string, partition: string) => Promise<string | undefined>,
  pollMs = 20,
): PositionWaiters => {
  const awaitedPartitions = new Map<string, AwaitedPartition>()
  let waiting = 0
  let poll: NodeJS.Timeout | undefined
  let closed = false

  const keyOf = (projection: string, partition: string) => JSON.stringify([projection, partition])

  const settleReached = (awaited: AwaitedPartition, position: string | undefined) => {
    if (position === undefined) return
    for (const waiter of awaited.waiters) if (waiter.position <= position) waiter.resolve(true)
  }

  const readAndSettle = async (awaited: AwaitedPartition) => {
    try {
      settleReached(awaited, await readPosition(awaited.projection, awaited.partition))
    } catch (error) {
      for (const waiter of awaited.waiters) waiter.reject(error)
    }
  }

  const schedulePoll = () => {
    if (poll !== undefined || awaitedPartitions.size === 0 || closed) return
    poll = setTimeout(async () => {
      await Promise.all([...awaitedPartitions.values()].map(readAndSettle))
      poll = undefined
      schedulePoll()
    }, pollMs)
  }

  /** Returns a function that removes it. */
  const add = (projection: string, partition: string, waiter: Waiter) => {
    const key = keyOf(projection, partition)
    const awaited = awaitedPartitions.get(key) ?? { projection, partition, waiters: new Set<Waiter>() }
    awaitedPartitions.set(key, awaited)
    awaited.waiters.add(waiter)
    waiting++
    schedulePoll()
    return () => {
      waiting--
      awaited.waiters.delete(waiter)
      if (awaited.waiters.size === 0) awaitedPartitions.delete(key)
    }
  }

  return {
    async wait(projection, partition, position, timeoutMs) {
      if (waiting >= readModelLimits.waiting)
        throw new ReadModelUnavailableError(`${waiting} requests already wait for a projection`)
      const endsAtMs = performance.now() + timeoutMs
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      // It may be rejected during the first read.
      promise.catch(() => undefined)
      // Add the waiter before reading, so that a commit in between is not missed until the next poll.
      const remove = add(projection, partition, { position, resolve, reject })
      let timer: NodeJS.Timeout | undefined
      try {
        // If the read fails, a commit of this process may have resolved the wait already.
        const stored = await readPosition(projection, partition).catch((error: unknown) => void reject(error))
        if (stored !== undefined && position <= stored) return true
        // The timeout starts after the first read, so a reached position resolves true even with a timeout of 0.
        timer = setTimeout(resolve, wholeMs(endsAtMs - performance.now()), false)
        return await promise
      } finally {
        clearTimeout(timer)
        remove()
      }
    },
    applied(projection, partition, position) {
      if (waiting === 0) return
      const awaited = awaitedPartitions.get(keyOf(projection, partition))
      if (awaited !== undefined) settleReached(awaited, position)
    },
    close() {
      closed = true
      clearTimeout(poll)
      const failure = new ReadModelUnavailableError('The read model was closed')
      for (const awaited of awaitedPartitions.values()) for (const waiter of awaited.waiters) waiter.reject(failure)
    },
  }
}
