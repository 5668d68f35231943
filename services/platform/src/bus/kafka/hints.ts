import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer } from 'kafkajs'
import type { AssignedPartition } from './partition.ts'

const everyMs = 5_000
const stopWithinMs = 500

/**
 * Tells the broker how far the group is, for tools that show its lag. Nothing here ever reads it, so it may fail: after a
 * rebalance, it does.
 */
export const commitHints = (
  kafka: Consumer,
  prefix: string,
  partitions: () => ReadonlyMap<string, AssignedPartition>,
): { stop(): Promise<void> } => {
  const told = new Map<string, bigint>()
  let committing: Promise<void> = Promise.resolve()

  const commit = async () => {
    const offsets = [...partitions()]
      .flatMap(([name, partition]) => {
        const next = partition.next()
        return next === undefined || told.get(name) === next ? [] : [{ name, next }]
      })
      .map(({ name, next }) => {
        told.set(name, next)
        const dash = name.lastIndexOf('-')
        return { topic: prefix + name.slice(0, dash), partition: Number(name.slice(dash + 1)), offset: `${next}` }
      })
    if (offsets.length === 0) return
    await kafka.commitOffsets(offsets).catch(() => told.clear())
  }

  const timer = setInterval(() => {
    committing = commit()
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      const last = committing.then(commit)
      await Promise.race([last, delay(stopWithinMs, undefined, { ref: false })])
    },
  }
}
