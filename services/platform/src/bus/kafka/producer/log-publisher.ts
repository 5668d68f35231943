import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { createBackoff } from '../../../async/backoff.ts'
import { sleep } from '../../../async/timers.ts'
import { UnknownPositionError } from '../../../event-store/errors.ts'
import type { Position } from '../../../event-store/port.ts'
import { holdLease } from '../../lease.ts'
import { logPosition, positionOf } from '../../log-cursor.ts'
import type { CheckpointStore, LogDiscontinuity, LogPublisher, LogPublisherOptions } from '../../publisher.ts'
import { createRelay, type Relay } from '../../relay.ts'
import { type UnreadableEventError, unreadableEventIn } from '../../unreadable-event.ts'
import { type KafkaAddress, parseKafkaAddress } from '../address.ts'
import { type KafkaAdmin, openKafkaAdmin } from '../admin.ts'
import { type Checkpoint, loadCheckpoint, logPublisherName, startCheckpointSaver } from './checkpoint.ts'
import { createProducerHealth, type ProducerHealth } from './producer-health.ts'
import { createKafkaProducer } from './producer.ts'
import { publishFromLog } from './publish-from-log.ts'
import { readOwnCheckpoints, resumeFrom } from './resume-position.ts'
import { includesOffsets, readTopicOffsets, TopicTruncatedError, watchForTruncation } from './topic-truncation.ts'

/** A leader that does not renew its lease for this long is replaced. */
export const logPublisherLeaseMs = 3_000
const discontinuityPollMs = 1_000
/** How long a reported discontinuity may take until it is recorded. */
const recordTimeoutMs = 10_000
/** Gives a log publisher of another release time to take the lease. */
const restAfterUnreadableMs = 5_000

const hasPassed = (position: Position | 'start', event: UnreadableEventError | undefined): boolean =>
  event !== undefined && position !== 'start' && position >= event.position

/** Keeps the event that only another release can publish. */
const createUnreadableEventGuard = (
  publisher: string,
  control: Pick<CheckpointStore, 'loadCursors'>,
  logger: Logger,
) => {
  let blocking: UnreadableEventError | undefined

  /** Whether another process has published the event since. */
  const isPublished = async (event: UnreadableEventError): Promise<boolean> => {
    const saved = await loadCheckpoint(control, publisher)
    return saved !== undefined && hasPassed(saved.position, event)
  }

  return {
    isBlocked: () => blocking !== undefined,
    block(event: UnreadableEventError) {
      if (blocking?.position !== event.position) {
        const { message: reason, position } = event
        const context = { feed: publisher, reason, position }
        logger.error(context, 'log publisher halted before an event that it cannot read, releasing the lease')
      }
      blocking = event
    },
    reached(position: Position | 'start') {
      if (hasPassed(position, blocking)) blocking = undefined
    },
    async check() {
      const event = blocking
      if (event === undefined) return
      if (!(await isPublished(event))) {
        throw new Error(`Log publisher ${publisher} cannot publish: ${event.message}`, { cause: event })
      }
      if (blocking === event) blocking = undefined
    },
  }
}

/** Stops publishing while the log does not have what was published. */
const createOlderLogGuard = (publisher: string, discontinuity: LogDiscontinuity | undefined, logger: Logger) => {
  let reason: Error | undefined
  return {
    /** Waits while the discontinuity is recorded. False if it is not. */
    async waitIfOpen(signal: AbortSignal): Promise<boolean> {
      if (discontinuity?.isOpen() !== true) return false
      reason ??= new Error('the log is older than what was published')
      await sleep(discontinuityPollMs, { signal })
      return true
    },
    /** Reports the discontinuity and waits until it is recorded. If that fails, the next attempt reports it again. */
    async report(error: Error, signal: AbortSignal): Promise<void> {
      if (reason === undefined) {
        logger.error({ err: error, feed: publisher }, 'log does not have what was published, log publisher halted')
      }
      reason = error
      discontinuity?.report({ cause: 'log-older', missing: error.message })
      const reportedAtMs = performance.now()
      const isBeingRecorded = () =>
        discontinuity !== undefined && performance.now() - reportedAtMs < recordTimeoutMs && !discontinuity.isOpen()
      while (!signal.aborted && isBeingRecorded()) await sleep(discontinuityPollMs, { signal })
      await sleep(discontinuityPollMs, { signal })
    },
    recovered() {
      reason = undefined
    },
    check() {
      if (reason === undefined) return
      throw new Error(`Log publisher ${publisher} is halted: ${reason.message}`, { cause: reason })
    },
  }
}

type Publishing = Pick<LogPublisherOptions, 'eventStore' | 'control' | 'logger'> & {
  readonly publisher: string
  readonly address: KafkaAddress
  readonly admin: KafkaAdmin
  readonly relay: Relay
  readonly health: ProducerHealth
  /**
   * Where Kafka had everything for certain when publishing last ended. The saved checkpoint may be later: a topic that is being
   * deleted still acknowledges messages.
   */
  readonly kept: { confirmed?: Checkpoint }
  onReached(position: Position | 'start'): void
}

/** Short, because each message has it. */
const newFill = (): string => randomBytes(6).toString('base64url')

const findStart = async ({ publisher, control, admin, address, logger, kept }: Publishing): Promise<Checkpoint> => {
  const saved = await loadCheckpoint(control, publisher)
  const current = await readTopicOffsets(admin)
  const isUsable = saved !== undefined && includesOffsets(current, saved)
  const own = isUsable ? [] : await readOwnCheckpoints(publisher, { address, admin, layout: current.layout, logger })
  const resume = resumeFrom(isUsable ? saved : (kept.confirmed ?? saved), own, current)
  const { from, because = isUsable ? undefined : 'kafka holds less than was published' } = resume
  const isFirstStart = saved === undefined && from.position === 'start'
  if (because !== undefined && !isFirstStart) {
    const context = { feed: publisher, because, position: from.position }
    logger.warn(context, 'log publisher cannot resume at its checkpoint, resuming elsewhere')
  }
  return because === undefined && from.fill !== undefined ? from : { ...from, fill: newFill() }
}

/** Publishes from the checkpoint until the signal aborts or something fails. Always rejects. */
const publishOnce = async (publishing: Publishing, signal: AbortSignal): Promise<never> => {
  const { publisher, address, admin, relay, health, eventStore, control, logger, kept } = publishing
  const from = await findStart(publishing)
  const producer = createKafkaProducer({ publisher, address, admin, logger, health, from })
  const checkpoints = startCheckpointSaver(control, publisher, logger)
  const truncation = watchForTruncation(
    admin,
    { confirmed: kept.confirmed ?? from, foundOnce: from },
    producer.checkpoint,
  )
  const untilTruncated = AbortSignal.any([signal, truncation.signal])
  const after = logPosition(from.position, from.eventId)
  try {
    await publishFromLog({
      openSource: (ended) =>
        eventStore.subscribe(after, { categories: relay.categories }, AbortSignal.any([untilTruncated, ended])),
      relay,
      publish: (envelopes) => producer.publish(envelopes, untilTruncated),
      onReached(position) {
        checkpoints.reached(producer.reached(position))
        publishing.onReached(positionOf(position))
      },
      onCaughtUp: health.recovered,
    })
    untilTruncated.throwIfAborted()
    throw new Error('The event store ended the subscription')
  } finally {
    truncation.stop()
    kept.confirmed = truncation.confirmed()
    await checkpoints.stop()
    await producer.close()
  }
}

/** Publishes a service's events to Kafka while this process holds the lease. */
export const startKafkaLogPublisher = async (
  options: LogPublisherOptions & { readonly url: string },
): Promise<LogPublisher> => {
  const { url, service, eventStore, publishers, control, discontinuity, logger } = options
  const address = parseKafkaAddress(url)
  const publisher = logPublisherName(address, service)
  const admin = openKafkaAdmin(address, logger)
  const health = createProducerHealth(publisher, logger)
  const unreadable = createUnreadableEventGuard(publisher, control, logger)
  const olderLog = createOlderLogGuard(publisher, discontinuity, logger)
  const relay = createRelay(publishers)

  const publishWhileLeading = async (signal: AbortSignal) => {
    const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
    const onReached = (position: Position | 'start') => {
      olderLog.recovered()
      unreadable.reached(position)
      backoff.reset()
    }
    const kept: Publishing['kept'] = {}
    const publishing = { publisher, address, admin, relay, health, eventStore, control, logger, kept, onReached }
    while (!signal.aborted) {
      if (await olderLog.waitIfOpen(signal)) continue
      try {
        await publishOnce(publishing, signal)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof UnknownPositionError) {
          // The log does not have it either.
          delete kept.confirmed
          await olderLog.report(error, signal)
          continue
        }
        const found = unreadableEventIn(error)
        if (found !== undefined) return unreadable.block(found)
        // The next attempt finds the position to resume at and logs it.
        if (!(error instanceof TopicTruncatedError)) health.failed(error)
        await backoff.pause(signal)
      }
    }
  }

  const lease = holdLease({
    readModel: control,
    name: publisher,
    lengthMs: logPublisherLeaseMs,
    onLead: publishWhileLeading,
    restMs: () => (unreadable.isBlocked() ? restAfterUnreadableMs : logPublisherLeaseMs / 3),
    logger,
  })
  return {
    isLeading: lease.isLeading,
    async check() {
      await unreadable.check()
      if (!lease.isLeading()) return
      olderLog.check()
      health.check()
    },
    async stop() {
      await lease.stop()
      await admin.close()
    },
  }
}
