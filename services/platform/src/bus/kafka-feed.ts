import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from '../async/backoff.ts'
import { UnknownPositionError } from '../event-store/errors.ts'
import type { Position } from '../event-store/port.ts'
import type { Feed, FeedParts } from './feed.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import { type Checkpoint, feedName, keepCheckpoint, loadCheckpoint } from './kafka/checkpoint.ts'
import { ownCheckpoints } from './kafka/own-messages.ts'
import { publishAlong } from './kafka/publish-along.ts'
import { openKafkaPublisher } from './kafka/publish.ts'
import { holdsAll, KafkaWasResetError, lookAtKafka, watchForReset } from './kafka/reset.ts'
import { resumeFrom } from './kafka/resume.ts'
import { createTrouble } from './kafka/trouble.ts'
import { holdLease } from './lease.ts'
import { logPosition, positionOf } from './log-cursor.ts'
import { createRelay } from './relay.ts'
import { type UnreadableEventError, unreadableEventIn } from './unreadable-event.ts'

/** How long after its last sign of life a feed is replaced. */
const leaseLengthMs = 3_000
/** Between two looks whether the discontinuity is still on record. */
const discontinuityPollMs = 1_000
/** How long a record may take to be seen by the process that has reported it. */
const recordedWithinMs = 10_000

/** Long enough for a feed of another release to take the lead. */
const restAfterUnreadableMs = 5_000

const hasPassed = (position: Position | 'start', event: UnreadableEventError | undefined): boolean =>
  event !== undefined && position !== 'start' && position >= event.position

/** Carries a service's events to Kafka, while this process leads. */
export const startKafkaFeed = async (options: FeedParts & { readonly url: string }): Promise<Feed> => {
  const { url, service, eventStore, publishers, readModel, discontinuity, logger } = options
  const relay = createRelay(publishers)
  const address = parseKafkaAddress(url)
  const feed = feedName(address, service)
  const admin = openKafkaAdmin(address, logger)
  const trouble = createTrouble(feed, logger)
  /** Why nothing is published, until the record is cleared. */
  let standsStill: Error | undefined
  /** What another release has to publish. */
  let unreadable: UnreadableEventError | undefined

  const findPlace = async (): Promise<Checkpoint> => {
    const saved = await loadCheckpoint(readModel, feed)
    const held = await lookAtKafka(admin)
    const isUsable = saved !== undefined && holdsAll(held, saved)
    const own = isUsable ? [] : await ownCheckpoints(feed, { address, admin, layout: held.layout, logger })
    const { from, because } = resumeFrom(saved, own, held)
    // The very first start has nothing to go on from.
    if (because !== undefined && (saved !== undefined || from.position !== 'start')) {
      logger.warn({ feed, because, position: from.position }, 'feed lost its place in kafka, going on elsewhere')
    }
    return because === undefined ? from : { ...from, fill: randomUUID() }
  }

  const carryOnce = async (signal: AbortSignal, onProgress: () => void) => {
    const from = await findPlace()
    const publisher = openKafkaPublisher({ feed, address, admin, logger, trouble, from })
    const checkpoints = keepCheckpoint(readModel, feed, logger)
    const watching = watchForReset(admin, publisher.ends)
    const untilReset = AbortSignal.any([signal, watching.signal])
    const after = logPosition(from.position, from.eventId)
    try {
      await publishAlong({
        source: (left) =>
          eventStore.subscribe(after, { categories: relay.categories }, AbortSignal.any([untilReset, left])),
        relay,
        publish: (envelopes) => publisher.publish(envelopes, untilReset),
        onReached(place) {
          standsStill = undefined
          if (hasPassed(positionOf(place), unreadable)) unreadable = undefined
          checkpoints.reached(publisher.reached(place))
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

  const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined)

  /** Until the record is gone; while it cannot be made, the log is looked at again now and then, and its finding reported again. */
  const standStill = async (error: Error, signal: AbortSignal) => {
    if (standsStill === undefined) {
      logger.error({ err: error, feed }, 'the log does not hold what the feed has published, standing still')
    }
    standsStill = error
    discontinuity?.report({ cause: 'log-older', missing: error.message })
    const reportedAtMs = performance.now()
    const isBeingRecorded = () =>
      discontinuity !== undefined && performance.now() - reportedAtMs < recordedWithinMs && !discontinuity.isOpen()
    while (!signal.aborted && isBeingRecorded()) await pause(discontinuityPollMs, signal)
    await pause(discontinuityPollMs, signal)
  }

  /** A feed of the release that recorded the event can lead instead. */
  const giveUp = (found: UnreadableEventError) => {
    if (unreadable?.position !== found.position) {
      const { message: reason, position } = found
      logger.error({ feed, reason, position }, 'feed stopped before an event that it cannot read, giving up the lead')
    }
    unreadable = found
  }

  /** Whether another process has published the event since. */
  const isPublished = async (found: UnreadableEventError): Promise<boolean> => {
    const saved = await loadCheckpoint(readModel, feed)
    return saved !== undefined && hasPassed(saved.position, found)
  }

  const checkUnreadable = async () => {
    const found = unreadable
    if (found === undefined) return
    if (!(await isPublished(found)))
      throw new Error(`The feed ${feed} cannot publish: ${found.message}`, { cause: found })
    if (unreadable === found) unreadable = undefined
  }

  const carry = async (signal: AbortSignal) => {
    const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
    while (!signal.aborted) {
      if (discontinuity?.isOpen() === true) {
        standsStill ??= new Error('the log has gone back')
        await pause(discontinuityPollMs, signal)
        continue
      }
      try {
        await carryOnce(signal, backoff.reset)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof UnknownPositionError) {
          await standStill(error, signal)
          continue
        }
        const found = unreadableEventIn(error)
        if (found !== undefined) return giveUp(found)
        // The next round finds out where to go on, and says so.
        if (!(error instanceof KafkaWasResetError)) trouble.began(error)
        await backoff.pause(signal)
      }
    }
  }

  const lease = holdLease({
    readModel,
    name: feed,
    lengthMs: leaseLengthMs,
    onLead: carry,
    restMs: () => (unreadable === undefined ? leaseLengthMs / 3 : restAfterUnreadableMs),
    logger,
  })
  return {
    isLeading: lease.isLeading,
    async check() {
      await checkUnreadable()
      if (!lease.isLeading()) return
      if (standsStill !== undefined) {
        throw new Error(`The feed ${feed} stands still: ${standsStill.message}`, { cause: standsStill })
      }
      trouble.check()
    },
    async stop() {
      await lease.stop()
      await admin.close()
    },
  }
}
