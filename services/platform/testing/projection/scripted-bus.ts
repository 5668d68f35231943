import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Consumer, Cursor } from '../../src/bus/port.ts'

const partition = '0'

/**
 * A bus that delivers slices of a log to one consumer when a test asks for them. It
 * guarantees what a real bus does: order, a start at the consumer's cursor, and redelivery after a rejection.
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
    /** Delivers the next messages; false if the consumer rejected them. */
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
    /** Redelivers messages, as a broker may do after a rebalance. */
    rewind(count: number): void {
      next = Math.max(0, next - count)
    },
    isAtEnd: () => next >= log.length,
  }
}
