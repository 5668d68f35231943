import type { EnrollmentChanged } from '@portal/contracts/catalog/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'
import { type Applied, createWaitUntilApplied } from './progress.ts'

/**
 * Maximum per bucket, which is one in 64 learners. Beyond it the oldest are dropped; learners see them when they
 * reload.
 */
const waitingPerBucket = 200

type Change = { readonly userId: UserId; readonly message: EnrollmentChanged; readonly position: string }

type EnrollmentFeedDeps = {
  /** Emits to all local tabs of a learner. */
  emitToUser(userId: UserId, message: EnrollmentChanged): void
  readonly enrollmentsApplied: Applied
  readonly logger: Logger
}

/**
 * Sends learners their enrollment changes after the projection has applied them. The sockets are resolved only
 * then: a tab that connected in the meantime may have fetched too early.
 */
export const createEnrollmentFeed = ({ emitToUser, enrollmentsApplied, logger }: EnrollmentFeedDeps) => {
  /** Changes in bus order, by bucket. An entry exists while the bucket waits. */
  const waiting = new Map<string, Change[]>()
  const state = createRunningState()
  const waitUntilApplied = createWaitUntilApplied({
    projection: 'enrollments',
    applied: enrollmentsApplied,
    stopping: state.signal,
    logger,
  })

  const emitBucket = async (bucket: string, changes: Change[]): Promise<void> => {
    for (let last = changes.at(-1); last; last = changes.at(-1)) {
      const { position } = last
      if (!(await waitUntilApplied(bucket, position))) break
      const isApplied = (change: Change): boolean => change.position <= position
      while (changes[0] && isApplied(changes[0])) {
        const { userId, message } = changes[0]
        changes.shift()
        emitToUser(userId, message)
      }
    }
    waiting.delete(bucket)
  }

  return {
    changed: (userId: UserId, message: EnrollmentChanged, bucket: string, position: string): void => {
      if (state.isStopped()) return
      const change: Change = { userId, message, position }
      const changes = waiting.get(bucket)
      if (changes) {
        changes.push(change)
        if (changes.length > waitingPerBucket) changes.shift()
        return
      }
      const first = [change]
      waiting.set(bucket, first)
      void emitBucket(bucket, first)
    },
    stop: (): void => void state.stop(),
  }
}
