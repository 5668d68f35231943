import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Delivery } from '@portal/platform/bus/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { inboxProjection } from '../inbox/projection.ts'

/** Where the inbox projection applies a message, if it does at all. */
const inboxPartitionOf = (envelope: Envelope): string | undefined =>
  inboxProjection.topics.includes(envelope.topic) ? inboxProjection.partitionOf(envelope) : undefined

/**
 * The same bus, for a consumer that lets the inboxes go first: it takes up messages once the inbox projection has applied
 * them. So the ledger, which nobody waits for, does not share the processor with a send to 10,000 inboxes, and what
 * it lists has as a rule arrived. A projection that stands still holds it up for a moment only.
 */
export const behindInbox = (bus: Bus, readModel: Pick<Checkpoints, 'whenApplied'>, timeoutMs: number): Bus => {
  const waitForInbox = async (deliveries: readonly Delivery[]): Promise<void> => {
    const last = deliveries.findLast(({ envelope }) => inboxPartitionOf(envelope) !== undefined)
    const partition = last && inboxPartitionOf(last.envelope)
    if (!last || partition === undefined) return
    const messagePosition = last.envelope.position
    await waitForProjection(readModel, { projection: inboxProjection, partition, messagePosition, timeoutMs })
  }
  return {
    ...bus,
    consume: (consumer) =>
      bus.consume({
        ...consumer,
        handle: async (deliveries) => {
          await waitForInbox(deliveries)
          await consumer.handle(deliveries)
        },
      }),
  }
}
