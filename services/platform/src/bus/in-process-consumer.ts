import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff, retryUntilAborted } from '../async/backoff.ts'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import { createRunningState } from '../async/running-state.ts'
import { isTransient, isUserFacing } from '../errors/error-kinds.ts'
import { UnknownPositionError } from '../event-store/errors.ts'
import type { CaughtUp, Position, RecordedEvent } from '../event-store/port.ts'
import type { LogTail, TailView } from './in-process-tail.ts'
import {
  deliveredAt,
  logCursors,
  type LogPosition,
  logPosition,
  logPositionAfter,
  parseLogCursors,
  positionOf,
} from './log-cursor.ts'
import type { Consumer, Delivery, Subscription } from './port.ts'
import { UnhealthyConsumerError } from './unhealthy-consumer.ts'
import { unreadableEventIn } from './unreadable-event.ts'

const defaultMaxBatch = 100
/** With this many failures in a row, the consumer counts as unhealthy. */
const maxFailures = 5

const repeatAfterMs = 60_000

/** The log and its translation, which all consumers share. */
export type Source = {
  subscribe(after: LogPosition, signal: AbortSignal): AsyncIterable<RecordedEvent | CaughtUp>
  end(): Promise<Position | 'start'>
  /** See Relay.translate. */
  translate(recorded: RecordedEvent, topics: readonly Topic[]): readonly Envelope[]
}

type InProcessConsumerOptions = {
  readonly consumer: Consumer
  readonly source: Source
  readonly tail: Pick<LogTail, 'view' | 'changed' | 'wake'>
  /** Consumers of a lower rank handle the newest events first. */
  readonly rank: number
  /** Where the consumer starts without a cursor. */
  readonly beginning: LogPosition
  /** Consumers of one group run one after the other. Resolves when the earlier ones have ended. */
  readonly previousEnded: Promise<void>
  readonly logger: Logger
}

export type RunningConsumer = Pick<Subscription, 'stop'> & {
  readonly ended: Promise<void>
  /** Throws while the consumer is unhealthy. */
  check(): void
}

const missingUpTo = (at: LogPosition): string => `events up to position ${positionOf(at)} are missing from the log`

/** The failures of one consumer: repeated ones, an event that only another release can read, and an older log. */
const createHealth = ({ consumer, logger }: Pick<InProcessConsumerOptions, 'consumer' | 'logger'>) => {
  const { group } = consumer
  let failures = 0
  let lastError: unknown
  let loggedAtMs = Number.NEGATIVE_INFINITY
  /** The log does not have this position, so the consumer is halted. */
  let missing: LogPosition | undefined

  return {
    succeeded() {
      failures = 0
    },
    failed(error: unknown, after: LogPosition) {
      failures++
      const unreadable = unreadableEventIn(error)
      const isKnown = unreadable !== undefined && unreadableEventIn(lastError)?.position === unreadable.position
      lastError = error
      if (unreadable === undefined) {
        // An engine that is down, or a locked file, fails every retry.
        if (isTransient(error) && performance.now() - loggedAtMs < repeatAfterMs) return
        loggedAtMs = performance.now()
        const reason = isUserFacing(error) ? { reason: error.message } : { err: error }
        logger.warn({ ...reason, consumer: group, failures, after: positionOf(after) }, 'consumer failed, retrying')
        return
      }
      // Retries fail in the same way, so log it only once.
      if (isKnown) return
      const { message: reason, position } = unreadable
      logger.error({ reason, position, consumer: group }, 'consumer halted before an event that it cannot read')
      consumer.onUnreadableEvent?.(unreadable)
    },
    logIsOlder(error: UnknownPositionError, after: LogPosition) {
      missing = after
      lastError = error
      const { message: reason } = error
      logger.error({ reason, consumer: group }, 'log is older than the cursor of a consumer, consumer halted')
      consumer.onDiscontinuity?.({ cause: 'log-older', missing: missingUpTo(after) })
    },
    isLogOlder: () => missing !== undefined,
    check() {
      if (missing !== undefined) {
        throw new Error(`Consumer ${group} is halted: ${missingUpTo(missing)}`, { cause: lastError })
      }
      const unreadable = failures > 0 ? unreadableEventIn(lastError) : undefined
      if (unreadable !== undefined) {
        throw new Error(`Consumer ${group} is halted: ${unreadable.message}`, { cause: unreadable })
      }
      if (failures < maxFailures) return
      throw new UnhealthyConsumerError(group, `failing after ${failures} attempts`, lastError)
    },
  }
}

/** Reads the log for one consumer until stopped. */
export const startInProcessConsumer = (options: InProcessConsumerOptions): RunningConsumer => {
  const { consumer, source, tail, rank, beginning, previousEnded } = options
  const running = createRunningState()
  const { signal } = running
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const backoff = createBackoff({ firstMs: 20, maxMs: 5_000 })
  const health = createHealth(options)
  let position = beginning

  const recordSuccess = () => {
    health.succeeded()
    backoff.reset()
  }

  /** Never gives up: the bus does not skip messages. */
  const retry = (work: () => Promise<void>) =>
    retryUntilAborted(
      async () => {
        await work()
        recordSuccess()
      },
      { signal, backoff, onFailure: (error) => health.failed(error, position) },
    )

  const deliver = async (deliveries: readonly Delivery[]) => {
    for (let at = 0; at < deliveries.length && !signal.aborted; at += maxBatch) {
      const batch = deliveries.slice(at, at + maxBatch)
      await yieldToEventLoop()
      await retry(() => consumer.handle(batch))
    }
  }

  /** Only the last message of an event advances the cursor, so that a crash between two of them redelivers both. */
  const deliveriesOf = (recorded: RecordedEvent, previous: LogPosition): Delivery[] => {
    const wanted = source.translate(recorded, consumer.topics).filter(({ topic }) => consumer.topics.includes(topic))
    if (wanted.length === 0) return []
    const own = logPosition(recorded.position, recorded.id)
    return wanted.map((envelope, index) => ({
      envelope,
      ...deliveredAt(index === wanted.length - 1 ? own : previous),
    }))
  }

  const handle = async (items: readonly (RecordedEvent | CaughtUp)[]) => {
    const deliveries: Delivery[] = []
    let reached = position
    let isCaughtUp = false
    let unreadable: { readonly error: unknown } | undefined
    for (const item of items) {
      try {
        if (item.kind === 'event') deliveries.push(...deliveriesOf(item, reached))
        else isCaughtUp = true
      } catch (error) {
        unreadable = { error }
        break
      }
      reached = logPositionAfter(item, reached)
    }
    await deliver(deliveries)
    if (signal.aborted) return
    position = reached
    // The earlier events have been handled. The consumer retries this one until a publisher can read it.
    if (unreadable !== undefined) throw unreadable.error
    if (!isCaughtUp) return
    recordSuccess()
    consumer.onCaughtUp?.(logCursors(position))
  }

  /**
   * Reads the log by itself, until a view of the tail has what follows. The view is older than the subscription, which verifies that the
   * log has what was handled. Returns undefined if there is a newer view by now, or the consumer stops.
   */
  const catchUp = async (): Promise<TailView | undefined> => {
    const view = tail.view()
    let items: (RecordedEvent | CaughtUp)[] = []
    for await (const item of source.subscribe(position, signal)) {
      items.push(item)
      if (item.kind === 'event' && items.length < maxBatch) continue
      await handle(items)
      items = []
      if (signal.aborted) return undefined
      if (item.kind === 'event') continue
      if (view?.find(position) !== undefined) return view
      if (tail.view() !== view) return undefined
    }
    if (!signal.aborted) throw new Error('The event store ended the subscription')
    return undefined
  }

  /** Handles what the view has, until it ends or the consumer falls behind. */
  const followView = async (view: TailView): Promise<void> => {
    let next = view.find(position)
    while (next !== undefined && !signal.aborted) {
      const items = view.from(next, maxBatch)
      if (items === undefined) return
      if (items.length === 0) await tail.changed(rank)
      else await handle(items)
      next += items.length
    }
  }

  const readLog = async () => {
    while (!signal.aborted) {
      const view = await catchUp()
      if (view !== undefined) await followView(view)
    }
  }

  /** Returns if the log is older: a retry would continue after a gap once the log has grown. */
  const readUntilLogIsOlder = async () => {
    try {
      await readLog()
    } catch (error) {
      if (signal.aborted || !(error instanceof UnknownPositionError)) throw error
      if (consumer.startAt !== 'now') return health.logIsOlder(error, position)
      // It needs no earlier event, so the retry continues at the end of the older log.
      position = await source.end()
      consumer.onGap?.()
      throw error
    }
  }

  const run = async () => {
    await Promise.race([previousEnded, stopped])
    await retry(async () => {
      const cursors = await consumer.loadCursors()
      if (Object.keys(cursors).length > 0) position = parseLogCursors(cursors)
    })
    await retry(readUntilLogIsOlder)
    // Keep the group: its next consumer would be halted too.
    if (health.isLogOlder()) await stopped
  }

  const ended = run()
  return {
    ended,
    async stop() {
      running.stop()
      tail.wake()
      await ended
    },
    check: health.check,
  }
}
