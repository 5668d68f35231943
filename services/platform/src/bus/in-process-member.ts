import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import type { CaughtUp, Position, Recorded } from '../event-store/port.ts'
import { growingPauses } from './growing-pauses.ts'
import { inBatches } from './in-batches.ts'
import type { Consumer, Cursor, Delivery, Subscription } from './port.ts'
import { breathe } from './time-slice.ts'

const onlyPartition = '0'
const defaultMaxBatch = 100
/** After so many failures in a row the consumer counts as standing still. */
const failuresTolerated = 5

export type Place = Position | 'start'

/** What the members of all groups share: the log, and its translation. */
export type Source = {
  follow(after: Place, signal: AbortSignal): AsyncIterable<Recorded | CaughtUp>
  translate(recorded: Recorded): readonly Envelope[]
}

export type MemberOptions = {
  readonly consumer: Consumer
  readonly source: Source
  /** Where it starts without a cursor. */
  readonly beginning: Place
  /** Members of one group take turns: this one begins when those before it have ended. */
  readonly before: Promise<void>
  readonly logger: Logger
}

export type Member = Subscription & {
  readonly ended: Promise<void>
  /** Throws while it stands still. */
  check(): void
}

// A place in the store is what this bus hands out as cursor, and the only thing it gets back.
const cursorOf = (place: Place): Cursor => place as string as Cursor
const placeOf = (cursor: Cursor): Place => cursor as string as Place

/** One consumer's way along the log. */
export const runMember = ({ consumer, source, beginning, before, logger }: MemberOptions): Member => {
  const abort = new AbortController()
  const { signal } = abort
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const pauses = growingPauses({ firstMs: 20, mostMs: 5_000 })
  let place = beginning
  let failures = 0
  let lastError: unknown

  /** Tries for ever: skipping is never the bus's decision. */
  const persist = async (work: () => Promise<void>) => {
    while (!signal.aborted) {
      try {
        await work()
        failures = 0
        pauses.reset()
        return
      } catch (error) {
        if (signal.aborted) return
        failures++
        lastError = error
        logger.warn({ err: error, consumer: consumer.group, failures, after: place }, 'Consumer failed, will try again')
        await pauses.pause(signal)
      }
    }
  }

  const handOver = async (deliveries: readonly Delivery[]) => {
    for (let at = 0; at < deliveries.length && !signal.aborted; at += maxBatch) {
      const batch = deliveries.slice(at, at + maxBatch)
      await breathe()
      await persist(() => consumer.handle(batch))
    }
  }

  /** Only an event's last message moves the cursor past it: a crash between two of them must bring both again. */
  const deliveriesOf = (recorded: Recorded, previous: Place): Delivery[] => {
    const wanted = source.translate(recorded).filter(({ topic }) => consumer.topics.includes(topic))
    return wanted.map((envelope, index) => ({
      envelope,
      busPartition: onlyPartition,
      cursor: cursorOf(index === wanted.length - 1 ? recorded.position : previous),
    }))
  }

  const take = async (items: readonly (Recorded | CaughtUp)[]) => {
    const deliveries: Delivery[] = []
    let reached = place
    let isCaughtUp = false
    let untranslatable: { readonly error: unknown } | undefined
    for (const item of items) {
      try {
        if (item.kind === 'event') deliveries.push(...deliveriesOf(item, reached))
        else isCaughtUp = true
      } catch (error) {
        untranslatable = { error }
        break
      }
      reached = item.position
    }
    await handOver(deliveries)
    if (signal.aborted) return
    place = reached
    // What came before it has been handled all the same; from here on the consumer waits for a publisher that knows it.
    if (untranslatable !== undefined) throw untranslatable.error
    if (isCaughtUp) consumer.onCaughtUp?.({ [onlyPartition]: cursorOf(place) })
  }

  const followLog = async () => {
    for await (const items of inBatches(source.follow(place, signal), maxBatch)) {
      await take(items)
      if (signal.aborted) return
    }
    if (!signal.aborted) throw new Error('The event store ended the subscription')
  }

  const run = async () => {
    await Promise.race([before, stopped])
    await persist(async () => {
      const cursor = (await consumer.loadCursors())[onlyPartition]
      if (cursor !== undefined) place = placeOf(cursor)
    })
    await persist(followLog)
  }

  const ended = run()
  return {
    ended,
    async stop() {
      abort.abort()
      await ended
    },
    check() {
      if (failures < failuresTolerated) return
      throw new Error(`Consumer ${consumer.group} stands still after ${failures} attempts`, { cause: lastError })
    },
  }
}
