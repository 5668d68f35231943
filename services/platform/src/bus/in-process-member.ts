import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff } from '../async/backoff.ts'
import { batchIterable } from '../async/batches.ts'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import { UnknownPositionError } from '../event-store/errors.ts'
import type { CaughtUp, Recorded } from '../event-store/port.ts'
import { deliveredAt, logCursors, type LogPosition, logPosition, parseLogCursors, positionOf } from './log-cursor.ts'
import type { Consumer, Delivery, Subscription } from './port.ts'
import { unreadableEventIn } from './unreadable-event.ts'

const defaultMaxBatch = 100
/** After so many failures in a row the consumer counts as standing still. */
const failuresTolerated = 5

/** What the members of all groups share: the log, and its translation. */
export type Source = {
  follow(after: LogPosition, signal: AbortSignal): AsyncIterable<Recorded | CaughtUp>
  /** See Relay.translate. */
  translate(recorded: Recorded, topics: readonly Topic[]): readonly Envelope[]
}

export type MemberOptions = {
  readonly consumer: Consumer
  readonly source: Source
  /** Where it starts without a cursor. */
  readonly beginning: LogPosition
  /** Members of one group take turns: this one begins when those before it have ended. */
  readonly before: Promise<void>
  readonly logger: Logger
}

export type Member = Pick<Subscription, 'stop'> & {
  readonly ended: Promise<void>
  /** Throws while it stands still. */
  check(): void
}

/** Catching up leads to the end of the log, where the store may not know the event. */
const placeAfter = (item: Recorded | CaughtUp, before: LogPosition): LogPosition => {
  if (item.kind === 'event') return logPosition(item.position, item.id)
  return item.position === positionOf(before) ? before : logPosition(item.position, item.eventId)
}

const missingUpTo = (place: LogPosition): string =>
  `events up to position ${positionOf(place)} are missing from the log`

/** One consumer's way along the log. */
export const runMember = ({ consumer, source, beginning, before, logger }: MemberOptions): Member => {
  const abort = new AbortController()
  const { signal } = abort
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const backoff = createBackoff({ firstMs: 20, maxMs: 5_000 })
  let place = beginning
  let failures = 0
  let lastError: unknown
  /** The log does not hold this place: nothing is handed over any more. */
  let lost: LogPosition | undefined

  const hasSucceeded = () => {
    failures = 0
    backoff.reset()
  }

  const noteFailure = (error: unknown) => {
    const unreadable = unreadableEventIn(error)
    if (unreadable === undefined) {
      const after = positionOf(place)
      logger.warn({ err: error, consumer: consumer.group, failures, after }, 'Consumer failed, will try again')
      return
    }
    // Only another release can read it, so once is enough.
    if (unreadableEventIn(lastError)?.position === unreadable.position) return
    const { message: reason, position } = unreadable
    logger.error({ reason, position, consumer: consumer.group }, 'consumer stopped before an event that it cannot read')
    consumer.onUnreadableEvent?.(unreadable)
  }

  /** Tries for ever: skipping is never the bus's decision. */
  const persist = async (work: () => Promise<void>) => {
    while (!signal.aborted) {
      try {
        await work()
        hasSucceeded()
        return
      } catch (error) {
        if (signal.aborted) return
        failures++
        noteFailure(error)
        lastError = error
        await backoff.pause(signal)
      }
    }
  }

  const handOver = async (deliveries: readonly Delivery[]) => {
    for (let at = 0; at < deliveries.length && !signal.aborted; at += maxBatch) {
      const batch = deliveries.slice(at, at + maxBatch)
      await yieldToEventLoop()
      await persist(() => consumer.handle(batch))
    }
  }

  /** Only an event's last message moves the cursor past it: a crash between two of them must bring both again. */
  const deliveriesOf = (recorded: Recorded, previous: LogPosition): Delivery[] => {
    const wanted = source.translate(recorded, consumer.topics).filter(({ topic }) => consumer.topics.includes(topic))
    const own = logPosition(recorded.position, recorded.id)
    return wanted.map((envelope, index) => ({
      envelope,
      ...deliveredAt(index === wanted.length - 1 ? own : previous),
    }))
  }

  const take = async (items: readonly (Recorded | CaughtUp)[]) => {
    const deliveries: Delivery[] = []
    let reached = place
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
      reached = placeAfter(item, reached)
    }
    await handOver(deliveries)
    if (signal.aborted) return
    place = reached
    // What came before it has been handled all the same; from here on the consumer waits for a publisher that knows it.
    if (unreadable !== undefined) throw unreadable.error
    if (!isCaughtUp) return
    hasSucceeded()
    consumer.onCaughtUp?.(logCursors(place))
  }

  const followLog = async () => {
    const open = (left: AbortSignal) => source.follow(place, AbortSignal.any([signal, left]))
    for await (const items of batchIterable(open, maxBatch)) {
      await take(items)
      if (signal.aborted) return
    }
    if (!signal.aborted) throw new Error('The event store ended the subscription')
  }

  /** Where the log is an older one, trying again would go on behind a gap as soon as the log has grown. */
  const followUntilLost = async () => {
    try {
      await followLog()
    } catch (error) {
      if (signal.aborted || !(error instanceof UnknownPositionError)) throw error
      lost = place
      lastError = error
      // For the person on call, who cannot do anything with a stack.
      const { message: reason } = error
      logger.error({ reason, consumer: consumer.group }, 'the log is older than a consumer, which stands still')
      consumer.onDiscontinuity?.({ cause: 'log-older', missing: missingUpTo(place) })
    }
  }

  const run = async () => {
    await Promise.race([before, stopped])
    await persist(async () => {
      const cursors = await consumer.loadCursors()
      if (Object.keys(cursors).length > 0) place = parseLogCursors(cursors)
    })
    await persist(followUntilLost)
    // Another member of the group would find the same.
    if (lost !== undefined) await stopped
  }

  const ended = run()
  return {
    ended,
    async stop() {
      abort.abort()
      await ended
    },
    check() {
      if (lost !== undefined) {
        throw new Error(`Consumer ${consumer.group} stands still: ${missingUpTo(lost)}`, { cause: lastError })
      }
      const unreadable = failures > 0 ? unreadableEventIn(lastError) : undefined
      if (unreadable !== undefined) {
        throw new Error(`Consumer ${consumer.group} stands still: ${unreadable.message}`, { cause: unreadable })
      }
      if (failures < failuresTolerated) return
      throw new Error(`Consumer ${consumer.group} stands still after ${failures} attempts`, { cause: lastError })
    },
  }
}
