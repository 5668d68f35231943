import { readModelLimits } from './limits.ts'
import { ReadModelUnavailableError } from './errors.ts'

type Waiter = { readonly position: string; settle(outcome: boolean | Error): void }
type Place = { readonly projection: string; readonly partition: string; readonly waiters: Set<Waiter> }

export type PositionWaiters = {
  wait(projection: string, partition: string, position: string, timeoutMs: number): Promise<boolean>
  /** To be called after each commit of this process: answers those who wait for it without a poll. */
  applied(projection: string, partition: string, position: string): void
  close(): void
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/**
 * Requests that wait until a projection has got as far as their own change. Commits of this process answer them at
 * once; as the projection may run in another process, the stored position is also looked up every `pollMs` while
 * somebody waits.
 */
export const createPositionWaiters = (
  readPosition: (projection: string, partition: string) => Promise<string | undefined>,
  pollMs = 20,
): PositionWaiters => {
  const places = new Map<string, Place>()
  let waiting = 0
  let poll: NodeJS.Timeout | undefined
  let closed = false

  const keyOf = (projection: string, partition: string) => JSON.stringify([projection, partition])

  const settleReached = (place: Place, position: string | undefined) => {
    if (position === undefined) return
    for (const waiter of place.waiters) if (waiter.position <= position) waiter.settle(true)
  }

  const lookUp = async (place: Place) => {
    try {
      settleReached(place, await readPosition(place.projection, place.partition))
    } catch (error) {
      for (const waiter of place.waiters) waiter.settle(asError(error))
    }
  }

  const schedulePoll = () => {
    if (poll !== undefined || places.size === 0 || closed) return
    poll = setTimeout(async () => {
      await Promise.all([...places.values()].map(lookUp))
      poll = undefined
      schedulePoll()
    }, pollMs)
  }

  const enlist = (projection: string, partition: string, position: string) => {
    const key = keyOf(projection, partition)
    const place = places.get(key) ?? { projection, partition, waiters: new Set<Waiter>() }
    places.set(key, place)
    const answer = Promise.withResolvers<boolean>()
    const waiter: Waiter = {
      position,
      settle(outcome) {
        if (!place.waiters.delete(waiter)) return
        waiting--
        clearTimeout(timer)
        if (place.waiters.size === 0) places.delete(key)
        if (outcome instanceof Error) answer.reject(outcome)
        else answer.resolve(outcome)
      },
    }
    let timer: NodeJS.Timeout | undefined
    place.waiters.add(waiter)
    waiting++
    schedulePoll()
    // It may be settled before anybody awaits it.
    answer.promise.catch(() => undefined)
    return {
      answer: answer.promise,
      settle: waiter.settle,
      giveUpAfter(ms: number) {
        if (place.waiters.has(waiter)) timer = setTimeout(() => waiter.settle(false), ms)
      },
    }
  }

  return {
    async wait(projection, partition, position, timeoutMs) {
      if (waiting >= readModelLimits.waiting)
        throw new ReadModelUnavailableError(`${waiting} requests wait for a projection already`)
      // Enlisted before the look, or a commit between the two would go unnoticed until the next poll.
      const reached = enlist(projection, partition, position)
      const startedAt = performance.now()
      try {
        const stored = await readPosition(projection, partition)
        if (stored !== undefined && position <= stored) reached.settle(true)
        // Not before the look: with no time at all it is still true for what has been reached.
        reached.giveUpAfter(Math.max(0, timeoutMs - (performance.now() - startedAt)))
      } catch (error) {
        reached.settle(asError(error))
      }
      return reached.answer
    },
    applied(projection, partition, position) {
      if (waiting === 0) return
      const place = places.get(keyOf(projection, partition))
      if (place !== undefined) settleReached(place, position)
    },
    close() {
      closed = true
      clearTimeout(poll)
      const failure = new ReadModelUnavailableError('The read model was closed')
      for (const place of places.values()) for (const waiter of place.waiters) waiter.settle(failure)
    },
  }
}
