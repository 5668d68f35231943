import type { Batch } from 'kafkajs'
import type { Bounds, ConsumerPosition } from '../cursor.ts'
import { fillOf } from '../message-format.ts'
import { type DeliveryQueueOptions, fromKafka, type QueuedMessage, startDeliveryQueue } from './delivery-queue.ts'
import type { Break, BreakPlace, Start } from './start-position.ts'

/** The messages of one partition in a fetch response. */
export type FetchedBatch = Pick<Batch, 'topic' | 'partition' | 'messages' | 'highWatermark' | 'lastOffset'>

/** Controls what the connection fetches from one partition. */
export type FetchControl = {
  seek(offset: bigint): void
  pause(): void
  resume(): void
}

type PartitionOptions = Omit<DeliveryQueueOptions, 'onHandled'> & {
  readonly fetchControl: FetchControl
  readonly start: Start
  readonly bounds: Bounds
  /** Kafka is known to have no messages between the start and the first fetched one. */
  readonly isGapKnown: boolean
  onHandled(): void
  /** The fetched batch has to be dropped, because messages before it may be missing. */
  onBreak(place: BreakPlace): void
}

/** Consumes one partition: messages from Kafka, or from the log during a catch-up. */
export type AssignedPartition = {
  /** Queues a fetched batch. Returns false if it has to be dropped, because it does not continue the last one. */
  take(batch: FetchedBatch): boolean
  /** Queues messages from the log during a catch-up. */
  push(messages: readonly QueuedMessage[]): void
  isFull(): boolean
  /** Resolves when the queue is not full. */
  hasRoom(): Promise<void>
  /** Ends the catch-up, which has read the log up to `position`. Resolves when the partition continues in Kafka. */
  endCatchUp(position: ConsumerPosition): Promise<void>
  /** Everything up to this position has been handled. */
  position(): ConsumerPosition
  /** The offset after the last handled message; undefined during a catch-up. */
  next(): bigint | undefined
  /** The last known offset after the last message in Kafka. */
  end(): bigint
  /** No message is queued or in flight. */
  isIdle(): boolean
  stop(): Promise<void>
}

/**
 * Compares the fills of messages, which shows a topic that was emptied and refilled past the consumer's offset. Messages of older
 * releases may have no fill.
 */
const createFillCheck = (before: string | undefined) => {
  let fill = before
  return (messages: FetchedBatch['messages'], isLive: boolean): Break | undefined => {
    for (const message of messages) {
      const own = fillOf(message)
      if (isLive) fill ??= own
      if (own !== undefined && own !== fill) return fill === undefined ? 'first fill' : 'other fill'
    }
    return undefined
  }
}

export const startPartition = (options: PartitionOptions): AssignedPartition => {
  const { fetchControl, start, bounds, busPartition, onBreak } = options
  let phase: 'catching-up' | 'following' | 'broken' = start.kind === 'catch-up' ? 'catching-up' : 'following'
  let isStopped = false
  /** Assigned partitions start paused. */
  let isPaused = true
  let { next } = start
  let end = bounds.high
  let handledNext = next
  let isGapKnown = options.isGapKnown
  const checkFill = createFillCheck(start.fill)
  // It has no log in which it could look for earlier messages.
  const isLive = options.consumer.startAt === 'now'

  const setPaused = (paused: boolean) => {
    if (paused === isPaused) return
    isPaused = paused
    if (paused) fetchControl.pause()
    else fetchControl.resume()
  }

  const queue = startDeliveryQueue({
    ...options,
    onHandled(offset) {
      if (offset !== undefined) handledNext = offset + 1n
      if (phase === 'following' && !queue.isFull()) setPaused(false)
      options.onHandled()
    },
  })

  const follow = () => {
    fetchControl.seek(next)
    setPaused(false)
  }
  if (phase === 'following') follow()

  return {
    take(batch) {
      if (phase !== 'following' || isStopped) return false
      const [first] = batch.messages
      if (first === undefined) return true
      const offset = BigInt(first.offset)
      const isNext = offset === next || (offset > next && isGapKnown)
      const because = isNext ? checkFill(batch.messages, isLive) : 'gap'
      if (because !== undefined) {
        phase = 'broken'
        setPaused(true)
        onBreak({ next, because })
        return false
      }
      isGapKnown = false
      next = BigInt(batch.lastOffset()) + 1n
      end = BigInt(batch.highWatermark)
      queue.push(batch.messages.map((message) => fromKafka(busPartition, message)))
      if (queue.isFull()) setPaused(true)
      return true
    },
    push: queue.push,
    isFull: queue.isFull,
    hasRoom: queue.hasRoom,
    async endCatchUp(position) {
      await queue.drained()
      if (isStopped) return
      queue.moveTo(position)
      phase = 'following'
      follow()
      options.onHandled()
    },
    position: queue.position,
    next: () => (phase === 'catching-up' ? undefined : handledNext),
    end: () => end,
    isIdle: () => phase === 'following' && queue.isEmpty(),
    async stop() {
      isStopped = true
      await queue.stop()
    },
  }
}
