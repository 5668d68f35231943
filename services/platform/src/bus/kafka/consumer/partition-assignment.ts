import type { Cursor, Cursors } from '../../port.ts'
import { cursorOf } from '../cursor.ts'
import type { AssignedPartition, FetchedBatch } from './partition-consumer.ts'
import type { BreakPlace } from './start-position.ts'
import { type PartitionSet, type PartitionSetOptions, startPartitions } from './partition-set.ts'

type AssignmentOptions = Omit<PartitionSetOptions, 'breaks' | 'onHandled' | 'onProgress' | 'onBreak'> & {
  /** The number of connections that have closed. */
  lostConnections(): number
}

/** The partitions assigned to this member of the group, until the next rebalance. */
export type PartitionAssignment = {
  /** Returns false if the batch has to be dropped. */
  take(batch: FetchedBatch): boolean
  partitions(): ReadonlyMap<string, AssignedPartition>
  /** Delivers nothing more. Batches in flight continue, and are added to the in-flight batches of the consumer. */
  stop(): void
}

type CaughtUpOptions = {
  current(): PartitionSet
  onCaughtUp(): void
}

/** Calls back when everything that Kafka had at the start, or at the last fetch, has been handled. */
const createCaughtUpDetector = ({ current, onCaughtUp }: CaughtUpOptions) => {
  /** The offsets to reach. Undefined while there is nothing to reach. */
  let targets: ReadonlyMap<string, bigint> | undefined
  let hasStartTargets = false
  return {
    restart() {
      hasStartTargets = false
    },
    onFetched() {
      targets ??= new Map([...current().partitions()].map(([name, partition]) => [name, partition.end()]))
    },
    check() {
      const { ends, partitions } = current()
      if (!hasStartTargets) {
        targets = ends()
        hasStartTargets = targets !== undefined
      }
      if (targets === undefined) return
      for (const [name, target] of targets) {
        const next = partitions().get(name)?.next()
        if (next === undefined || next < target) return
      }
      targets = undefined
      onCaughtUp()
    },
  }
}

export const startAssignment = (options: AssignmentOptions): PartitionAssignment => {
  const { consumer, logger, topicOf } = options
  let breaks = new Map<string, BreakPlace>()
  let isStopped = false
  let connectionsLostBefore = 0

  const cursors = (): Cursors => {
    const reached: Record<string, Cursor> = {}
    for (const [name, partition] of current.partitions()) {
      const at = partition.position()
      // Only a position reveals a later reset of Kafka.
      if (at.position !== undefined || (consumer.startAt === 'now' && at.offset !== undefined)) {
        reached[name] = cursorOf(at)
      }
    }
    return reached
  }

  const caughtUp = createCaughtUpDetector({
    current: () => current,
    onCaughtUp() {
      try {
        consumer.onCaughtUp?.(cursors())
      } catch (error) {
        logger.error({ err: error, consumer: consumer.group }, 'caught-up callback of a consumer failed')
      }
    },
  })

  const start = (): PartitionSet => {
    caughtUp.restart()
    connectionsLostBefore = options.lostConnections()
    // A break is kept until its partition has made progress, or it would break there again. Each start has a copy, which late batches
    // of an earlier start do not change.
    const own = new Map(breaks)
    breaks = own
    return startPartitions({
      ...options,
      breaks: own,
      onHandled: (busPartition) => void own.delete(busPartition),
      onProgress() {
        if (!isStopped) caughtUp.check()
      },
      onBreak(busPartition, place) {
        breaks.set(busPartition, place)
        restart()
      },
    })
  }

  /** Starts the partitions again, which compares their positions with Kafka's offsets. */
  const restart = () => {
    current.stop()
    if (!isStopped) current = start()
  }

  let current = start()

  return {
    take(batch) {
      const partition = current.partitions().get(`${topicOf(batch.topic)}-${batch.partition}`)
      if (partition === undefined || isStopped) return false
      // A new connection may reach a Kafka that has lost its data and has other messages at these offsets.
      if (options.lostConnections() !== connectionsLostBefore) {
        restart()
        return false
      }
      const isTaken = partition.take(batch)
      if (isTaken) caughtUp.onFetched()
      caughtUp.check()
      return isTaken
    },
    partitions: () => current.partitions(),
    stop() {
      isStopped = true
      current.stop()
    },
  }
}
