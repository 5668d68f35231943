import type { Batch } from 'kafkajs'
import type { Bounds, Place } from './cursor.ts'
import { fillOf } from './feed-header.ts'
import { type Item, itemOf } from './item.ts'
import { type PumpOptions, startPump } from './pump.ts'
import type { Start } from './start.ts'

/** What one request has brought of a partition. */
export type Fetched = Pick<Batch, 'topic' | 'partition' | 'messages' | 'highWatermark' | 'lastOffset'>

/** A partition of the connected consumer: what it is told to fetch. */
export type Fetching = {
  seek(offset: bigint): void
  pause(): void
  resume(): void
}

export type PartitionOptions = Omit<PumpOptions, 'onHandled'> & {
  readonly fetching: Fetching
  readonly start: Start
  readonly bounds: Bounds
  /** Kafka has no messages before the next one of this partition, as a look at it has shown. */
  readonly isGapKnown: boolean
  onHandled(): void
  /** What was fetched may not be what comes next: the topic was cut off, or it is another one. */
  onLost(next: bigint): void
}

/** One partition on its way: from what is fetched, or read from the log, to what has been handled. */
export type AssignedPartition = {
  /** Takes over what has been fetched; false when it is not what should come next, and has to be left. */
  take(batch: Fetched): boolean
  /** Messages of the log, while the partition is being crossed. */
  push(items: readonly Item[]): void
  isFull(): boolean
  /** Resolves when it is not full any more. */
  room(): Promise<void>
  /** The log has been read and handled up to `place`: Kafka's messages come next. */
  crossed(place: Place): Promise<void>
  /** Up to there everything has been handled. */
  place(): Place
  /** The offset behind the last message of Kafka that has been handled; undefined while the log is read. */
  next(): bigint | undefined
  /** The offset behind the last message, when last seen. */
  end(): bigint
  /** Nothing is being handled, and nothing waits here. */
  isIdle(): boolean
  stop(): Promise<void>
}

export const startPartition = (options: PartitionOptions): AssignedPartition => {
  const { fetching, start, bounds, busPartition, onLost } = options
  let isCrossing = start.kind === 'cross'
  let isLost = false
  /** As every partition is when it has been assigned. */
  let isPaused = true
  let isStopped = false
  let { next } = start
  let end = bounds.high
  let handledUpTo = next
  let isGapKnown = options.isGapKnown
  /** Of the message taken last that names it. */
  let fill: string | undefined

  /**
   * Kafka was emptied, and has been given so much since that the offsets alone do not show it. Within what was fetched at once a
   * change of the fill leaves nothing out.
   */
  const isOfAnotherFill = (messages: Fetched['messages']): boolean => {
    const fills = messages.flatMap((message) => fillOf(message) ?? [])
    const isAnother = fill !== undefined && fills[0] !== undefined && fills[0] !== fill
    fill = fills.at(-1) ?? fill
    return isAnother
  }

  const setPaused = (paused: boolean) => {
    if (paused === isPaused) return
    isPaused = paused
    if (paused) fetching.pause()
    else fetching.resume()
  }

  const pump = startPump({
    ...options,
    onHandled(offset) {
      if (offset !== undefined) handledUpTo = offset + 1n
      if (!isCrossing && !isLost && !pump.isFull()) setPaused(false)
      options.onHandled()
    },
  })

  const follow = () => {
    fetching.seek(next)
    setPaused(false)
  }
  if (!isCrossing) follow()

  return {
    take(batch) {
      if (isCrossing || isLost || isStopped) return false
      const [first] = batch.messages
      if (first === undefined) return true
      const offset = BigInt(first.offset)
      const isNext = offset === next || (offset > next && isGapKnown)
      if (!isNext || isOfAnotherFill(batch.messages)) {
        isLost = true
        setPaused(true)
        onLost(next)
        return false
      }
      isGapKnown = false
      next = BigInt(batch.lastOffset()) + 1n
      end = BigInt(batch.highWatermark)
      pump.push(batch.messages.map((message) => itemOf(busPartition, message)))
      if (pump.isFull()) setPaused(true)
      return true
    },
    push: pump.push,
    isFull: pump.isFull,
    room: pump.room,
    async crossed(place) {
      await pump.idle()
      if (isStopped) return
      pump.moveTo(place)
      isCrossing = false
      follow()
      options.onHandled()
    },
    place: pump.place,
    next: () => (isCrossing ? undefined : handledUpTo),
    end: () => end,
    isIdle: () => !isCrossing && !isLost && pump.isIdle(),
    async stop() {
      isStopped = true
      await pump.stop()
    },
  }
}
