import type { Batch, KafkaMessage } from 'kafkajs'
import { type Bounds, type Place, startAfter } from './cursor.ts'
import { deliveryOf, type PumpOptions, startPump } from './pump.ts'

/** A partition of the connected consumer: what it is told to fetch. */
export type Fetching = {
  seek(offset: bigint): void
  pause(): void
  resume(): void
}

export type PartitionOptions = Omit<PumpOptions, 'onHandled'> & {
  readonly fetching: Fetching
  /** Everything up to there has been handled; nothing yet where absent. */
  readonly after: Place | undefined
  /** Where to start with nothing handled; at the low end where absent. */
  readonly beginning: bigint | undefined
  readonly bounds: Bounds
  lookAgain(): Promise<Bounds>
  onHandled(place: Place): void
}

/** One partition on its way: from what is fetched to what has been handled. */
export type AssignedPartition = {
  /** Takes over what has been fetched; false when it is not what should come next, and has to be left. */
  take(batch: Batch): boolean
  /** What has been handled last; without a position where it only is known that nothing before concerns the consumer. */
  handled(): Place
  /** The offset behind the last message, when last seen. */
  end(): bigint
  /** Nothing is being handled, and nothing waits here. */
  isIdle(): boolean
  stop(): Promise<void>
}

export const startPartition = (options: PartitionOptions): AssignedPartition => {
  const { fetching, bounds, lookAgain, busPartition, logger, consumer, standing } = options
  let known: Required<Place> | undefined
  let next = 0n
  let end = bounds.high
  let handled: Place = { offset: -1n }
  /** Looking where to go on; what is fetched meanwhile is left. */
  let isLost = false
  /** As every partition is when it has been assigned. */
  let isPaused = true
  let isStopped = false
  /** The partition has no messages there, as Kafka itself says. */
  let gapBefore: bigint | undefined

  const setPaused = (paused: boolean) => {
    if (paused === isPaused) return
    isPaused = paused
    if (paused) fetching.pause()
    else fetching.resume()
  }

  const pump = startPump({
    ...options,
    onHandled(place) {
      handled = place
      if (!isLost && !pump.isFull()) setPaused(false)
      options.onHandled(place)
    },
  })

  const startFrom = (place: Place | undefined, found: Bounds, beginning?: bigint) => {
    const start = startAfter(place, found, beginning)
    if (start.because !== undefined) {
      const context = {
        consumer: consumer.group,
        busPartition,
        after: place?.offset.toString(),
        from: `${start.offset}`,
      }
      logger.error(context, `Consumer starts elsewhere than it ended: ${start.because}`)
    }
    known = start.known
    next = start.offset
    end = found.high
    handled = known ?? (place?.offset === next - 1n ? place : { offset: next - 1n })
    fetching.seek(next)
    setPaused(false)
  }

  /** What was fetched is not what comes next: the log was cut off, or it is another one. Looks, and goes on or starts over. */
  const findAgain = async ({ startOver }: { readonly startOver: boolean }) => {
    isLost = true
    setPaused(true)
    try {
      await pump.idle()
      const found = isStopped ? undefined : await lookAgain()
      if (found === undefined || isStopped) return
      gapBefore = next
      startFrom(startOver ? undefined : handled, found)
      standing.well(`${busPartition} lost`)
    } catch (error) {
      // Fetched again, it looks again.
      standing.failed(`${busPartition} lost`, error)
      if (!isStopped) setPaused(false)
    } finally {
      isLost = false
    }
  }

  const hasPosition = (message: KafkaMessage, position: string): boolean => {
    try {
      return deliveryOf(busPartition, message).envelope.position === position
    } catch {
      return false
    }
  }

  const isNext = (offset: bigint): boolean => offset === next || (offset > next && gapBefore === next)

  startFrom(options.after, bounds, options.beginning)

  return {
    take(batch) {
      if (isLost || isStopped) return false
      let { messages } = batch
      const [first] = messages
      if (first === undefined) return true
      if (!isNext(BigInt(first.offset))) {
        void findAgain({ startOver: false })
        return false
      }
      if (known !== undefined) {
        if (!hasPosition(first, known.position)) {
          logger.error({ consumer: consumer.group, busPartition }, 'Kafka was reset: the consumer starts over')
          void findAgain({ startOver: true })
          return false
        }
        known = undefined
        messages = messages.slice(1)
      }
      next = BigInt(batch.lastOffset()) + 1n
      end = BigInt(batch.highWatermark)
      pump.push(messages)
      if (pump.isFull()) setPaused(true)
      return true
    },
    handled: () => handled,
    end: () => end,
    isIdle: () => !isLost && pump.isIdle(),
    async stop() {
      isStopped = true
      await pump.stop()
    },
  }
}
