import { learnerInvitationsPartition } from '@portal/contracts/catalog/events'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'
import { type Applied, createWaitUntilApplied } from './progress.ts'

/** Sends each program at most once per interval: an import enrolls hundreds of learners, and each message makes a list load again. */
const intervalMs = 1_000

type LearnersFeedDeps = {
  /** Emits to the admins at this gateway. */
  emitToAdmins(programId: ProgramRecordId): void
  readonly audienceApplied: Applied
  readonly learnerInvitationsApplied: Applied
  readonly logger: Logger
}

/**
 * Tells admins that the learners of a program have changed, or who is invited, after the projection has applied it. The first change goes out at once;
 * those of the next second follow together.
 */
export const createLearnersFeed = (deps: LearnersFeedDeps) => {
  const { emitToAdmins, audienceApplied, learnerInvitationsApplied, logger } = deps
  /** Unsent changes: the last position by message key. A program has an entry until it is quiet for an interval. */
  const waiting = new Map<ProgramRecordId, Map<string, string>>()
  const timers = new Map<ProgramRecordId, NodeJS.Timeout>()
  const state = createRunningState()
  const waiter = (projection: string, applied: Applied) =>
    createWaitUntilApplied({ projection, applied, stopping: state.signal, logger })
  const untilEnrolled = waiter('audience', audienceApplied)
  const untilInvited = waiter('learner-invitations', learnerInvitationsApplied)

  const sendNext = async (programId: ProgramRecordId, positions: ReadonlyMap<string, string>): Promise<void> => {
    waiting.set(programId, new Map())
    const waits = [...positions].map(([key, position]) =>
      key === learnerInvitationsPartition
        ? untilInvited(key, position)
        : untilEnrolled(enrolledPartition(key), position),
    )
    await Promise.all(waits)
    if (state.isStopped()) return
    emitToAdmins(programId)
    timers.set(
      programId,
      setTimeout(() => {
        timers.delete(programId)
        const next = waiting.get(programId)
        if (next && next.size > 0) void sendNext(programId, next)
        else waiting.delete(programId)
      }, intervalMs),
    )
  }

  return {
    /** The key of the message is the learner's bucket, or that of all invitations. */
    changed: (programId: ProgramRecordId, key: string, position: string): void => {
      if (state.isStopped()) return
      const known = waiting.get(programId)
      if (known) known.set(key, position)
      else void sendNext(programId, new Map([[key, position]]))
    },
    stop: (): void => {
      state.stop()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
