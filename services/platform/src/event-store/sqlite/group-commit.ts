import type { DatabaseSync } from 'node:sqlite'
import { AppendOutcomeUnknownError, EventIdReusedError, StoreOverloadedError, WriteFailedError } from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import type { SerializedAppend } from '../serialize-append.ts'
import { type AppendOutcome, createAppendWriter, type RequestedAppend } from './append-writer.ts'
import { isOutageOfDisk, probeWriting } from './log-file.ts'
import type { FreshEvent } from './recent-events.ts'

/** What one transaction takes on, so that a crowd of appends does not hold up the event loop in one piece. */
const groupLimits = { events: 256, jsonBytes: 512 * 1024 } as const
const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const

type Waiting = RequestedAppend & {
  resolve(answer: Appended | Conflict): void
  reject(error: unknown): void
}

export type GroupCommit = {
  append(stream: string, expected: ExpectedRevision, append: SerializedAppend): Promise<Appended | Conflict>
  /** After a transaction that failed, tries whether writing works again; throws when it does not. */
  check(): void
  /** Commits all that is waiting. */
  drain(): void
}

/** The appends that wait for a transaction, in the order in which they came. */
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
    /** As many as one transaction takes on, and at least one. */
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

/**
 * Appends that arrive in one turn of the event loop are committed together at its end: a lone append waits for nothing
 * but that, and many share the one wait for the disk.
 */
export const groupCommit = (
  db: DatabaseSync,
  now: () => Date,
  onCommitted: (events: readonly FreshEvent[]) => void,
  /** A transaction failed; the log's last row is now this one. It may be of that transaction: an error can come after the commit. */
  onRecovered: (lastRow: number) => void,
): GroupCommit => {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const writer = createAppendWriter(db)

  const queue = createQueue()
  let isScheduled = false
  /** What the last transaction failed with; undefined when it did not fail. */
  let failure: unknown
  let isRecovered = true

  /** Makes sure that nothing is left of a transaction that failed, in the file or in memory. */
  const recover = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
    const lastRow = writer.reload()
    isRecovered = true
    onRecovered(lastRow)
  }

  const onFailure = (error: unknown): void => {
    failure = error
    isRecovered = false
    try {
      recover()
    } catch (again) {
      // Tried again before the next transaction.
      failure = again
    }
  }

  const commitGroup = (group: readonly Waiting[]): void => {
    const fresh: FreshEvent[] = []
    let outcomes: AppendOutcome[]
    let isCommitting = false
    try {
      const at = now()
      const atMs = at.getTime()
      const atText = at.toISOString()
      if (!isRecovered) recover()
      begin.run()
      outcomes = group.map((one) => writer.write(one, atMs, atText, fresh))
      isCommitting = true
      commit.run()
    } catch (cause) {
      // A transaction that a failed COMMIT leaves open is rolled back below.
      const mayBeRecorded = isCommitting && !db.isTransaction
      const error = mayBeRecorded
        ? new AppendOutcomeUnknownError(cause)
        : isOutageOfDisk(cause)
          ? new WriteFailedError(cause)
          : cause
      for (const one of group) one.reject(error)
      onFailure(cause)
      return
    }
    failure = undefined
    onCommitted(fresh)
    outcomes.forEach((outcome, i) => {
      if (outcome instanceof EventIdReusedError) group[i]?.reject(outcome)
      else group[i]?.resolve(outcome)
    })
  }

  const schedule = (): void => {
    if (isScheduled || queue.isEmpty()) return
    isScheduled = true
    // The check phase comes after all input of this turn has been handled: every request that is there shares the commit.
    setImmediate(() => {
      isScheduled = false
      if (!queue.isEmpty()) commitGroup(queue.takeGroup())
      schedule()
    })
  }

  return {
    append: (stream, expected, append) => {
      if (!queue.hasRoomFor(append)) return Promise.reject(new StoreOverloadedError())
      return new Promise((resolve, reject) => {
        queue.add({ stream, expected, append, resolve, reject })
        schedule()
      })
    },
    check: () => {
      if (failure === undefined) return
      recover()
      probeWriting(db)
      failure = undefined
    },
    drain: () => {
      while (!queue.isEmpty()) commitGroup(queue.takeGroup())
    },
  }
}
