import type { Topic } from '@portal/contracts/shared/event-envelope'
import {
  audienceProjectionRef,
  draftProjectionRef,
  templateProjectionRef,
} from '@portal/contracts/notifications/events'
import {
  enrollmentsProjectionRef,
  learnerInvitationsProjectionRef,
  programsProjectionRef,
} from '@portal/contracts/catalog/events'
import { createBackoff, retryUntilAborted } from '@portal/platform/async/backoff'
import type { Cursor, Cursors } from '@portal/platform/bus/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { projectionGroup } from '@portal/platform/generations/run-projection'
import type { Projection } from '@portal/platform/projection/projection'
import type { ProjectionRef } from '@portal/platform/read-model/projection-key'
import type { Logger } from 'pino'

/** Resolves true once the projection has applied the partition up to `position`, and false after the timeout. */
export type Applied = (partition: string, position: string, timeoutMs: number) => Promise<boolean>

/** Progress of the inbox projection on its topics. */
export type InboxProgress = {
  readonly topics: readonly Topic[]
  /** The projection's saved cursors: low-water marks, about one second old. */
  cursors(): Promise<Cursors>
  /** The last applied position per bucket. */
  positions(): Promise<Readonly<Record<string, string>>>
}

/** Progress of the projections that clients fetch from. Partitions are the message keys unless noted. */
export type Progress = {
  readonly inboxApplied: Applied
  readonly inboxProgress: InboxProgress
  readonly programsApplied: Applied
  readonly enrollmentsApplied: Applied
  /** By partition of the projection, which are not message keys. */
  readonly audienceApplied: Applied
  readonly learnerInvitationsApplied: Applied
  readonly draftsApplied: Applied
  readonly templatesApplied: Applied
}

/** The projections to wait for. The process must have opened their read models. */
export const awaitedProjections = (inbox: ProjectionRef): readonly ProjectionRef[] => [
  inbox,
  programsProjectionRef,
  enrollmentsProjectionRef,
  audienceProjectionRef,
  learnerInvitationsProjectionRef,
  draftProjectionRef,
  templateProjectionRef,
]

// Cursors are opaque outside the bus, which created the saved ones.
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

/**
 * Reads progress from the read models. The process passes the inbox projection, because services do not import each
 * other.
 */
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
    audienceApplied: appliedBy(audienceProjectionRef),
    learnerInvitationsApplied: appliedBy(learnerInvitationsProjectionRef),
    draftsApplied: appliedBy(draftProjectionRef),
    templatesApplied: appliedBy(templateProjectionRef),
  }
}

const appliedTimeoutMs = 5_000
const retryPauseMs = 1_000

type WaitUntilAppliedDeps = {
  /** Name of the projection, for the log. */
  readonly projection: string
  readonly applied: Applied
  readonly stopping: AbortSignal
  readonly logger: Logger
}

/**
 * Waits for a projection without a time limit, so that sockets send nothing a page would not show yet. Resolves
 * false only if the sockets stop. Retries all errors, because no caller could handle them.
 */
export const createWaitUntilApplied = ({ projection, applied, stopping, logger }: WaitUntilAppliedDeps) => {
  const backoff = createBackoff({ firstMs: retryPauseMs, maxMs: retryPauseMs })

  return async (partition: string, position: string): Promise<boolean> => {
    const wait = async (): Promise<boolean> => {
      while (!(await applied(partition, position, appliedTimeoutMs))) {
        if (stopping.aborted) return false
        logger.warn({ projection, partition, position }, 'projection behind the sockets, still waiting')
      }
      return !stopping.aborted
    }
    const onFailure = (error: unknown): void =>
      logger.error({ err: error, projection, partition }, 'projection progress unavailable, retrying')
    return (await retryUntilAborted(wait, { signal: stopping, backoff, onFailure })) ?? false
  }
}
