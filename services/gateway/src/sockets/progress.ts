import type { Topic } from '@portal/contracts/shared/event-envelope'
import { enrollmentsProjectionRef, programsProjectionRef } from '@portal/contracts/catalog/events'
import { createBackoff, retryUntilAborted } from '@portal/platform/async/backoff'
import type { Cursor, Cursors } from '@portal/platform/bus/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { projectionGroup } from '@portal/platform/generations/run-projection'
import type { Projection } from '@portal/platform/projection/projection'
import type { ProjectionRef } from '@portal/platform/read-model/projection-key'
import type { Logger } from 'pino'

/** Resolves true once a projection has applied everything of a partition up to `position`, false after the time. */
export type Applied = (partition: string, position: string, timeoutMs: number) => Promise<boolean>

/** The progress of the projection that inboxes are read from, along the topics that it consumes. */
export type InboxProgress = {
  readonly topics: readonly Topic[]
  /** Where it resumes: a low-water mark, saved about once a second. */
  cursors(): Promise<Cursors>
  /** The last position applied in each bucket. */
  positions(): Promise<Readonly<Record<string, string>>>
}

/** How far the projections are that clients fetch from. Partitions are the keys of the messages on the bus. */
export type Progress = {
  readonly inboxApplied: Applied
  readonly inboxProgress: InboxProgress
  readonly programsApplied: Applied
  readonly enrollmentsApplied: Applied
}

/** Those whose progress is asked; the process must have opened their read models. */
export const awaitedProjections = (inbox: ProjectionRef): readonly ProjectionRef[] => [
  inbox,
  programsProjectionRef,
  enrollmentsProjectionRef,
]

// Only the bus reads cursors, and it made what is saved.
const asCursors = (saved: Readonly<Record<string, string>>): Cursors => saved as Readonly<Record<string, Cursor>>

const inboxProgressIn = (
  readModels: Pick<ReadModels, 'of'>,
  inbox: ProjectionRef & Pick<Projection, 'topics'>,
): InboxProgress => {
  const readModel = readModels.of(inbox)
  return {
    topics: inbox.topics,
    cursors: async () => asCursors(await readModel.loadCursors(projectionGroup(inbox), 'observer')),
    positions: () => readModel.positions(inbox.name),
  }
}

/** The progress that the read models keep. The inbox projection is its process's to name: a service never imports another. */
export const progressIn = (
  readModels: Pick<ReadModels, 'of'>,
  inbox: ProjectionRef & Pick<Projection, 'topics'>,
): Progress => {
  const appliedBy = (projection: ProjectionRef): Applied => {
    const { name } = projection
    const readModel = readModels.of(projection)
    return (partition, position, timeoutMs) => readModel.whenApplied(name, partition, position, timeoutMs)
  }
  return {
    inboxApplied: appliedBy(inbox),
    inboxProgress: inboxProgressIn(readModels, inbox),
    programsApplied: appliedBy(programsProjectionRef),
    enrollmentsApplied: appliedBy(enrollmentsProjectionRef),
  }
}

const appliedTimeoutMs = 5_000
const retryPauseMs = 1_000

type Deps = {
  /** The projection's name, for the log. */
  readonly projection: string
  readonly applied: Applied
  readonly stopping: AbortSignal
  readonly logger: Logger
}

/**
 * Waits for a projection without a time limit: sockets send nothing that a page would not show yet. False only if the sockets stop
 * first. Retries after any error, as no caller of a feed could handle one.
 */
export const createWaitUntilApplied = ({ projection, applied, stopping, logger }: Deps) => {
  const backoff = createBackoff({ firstMs: retryPauseMs, maxMs: retryPauseMs })

  return async (partition: string, position: string): Promise<boolean> => {
    const wait = async (): Promise<boolean> => {
      while (!(await applied(partition, position, appliedTimeoutMs))) {
        if (stopping.aborted) return false
        logger.warn({ projection, partition, position }, 'A projection is behind the sockets')
      }
      return !stopping.aborted
    }
    const onFailure = (error: unknown): void =>
      logger.error({ err: error, projection, partition }, 'A projection could not be asked how far it is')
    return (await retryUntilAborted(wait, { signal: stopping, backoff, onFailure })) ?? false
  }
}
