import type { Feed, FeedParts } from './feed.ts'
import { growingPauses } from './growing-pauses.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import { type Checkpoint, feedName, keepCheckpoint, loadCheckpoint } from './kafka/checkpoint.ts'
import { publishAlong } from './kafka/publish-along.ts'
import { openKafkaPublisher } from './kafka/publish.ts'
import { holdsAll, type Held, KafkaWasResetError, lookAtKafka, watchForReset } from './kafka/reset.ts'
import { createTrouble } from './kafka/trouble.ts'
import { holdLease } from './lease.ts'
import { createRelay } from './relay.ts'

/** How long after its last sign of life a feed is replaced. */
const leaseLengthMs = 3_000

/**
 * Where to go on. The layout stays what it was, whatever was added to Kafka meanwhile: were a key to change its partition, its
 * later messages could overtake earlier ones that somebody has still to read.
 */
const resumeFrom = (checkpoint: Checkpoint | undefined, held: Held): Checkpoint =>
  checkpoint !== undefined && holdsAll(held, checkpoint)
    ? checkpoint
    : { position: 'start', ends: new Map(), layout: held.layout }

/** Carries a service's events to Kafka, while this process leads. */
export const startKafkaFeed = async (options: FeedParts & { readonly url: string }): Promise<Feed> => {
  const { url, service, eventStore, publishers, readModel, logger } = options
  const relay = createRelay(publishers)
  const address = parseKafkaAddress(url)
  const feed = feedName(address, service)
  const admin = openKafkaAdmin(address, logger)
  const trouble = createTrouble(feed, logger)

  const carryOnce = async (signal: AbortSignal, onProgress: () => void) => {
    const saved = await loadCheckpoint(readModel, feed)
    const from = resumeFrom(saved, await lookAtKafka(admin))
    if (saved !== undefined && from !== saved) {
      logger.error({ feed }, 'Kafka does not hold what it held: everything is published again')
    }
    const publisher = openKafkaPublisher({ address, admin, logger, trouble, layout: from.layout, ends: from.ends })
    const checkpoints = keepCheckpoint(readModel, feed, logger)
    const watching = watchForReset(admin, publisher.ends)
    const untilReset = AbortSignal.any([signal, watching.signal])
    try {
      await publishAlong({
        source: eventStore.subscribe(from.position, { categories: relay.categories }, untilReset),
        relay,
        publish: (envelopes) => publisher.publish(envelopes, untilReset),
        onReached(position) {
          checkpoints.reached({ position, ends: publisher.ends(), layout: from.layout })
          onProgress()
        },
        onCaughtUp: trouble.ended,
      })
      untilReset.throwIfAborted()
      throw new Error('The event store ended the subscription')
    } finally {
      watching.stop()
      await checkpoints.stop()
      await publisher.close()
    }
  }

  const carry = async (signal: AbortSignal) => {
    const pauses = growingPauses({ firstMs: 50, mostMs: 2_000 })
    while (!signal.aborted) {
      try {
        await carryOnce(signal, pauses.reset)
      } catch (error) {
        if (signal.aborted) return
        // The next round finds out, says so and begins at the start.
        if (!(error instanceof KafkaWasResetError)) trouble.began(error)
        await pauses.pause(signal)
      }
    }
  }

  const lease = holdLease({ readModel, name: feed, lengthMs: leaseLengthMs, onLead: carry, logger })
  return {
    isLeading: lease.isLeading,
    async check() {
      if (lease.isLeading()) trouble.check()
    },
    async stop() {
      await lease.stop()
      await admin.close()
    },
  }
}
