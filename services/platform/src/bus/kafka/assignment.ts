import type { Cursor, Cursors } from '../port.ts'
import { type Round, type RoundOptions, startRound, type TopicPartition } from './assignment-round.ts'
import { cursorOf } from './cursor.ts'
import type { AssignedPartition, Fetched } from './partition.ts'

export type AssignmentOptions = Omit<RoundOptions, 'knownGaps' | 'onProgress' | 'onLost'> & {
  /** How many connections have closed. */
  cuts(): number
}

/** The partitions that this member of a group was assigned, until the next rebalance. */
export type Assignment = {
  /** Whether the batch was taken over. */
  take(batch: Fetched): boolean
  partitions(): ReadonlyMap<string, AssignedPartition>
  /** Hands over nothing any more. What is being handled goes on, and is under way until it is done. */
  stop(): void
}

export const startAssignment = (options: AssignmentOptions): Assignment => {
  const { consumer, logger, topicOf } = options
  const knownGaps = new Map<string, bigint>()
  let isStopped = false
  /** What has to be handled for the consumer to have caught up; undefined until something new comes. */
  let targets: ReadonlyMap<string, bigint> | undefined
  let isTargeted = false
  let cutsSeen = 0

  const cursors = (): Cursors => {
    const reached: Record<string, Cursor> = {}
    for (const [name, partition] of round.partitions()) {
      const place = partition.place()
      // Without a position it could not be told later whether Kafka was reset.
      if (place.position !== undefined || (consumer.startAt === 'now' && place.offset !== undefined)) {
        reached[name] = cursorOf(place)
      }
    }
    return reached
  }

  const checkCaughtUp = () => {
    if (!isTargeted) {
      targets = round.ends()
      isTargeted = targets !== undefined
    }
    if (targets === undefined || isStopped) return
    for (const [name, target] of targets) {
      const next = round.partitions().get(name)?.next()
      if (next === undefined || next < target) return
    }
    targets = undefined
    try {
      consumer.onCaughtUp?.(cursors())
    } catch (error) {
      logger.error({ err: error, consumer: consumer.group }, 'A consumer failed when it had caught up')
    }
  }

  /** Looks at Kafka anew, and goes on or crosses by the log. */
  const begin = (): Round => {
    isTargeted = false
    cutsSeen = options.cuts()
    return startRound({
      ...options,
      knownGaps,
      onProgress: checkCaughtUp,
      onLost(busPartition, next) {
        knownGaps.set(busPartition, next)
        lookAnew()
      },
    })
  }

  const lookAnew = () => {
    round.stop()
    if (!isStopped) round = begin()
  }

  let round = begin()

  return {
    take(batch) {
      const of: TopicPartition = batch
      const partition = round.partitions().get(`${topicOf(of.topic)}-${of.partition}`)
      if (partition === undefined || isStopped) return false
      // What comes over another connection may come from a Kafka that has lost its data, and has other messages at these offsets.
      if (options.cuts() !== cutsSeen) {
        lookAnew()
        return false
      }
      const isTaken = partition.take(batch)
      if (isTaken) targets ??= new Map([...round.partitions()].map(([name, each]) => [name, each.end()]))
      checkCaughtUp()
      return isTaken
    },
    partitions: () => round.partitions(),
    stop() {
      isStopped = true
      round.stop()
    },
  }
}
