import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'
import { type Applied, createWaitUntilApplied } from './progress.ts'

/** Maximum per partition, such as one in 64 learners. Beyond it the oldest are dropped; users see them when they reload. */
const waitingPerPartition = 200

type Change<Message> = { readonly userId: UserId; readonly message: Message; readonly position: string }

type UserFeedDeps<Message> = {
  /** What users read after a message. Its name is for the log. */
  readonly projection: string
  readonly applied: Applied
  /** Emits to all local tabs of a user. */
  emitToUser(userId: UserId, message: Message): void
  readonly logger: Logger
}

/**
 * Sends users their own changes after the projection has applied them. The sockets are resolved only
 * then: a tab that connected in the meantime may have fetched too early.
 */
export const createUserFeed = <Message>({ projection, applied, emitToUser, logger }: UserFeedDeps<Message>) => {
  /** Changes in bus order, by partition. An entry exists while the partition waits. */
  const waiting = new Map<string, Change<Message>[]>()
  const state = createRunningState()
  const waitUntilApplied = createWaitUntilApplied({
    projection,
    applied,
    stopping: state.signal,
    logger,
  })

  const emitPartition = async (partition: string, changes: Change<Message>[]): Promise<void> => {
    for (let last = changes.at(-1); last; last = changes.at(-1)) {
      const { position } = last
      if (!(await waitUntilApplied(partition, position))) break
      const isApplied = (change: Change<Message>): boolean => change.position <= position
      while (changes[0] && isApplied(changes[0])) {
        const { userId, message } = changes[0]
        changes.shift()
        emitToUser(userId, message)
      }
    }
    waiting.delete(partition)
  }

  return {
    changed: (userId: UserId, message: Message, partition: string, position: string): void => {
      if (state.isStopped()) return
      const change: Change<Message> = { userId, message, position }
      const changes = waiting.get(partition)
      if (changes) {
        changes.push(change)
        if (changes.length > waitingPerPartition) changes.shift()
        return
      }
      const first = [change]
      waiting.set(partition, first)
      void emitPartition(partition, first)
    },
    stop: (): void => void state.stop(),
  }
}
