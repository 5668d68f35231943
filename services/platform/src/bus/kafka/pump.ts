import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff } from '../../async/backoff.ts'
import { yieldToEventLoop } from '../../async/event-loop-budget.ts'
import type { Consumer, Delivery } from '../port.ts'
import { eventPositionOf } from '../relay.ts'
import { cursorOf, floorOf, type Place, placeAfter } from './cursor.ts'
import type { Item } from './item.ts'
import type { Standing } from './standing.ts'

const defaultMaxBatch = 100
/** With more waiting, no more is fetched. */
const fullBytes = 1024 * 1024

export type PumpOptions = {
  readonly busPartition: string
  readonly consumer: Consumer
  readonly standing: Standing
  readonly logger: Logger
  /** Everything up to there has been handled. */
  readonly after: Place
  /** Something has been handled, up to the offset where it came from Kafka. */
  onHandled(offset: bigint | undefined): void
}

/** Hands the messages of one partition to the consumer: in order, one batch at a time, each until it is accepted. */
export type Pump = {
  push(items: readonly Item[]): void
  isFull(): boolean
  isIdle(): boolean
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
  /** Resolves when it is not full any more, or stopped. */
  room(): Promise<void>
  /** Up to there everything has been handled; of an event only when all of its messages are. */
  place(): Place
  /** Everything up to there is known to be handled. Only while nothing waits. */
  moveTo(place: Place): void
  /** Resolves when the batch under way is done; what waits is forgotten. */
  stop(): Promise<void>
}

export const startPump = (options: PumpOptions): Pump => {
  const { busPartition, consumer, standing, logger, onHandled } = options
  const abort = new AbortController()
  const { signal } = abort
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const backoff = createBackoff({ firstMs: 20, maxMs: 5_000 })
  const waiting: Item[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  let place: Place = {}
  /** Messages up to there come again: the log has had them, or a feed repeats itself. */
  let floor = ''
  let hasRoom = Promise.withResolvers<void>()

  const isFull = () => waitingBytes >= fullBytes

  const moveTo = (to: Place) => {
    place = to
    // A consumer that starts 'now' has had nothing but what this bus brought it.
    if (consumer.startAt !== 'now' && floorOf(to) > floor) floor = floorOf(to)
  }
  moveTo(options.after)

  const endsEvent = (item: Item, envelope: Envelope, next: Item | undefined): boolean => {
    if (item.endsEvent) return true
    try {
      return next !== undefined && eventPositionOf(next.envelope().position) !== eventPositionOf(envelope.position)
    } catch {
      return false
    }
  }

  /** Those in front of one that cannot be read: it is nobody's to skip. */
  const countReadable = (): number => {
    let count = 0
    for (const item of waiting.slice(0, maxBatch)) {
      try {
        item.envelope()
      } catch (error) {
        if (count > 0) return count
        throw error
      }
      count++
    }
    return count
  }

  const handleNext = async () => {
    const count = countReadable()
    const deliveries: Delivery[] = []
    let reached = place
    for (const [index, item] of waiting.slice(0, count).entries()) {
      const envelope = item.envelope()
      if (envelope.position <= floor) continue
      // Until an event's last message has been handled, a crash must bring all of them again.
      if (endsEvent(item, envelope, waiting[index + 1])) reached = placeAfter(envelope, item.offset)
      deliveries.push({ envelope, busPartition, cursor: cursorOf(reached) })
    }
    if (deliveries.length > 0) await consumer.handle(deliveries)
    standing.well(busPartition)
    backoff.reset()
    place = reached
    const handledUpTo = deliveries.at(-1)?.envelope.position ?? ''
    if (consumer.startAt !== 'now' && handledUpTo > floor) floor = handledUpTo
    const handled = waiting.splice(0, count)
    for (const { bytes } of handled) waitingBytes -= bytes
    if (!isFull()) hasRoom.resolve()
    onHandled(handled.at(-1)?.offset)
  }

  const run = async () => {
    while (!signal.aborted && waiting.length > 0) {
      await yieldToEventLoop()
      if (signal.aborted) break
      try {
        await handleNext()
      } catch (error) {
        if (signal.aborted) break
        const failures = standing.failed(busPartition, error)
        const offset = waiting[0]?.offset?.toString()
        const context = { err: error, consumer: consumer.group, failures, busPartition, offset }
        logger.warn(context, 'Consumer failed, will try again')
        await backoff.pause(signal)
      }
    }
    running = undefined
  }

  return {
    push(items) {
      if (signal.aborted || items.length === 0) return
      for (const { bytes } of items) waitingBytes += bytes
      waiting.push(...items)
      if (isFull()) hasRoom = Promise.withResolvers()
      running ??= run()
    },
    isFull,
    isIdle: () => waiting.length === 0,
    async idle() {
      while (running !== undefined) await running
    },
    async room() {
      while (isFull() && !signal.aborted) await hasRoom.promise
    },
    place: () => place,
    moveTo,
    async stop() {
      abort.abort()
      hasRoom.resolve()
      await running
      standing.well(busPartition)
    },
  }
}
