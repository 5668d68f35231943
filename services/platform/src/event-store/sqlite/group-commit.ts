import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isLocked } from '../../files/database-file.ts'
import type { LockWait } from '../../files/lock-wait.ts'
import { AppendOutcomeUnknownError, EventIdReusedError, StoreOverloadedError, WriteFailedError } from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import type { SerializedAppend } from '../serialize-append.ts'
import { type AppendOutcome, createAppendWriter, type RequestedAppend } from './append-writer.ts'
import { isDiskUnavailable, type LogDamage, mayHaveCommitted, probeWrite } from './log-file.ts'

/** Limits one transaction, so that a burst of appends does not block the event loop. */
const groupLimits = { events: 256, jsonBytes: 512 * 1024 } as const
const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const

type Waiting = RequestedAppend & {
  resolve(answer: Appended | Conflict): void
  reject(error: unknown): void
}

export type GroupCommit = {
  append(stream: string, expected: ExpectedRevision, append: SerializedAppend): Promise<Appended | Conflict>
  /** Tests whether the file can be written. Rejects if it cannot. */
  check(): Promise<void>
  /** Commits all waiting appends. */
  drain(): Promise<void>
}

/** Appends that wait for a transaction, in order. */
const createQueue = () => {
  let waiting: Waiting[] = []
  let waitingBytes = 0
  return {
    isEmpty: () => waiting.length === 0,
    hasRoomFor: ({ jsonBytes }: SerializedAppend): boolean =>
      waiting.length < waitingLimits.appends && waitingBytes + jsonBytes <= waitingLimits.jsonBytes,
    add(one: Waiting): void {
      waiting.push(one)
      waitingBytes += one.append.jsonBytes
    },
    /** The appends of the next transaction: at least one. */
    takeGroup(): readonly Waiting[] {
      let events = 0
      let jsonBytes = 0
      let taken = 0
      for (const { append } of waiting) {
        events += append.events.length
        jsonBytes += append.jsonBytes
        if (taken > 0 && (events > groupLimits.events || jsonBytes > groupLimits.jsonBytes)) break
        taken += 1
        waitingBytes -= append.jsonBytes
      }
      const group = waiting.slice(0, taken)
      waiting = waiting.slice(taken)
      return group
    },
  }
}

type Options = {
  readonly db: DatabaseSync
  /** The path, for messages. */
  readonly file: string
  readonly lock: LockWait
  readonly damage: LogDamage
  /** Throws DatabaseReplacedError. */
  readonly checkFile: () => void
  readonly now: () => Date
  /** Called after each transaction, with the last row of the log. After a failed one it may be of that: COMMIT can report an error late. */
  readonly onEnded: (lastRow: number) => void
}

/**
 * Commits all appends of one turn of the event loop in one transaction, at the end of the turn. A single append is not delayed
 * further, and many appends share one wait for the disk.
 */
export const createGroupCommit = (options: Options): GroupCommit => {
  const { db, file, lock, damage, checkFile, now, onEnded } = options
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const writer = createAppendWriter(db)

  const writeErrorOf = (cause: unknown): unknown =>
    isDiskUnavailable(cause) ? new WriteFailedError(cause, file) : cause

  const queue = createQueue()
  let committing: Promise<void> | undefined
  /** The error of the last transaction, if it failed. */
  let failure: unknown
  let isRecovered = true

  /** Removes a failed transaction from the file and from memory. */
  const recover = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
    const lastRow = writer.reload()
    isRecovered = true
    onEnded(lastRow)
  }

  const onFailure = (error: unknown): void => {
    failure = error
    isRecovered = false
    try {
      recover()
    } catch (again) {
      // The next transaction retries it first.
      failure = again
    }
  }

  const refuse = (group: readonly Waiting[], error: unknown, cause: unknown): void => {
    for (const one of group) one.reject(error)
    onFailure(cause)
  }

  /** Throws if another process holds the lock. Nothing has been done then. */
  const commitGroup = (group: readonly Waiting[]): void => {
    let outcomes: AppendOutcome[]
    let isCommitting = false
    try {
      const atMs = now().getTime()
      checkFile()
      damage.check()
      if (!isRecovered) recover()
      begin.run()
      outcomes = group.map((one) => writer.write(one, atMs))
      isCommitting = true
      commit.run()
    } catch (cause) {
      if (isLocked(cause) && !isCommitting) throw cause
      // If a failed COMMIT leaves the transaction open, it is rolled back below and nothing is recorded.
      const mayBeRecorded = isCommitting && !db.isTransaction && mayHaveCommitted(cause)
      refuse(group, mayBeRecorded ? new AppendOutcomeUnknownError(cause) : writeErrorOf(damage.note(cause)), cause)
      return
    }
    failure = undefined
    onEnded(writer.lastRow())
    outcomes.forEach((outcome, i) => {
      if (outcome instanceof EventIdReusedError) group[i]?.reject(outcome)
      else group[i]?.resolve(outcome)
    })
  }

  const commitNext = async (): Promise<void> => {
    const group = queue.takeGroup()
    try {
      await lock.run(() => commitGroup(group))
    } catch (error) {
      refuse(group, writeErrorOf(error), error)
    }
  }

  /** Commits groups one after another until none is waiting. */
  const commitAll = async (): Promise<void> => {
    while (!queue.isEmpty()) {
      // Runs after all input of this turn has been handled, so that all its requests share the commit.
      await nextTurn()
      await commitNext()
    }
    // In the same turn as the last look at the queue, so that no append is left waiting.
    committing = undefined
  }

  const schedule = (): Promise<void> => (committing ??= commitAll())

  return {
    append: (stream, expected, append) => {
      if (!queue.hasRoomFor(append)) return Promise.reject(new StoreOverloadedError())
      return new Promise((resolve, reject) => {
        queue.add({ stream, expected, append, resolve, reject })
        void schedule()
      })
    },
    check: async () => {
      try {
        await lock.run(() => {
          checkFile()
          damage.check()
          if (failure === undefined) return db.exec('BEGIN IMMEDIATE; ROLLBACK')
          recover()
          probeWrite(db)
          failure = undefined
        })
      } catch (error) {
        throw writeErrorOf(damage.note(error))
      }
    },
    drain: async () => {
      while (!queue.isEmpty() || committing !== undefined) await schedule()
    },
  }
}
