import type { Batch } from 'kafkajs'
import type { Logger } from 'pino'
import { growingPauses } from '../growing-pauses.ts'
import type { Consumer, Cursor, Cursors } from '../port.ts'
import { type Bounds, cursorOf, type Place, placeOf } from './cursor.ts'
import { type AssignedPartition, type Fetching, startPartition } from './partition.ts'
import type { Standing } from './standing.ts'
import type { UnderWay } from './under-way.ts'

export type TopicPartition = { readonly topic: string; readonly partition: number }

export type AssignmentOptions = {
  readonly consumer: Consumer
  readonly assigned: readonly TopicPartition[]
  readonly standing: Standing
  readonly logger: Logger
  /** What this member still has under way from before: of a partition that comes back, it is waited for. */
  readonly underWay: UnderWay
  /** What this member itself has handled of each partition, also before it was assigned anew. */
  readonly handledHere: Map<string, Place>
  /** Where a partition without a cursor begins; its low end where absent. */
  beginning(busPartition: string): bigint | undefined
  busPartitionOf(of: TopicPartition): string
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  fetching(of: TopicPartition): Fetching
}

/** The partitions that this member of a group was assigned, until the next rebalance. */
export type Assignment = {
  /** Whether the batch was taken over. */
  take(batch: Batch): boolean
  partitions(): ReadonlyMap<string, AssignedPartition>
  /** Hands over nothing any more. What is being handled goes on, and is under way until it is done. */
  stop(): void
}

const further = (here: Place | undefined, saved: Place | undefined): Place | undefined =>
  here === undefined || (saved !== undefined && saved.offset > here.offset) ? saved : here

export const startAssignment = (options: AssignmentOptions): Assignment => {
  const { consumer, assigned, standing, logger, underWay, handledHere, busPartitionOf, bounds } = options
  const abort = new AbortController()
  const { signal } = abort
  const partitions = new Map<string, AssignedPartition>()
  /** What has to be handled for the consumer to have caught up; undefined until something new comes. */
  let targets: ReadonlyMap<string, bigint> | undefined

  /** Tries for ever: nothing can be skipped. */
  const persist = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    const pauses = growingPauses({ firstMs: 20, mostMs: 5_000 })
    while (!signal.aborted) {
      try {
        const result = await work()
        standing.well(what)
        return result
      } catch (error) {
        if (signal.aborted) return undefined
        const failures = standing.failed(what, error)
        logger.warn({ err: error, consumer: consumer.group, failures }, `Consumer cannot start: ${what}`)
        await pauses.pause(signal)
      }
    }
    return undefined
  }

  const endsNow = () => new Map([...partitions].map(([name, partition]) => [name, partition.end()]))

  const cursors = (): Cursors => {
    const reached: Record<string, Cursor> = {}
    for (const [name, partition] of partitions) {
      const place = partition.handled()
      // Without a position it could not be told later whether Kafka was reset, and at the beginning nothing is lost by that.
      if (place.position !== undefined || consumer.startAt === 'now') reached[name] = cursorOf(place)
    }
    return reached
  }

  const checkCaughtUp = () => {
    if (targets === undefined || signal.aborted) return
    for (const [name, target] of targets) {
      const partition = partitions.get(name)
      if (partition === undefined || partition.handled().offset + 1n < target) return
    }
    targets = undefined
    try {
      consumer.onCaughtUp?.(cursors())
    } catch (error) {
      logger.error({ err: error, consumer: consumer.group }, 'A consumer failed when it had caught up')
    }
  }

  const open = async (of: TopicPartition, saved: Cursors, found: Bounds) => {
    const busPartition = busPartitionOf(of)
    await underWay.endOf(busPartition)
    if (signal.aborted) return
    const cursor = saved[busPartition]
    const after = further(handledHere.get(busPartition), cursor === undefined ? undefined : placeOf(cursor))
    const partition = startPartition({
      busPartition,
      consumer,
      standing,
      logger,
      fetching: options.fetching(of),
      after,
      beginning: options.beginning(busPartition),
      bounds: found,
      async lookAgain() {
        const again = (await bounds(of.topic)).get(of.partition)
        if (again === undefined) throw new Error(`Kafka has no ${busPartition} any more`)
        return again
      },
      onHandled(place) {
        handledHere.set(busPartition, place)
        checkCaughtUp()
      },
    })
    partitions.set(busPartition, partition)
    checkCaughtUp()
  }

  const allBounds = async () => {
    const topics = [...new Set(assigned.map(({ topic }) => topic))]
    const found = new Map(await Promise.all(topics.map(async (topic) => [topic, await bounds(topic)] as const)))
    return assigned.map((of) => {
      const ofPartition = found.get(of.topic)?.get(of.partition)
      if (ofPartition === undefined) throw new Error(`Kafka does not know ${busPartitionOf(of)}`)
      return [of, ofPartition] as const
    })
  }

  const start = async () => {
    const saved = await persist('loading its cursors', () => consumer.loadCursors())
    const found = await persist('asking for offsets', allBounds)
    if (signal.aborted || saved === undefined || found === undefined) return
    targets = new Map(found.map(([of, { high }]) => [busPartitionOf(of), high]))
    checkCaughtUp()
    await Promise.all(found.map(([of, ofPartition]) => open(of, saved, ofPartition)))
  }

  start().catch((error: unknown) => {
    standing.stuck('starting', error)
    logger.error({ err: error, consumer: consumer.group }, 'Consumer could not start')
  })

  return {
    take(batch) {
      const partition = partitions.get(busPartitionOf(batch))
      if (partition === undefined || signal.aborted) return false
      const isTaken = partition.take(batch)
      if (isTaken) targets ??= endsNow()
      checkCaughtUp()
      return isTaken
    },
    partitions: () => partitions,
    stop() {
      if (signal.aborted) return
      abort.abort()
      for (const [name, partition] of partitions) underWay.add(name, partition.stop())
    },
  }
}
