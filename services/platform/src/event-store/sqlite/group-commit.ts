import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { AppendOutcomeUnknownError, EventIdReusedError, StoreOverloadedError, WriteFailedError } from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import type { SerialisedAppend, SerialisedEvent } from '../serialise-append.ts'
import { categoryOf } from '../stream-name.ts'
import { isOutageOfDisk } from './error-code.ts'
import { probeWriting } from './log-file.ts'
import { integer } from './log-reader.ts'
import { positionOf } from './position.ts'
import type { FreshEvent } from './recent-events.ts'

/** What one transaction takes on, so that a crowd of appends does not hold up the event loop in one piece. */
const groupLimits = { events: 256, jsonBytes: 512 * 1024 } as const
const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const
const rememberedHeads = 20_000

type Outcome = Appended | Conflict | EventIdReusedError

type Waiting = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly append: SerialisedAppend
  resolve(answer: Appended | Conflict): void
  reject(error: unknown): void
}

export type GroupCommit = {
  append(stream: string, expected: ExpectedRevision, append: SerialisedAppend): Promise<Appended | Conflict>
  /** After a transaction that failed, tries whether writing works again; throws when it does not. */
  check(): void
  /** Commits all that is waiting. */
  drain(): void
}

/** The end of a stream: its number in the file, and its last revision, -1 of a stream without events. */
type Head = { readonly number: number; revision: number }

const fits = (expected: ExpectedRevision, head: number): boolean =>
  expected === 'any' || (expected === 'no-stream' ? head === -1 : expected === head)

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
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const undoInserts = db.prepare('DELETE FROM events WHERE position > ?')
  const insertStream = db.prepare('INSERT INTO streams (category, name) VALUES (?, ?)')
  const selectHead = db.prepare(`
    SELECT number, (SELECT max(revision) FROM events WHERE stream = number) AS revision FROM streams WHERE name = ?
  `)
  const selectLast = db.prepare('SELECT max(position) AS last FROM events')
  const selectById = db.prepare('SELECT position, stream, revision FROM log WHERE id = ?')

  const heads = new LRUCache<string, Head>({ max: rememberedHeads })
  const loadLastRow = (): number => Number(selectLast.get()?.['last'] ?? 0)
  let lastRow = loadLastRow()

  let waiting: Waiting[] = []
  let waitingBytes = 0
  let isScheduled = false
  /** What the last transaction failed with; undefined when it did not fail. */
  let failure: unknown
  let isRecovered = true

  const headOf = (stream: string): Head | undefined => {
    const remembered = heads.get(stream)
    if (remembered !== undefined) return remembered
    const row = selectHead.get(stream)
    if (row === undefined) return undefined
    const head = { number: integer(row['number']), revision: row['revision'] === null ? -1 : integer(row['revision']) }
    heads.set(stream, head)
    return head
  }

  const makeStream = (stream: string): Head => {
    const { lastInsertRowid } = insertStream.run(categoryOf(stream), stream)
    const head = { number: Number(lastInsertRowid), revision: -1 }
    heads.set(stream, head)
    return head
  }

  /** What became of these ids earlier: the first answer when all are recorded, undefined when none is. */
  const earlierOutcome = (
    stream: string,
    events: readonly SerialisedEvent[],
  ): Appended | EventIdReusedError | undefined => {
    let known = 0
    let last: Appended | undefined
    for (const { id } of events) {
      const row = selectById.get(id)
      if (row === undefined) continue
      if (row['stream'] !== stream) return new EventIdReusedError(`Event id ${id} is not one of ${stream}`)
      known += 1
      last = { kind: 'appended', revision: integer(row['revision']), position: positionOf(integer(row['position'])) }
    }
    if (known > 0 && known < events.length) {
      return new EventIdReusedError(`Some but not all event ids of an append are in ${stream} already`)
    }
    return last
  }

  const appendOne = ({ stream, expected, append }: Waiting, atMs: number, at: string, fresh: FreshEvent[]): Outcome => {
    const before = headOf(stream)
    const last = before?.revision ?? -1
    if (!fits(expected, last)) {
      const conflict: Conflict = { kind: 'conflict', actualRevision: last === -1 ? 'no-stream' : last }
      return earlierOutcome(stream, append.events) ?? conflict
    }
    const head = before ?? makeStream(stream)
    const rowBefore = lastRow
    let revision = last
    for (const { id, type, data, metadata } of append.events) {
      const { changes } = insert.run(lastRow + 1, head.number, revision + 1, id, type, data, metadata, atMs)
      if (changes === 0) {
        undoInserts.run(rowBefore)
        lastRow = rowBefore
        const earlier = earlierOutcome(stream, append.events)
        if (earlier === undefined) throw new Error(`The event store and its memory of ${stream} differ`)
        return earlier
      }
      lastRow += 1
      revision += 1
    }
    head.revision = revision
    let offset = 1
    for (const event of append.events) {
      fresh.push({ row: rowBefore + offset, stream, revision: last + offset, at, event })
      offset += 1
    }
    return { kind: 'appended', revision, position: positionOf(lastRow) }
  }

  /** Makes sure that nothing is left of a transaction that failed, in the file or in memory. */
  const recover = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
    heads.clear()
    lastRow = loadLastRow()
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

  const takeGroup = (): Waiting[] => {
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
  }

  const commitGroup = (group: readonly Waiting[]): void => {
    const fresh: FreshEvent[] = []
    let outcomes: Outcome[]
    let isCommitting = false
    try {
      const at = now()
      const atMs = at.getTime()
      const atText = at.toISOString()
      if (!isRecovered) recover()
      begin.run()
      outcomes = group.map((one) => appendOne(one, atMs, atText, fresh))
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
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    // The check phase comes after all input of this turn has been handled: every request that is there shares the commit.
    setImmediate(() => {
      isScheduled = false
      if (waiting.length > 0) commitGroup(takeGroup())
      schedule()
    })
  }

  return {
    append: (stream, expected, append) => {
      if (waiting.length >= waitingLimits.appends || waitingBytes + append.jsonBytes > waitingLimits.jsonBytes) {
        return Promise.reject(new StoreOverloadedError())
      }
      return new Promise((resolve, reject) => {
        waiting.push({ stream, expected, append, resolve, reject })
        waitingBytes += append.jsonBytes
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
      while (waiting.length > 0) commitGroup(takeGroup())
    },
  }
}
