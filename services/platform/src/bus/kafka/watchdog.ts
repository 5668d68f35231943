import type { Consumer } from 'kafkajs'
import type { Bounds } from './cursor.ts'
import type { AssignedPartition } from './partition.ts'

const lookEveryMs = 10_000
/** Longer than a rebalance may take, and than a broker is silent that starts again. */
const silenceToleratedMs = 30_000

export type WatchdogOptions = {
  readonly kafka: Pick<Consumer, 'on' | 'events'>
  readonly partitions: () => ReadonlyMap<string, WatchedPartition>
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
}

type WatchedPartition = Pick<AssignedPartition, 'next' | 'isIdle'>

/** Whether something waits there that was not fetched for two looks, though nothing is being handled; or there is less than was handled. */
const createLagWatch = () => {
  const waited = new Map<string, bigint>()
  return (name: string, partition: WatchedPartition, high: bigint): boolean => {
    const next = partition.next()
    const isWaiting = next !== undefined && partition.isIdle() && next !== high
    const isStalled = isWaiting && waited.get(name) === next
    if (isWaiting) waited.set(name, next)
    else waited.delete(name)
    return isStalled
  }
}

/**
 * kafkajs can stop without a word (its issue 659): it fetches no more, or leaves a partition out. `stalled` rejects when either is
 * seen, so that the connection is thrown away for a new one.
 */
export const watch = ({ kafka, partitions, bounds }: WatchdogOptions) => {
  const stalled = Promise.withResolvers<never>()
  const isLagging = createLagWatch()
  let lastFetchAtMs = performance.now()
  let isLooking = false
  let isStopped = false
  const removeListener = kafka.on(kafka.events.FETCH, () => {
    lastFetchAtMs = performance.now()
  })

  const lookForLag = async () => {
    const topics = new Set([...partitions().keys()].map((name) => name.slice(0, name.lastIndexOf('-'))))
    for (const topic of topics) {
      const found = await bounds(topic)
      for (const [name, partition] of partitions()) {
        const dash = name.lastIndexOf('-')
        const high = name.slice(0, dash) === topic ? found.get(Number(name.slice(dash + 1)))?.high : undefined
        if (high !== undefined && !isStopped && isLagging(name, partition, high)) {
          stalled.reject(new Error(`Nothing is fetched of ${name}, which ends elsewhere than what was handled`))
        }
      }
    }
  }

  const look = async () => {
    if (performance.now() - lastFetchAtMs > silenceToleratedMs) {
      stalled.reject(new Error(`Nothing was fetched for ${silenceToleratedMs / 1_000} s`))
    }
    if (isLooking) return
    isLooking = true
    try {
      await lookForLag()
    } catch {
      // Kafka does not answer: no time to judge a consumer by what it fetches.
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), lookEveryMs)
  return {
    stalled: stalled.promise,
    stop() {
      isStopped = true
      clearInterval(timer)
      removeListener()
    },
  }
}
