import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Consumer, Cursor } from '../../src/bus/port.ts'

const partition = '0'

/**
 * A bus that delivers what a test tells it to, when it tells it to: slices of a log, again and again, to one consumer. It
 * keeps what a real one promises and no more: in order, from the consumer's cursor, the same again after a rejection.
 */
export const scriptedBus = (log: readonly Envelope[]) => {
  let consumer: Consumer | undefined
  let next = 0

  const bus: Bus = {
    async consume(joining) {
      const cursor = (await joining.loadCursors())[partition]
      next = cursor === undefined ? 0 : Number(cursor) + 1
      consumer = joining
      return { startedAt: {}, stop: async () => undefined }
    },
    hasReached: () => true,
    check: async () => undefined,
    close: async () => undefined,
  }

  return {
    bus,
    /** Hands over the next messages; false when the consumer rejected them. */
    async deliver(count: number): Promise<boolean> {
      const deliveries = log.slice(next, next + count).map((envelope, index) => ({
        envelope,
        busPartition: partition,
        // The index in the log is this bus's cursor.
        cursor: String(next + index) as Cursor,
      }))
      try {
        await consumer?.handle(deliveries)
      } catch {
        return false
      }
      next += deliveries.length
      return true
    },
    /** What a broker may do after a rebalance: messages come again. */
    rewind(count: number): void {
      next = Math.max(0, next - count)
    },
    isAtEnd: () => next >= log.length,
  }
}
