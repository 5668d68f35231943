import type { DatabaseSync } from 'node:sqlite'
import { boundedCache } from '../../cache/bounded-cache.ts'
import { EventIdReusedError } from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import { matchesExpectedRevision, type SerializedAppend, type SerializedEvent } from '../serialize-append.ts'
import { categoryOf } from '../stream-name.ts'
import { integer } from './log-reader.ts'
import { formatPosition } from './position.ts'

const maxCachedHeads = 20_000

export type RequestedAppend = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly append: SerializedAppend
}

export type AppendOutcome = Appended | Conflict | EventIdReusedError

type AppendWriter = {
  /** Writes one append in the caller's transaction. */
  write(requested: RequestedAppend, atMs: number): AppendOutcome
  /** The last row of the log, with what has been written. */
  lastRow(): number
  /** Clears the cache after a rollback. Returns the last row of the log. */
  reload(): number
}

/** A stream's number in the file and its last revision, -1 without events. */
type Head = { readonly number: number; revision: number }

/** Caches the heads of streams. */
const createStreamHeads = (db: DatabaseSync) => {
  const insertStream = db.prepare('INSERT INTO streams (category, name) VALUES (?, ?)')
  const selectHead = db.prepare(`
    SELECT number, (SELECT max(revision) FROM events WHERE stream = number) AS revision FROM streams WHERE name = ?
  `)
  const heads = boundedCache<string, Head>(maxCachedHeads)

  const headOf = (stream: string): Head | undefined => {
    const cached = heads.get(stream)
    if (cached !== undefined) return cached
    const row = selectHead.get(stream)
    if (row === undefined) return undefined
    const head = { number: integer(row['number']), revision: row['revision'] === null ? -1 : integer(row['revision']) }
    heads.set(stream, head)
    return head
  }

  const createStream = (stream: string): Head => {
    const { lastInsertRowid } = insertStream.run(categoryOf(stream), stream)
    const head = { number: Number(lastInsertRowid), revision: -1 }
    heads.set(stream, head)
    return head
  }

  return { find: headOf, create: createStream, clear: () => heads.clear() }
}

/** Finds the answer to an append that is already recorded. */
const createEarlierAppendFinder = (db: DatabaseSync) => {
  const selectById = db.prepare('SELECT position, stream, revision FROM log WHERE id = ?')

  /** Returns the first answer if all ids are recorded, and undefined if none is. */
  return (stream: string, events: readonly SerializedEvent[]): Appended | EventIdReusedError | undefined => {
    let known = 0
    let last: Appended | undefined
    for (const { id } of events) {
      const row = selectById.get(id)
      if (row === undefined) continue
      if (row['stream'] !== stream) return new EventIdReusedError(`Event id ${id} is not one of ${stream}`)
      known += 1
      last = {
        kind: 'appended',
        revision: integer(row['revision']),
        position: formatPosition(integer(row['position'])),
      }
    }
    if (known > 0 && known < events.length) {
      return new EventIdReusedError(`Some but not all event ids of an append are in ${stream} already`)
    }
    return last
  }
}

export const createAppendWriter = (db: DatabaseSync): AppendWriter => {
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const undoInserts = db.prepare('DELETE FROM events WHERE position > ?')
  const selectLast = db.prepare('SELECT max(position) AS last FROM events')
  const heads = createStreamHeads(db)
  const earlierOutcome = createEarlierAppendFinder(db)
  const loadLastRow = (): number => Number(selectLast.get()?.['last'] ?? 0)
  let lastRow = loadLastRow()

  const write: AppendWriter['write'] = ({ stream, expected, append }, atMs) => {
    const before = heads.find(stream)
    const last = before?.revision ?? -1
    if (!matchesExpectedRevision(expected, last)) {
      const conflict: Conflict = { kind: 'conflict', actualRevision: last === -1 ? 'no-stream' : last }
      return earlierOutcome(stream, append.events) ?? conflict
    }
    const head = before ?? heads.create(stream)
    const rowBefore = lastRow
    let revision = last
    for (const { id, type, data, metadata } of append.events) {
      const { changes } = insert.run(lastRow + 1, head.number, revision + 1, id, type, data, metadata, atMs)
      if (changes === 0) {
        undoInserts.run(rowBefore)
        lastRow = rowBefore
        const earlier = earlierOutcome(stream, append.events)
        if (earlier === undefined) throw new Error(`The cached head of ${stream} does not match the event store`)
        return earlier
      }
      lastRow += 1
      revision += 1
    }
    head.revision = revision
    return { kind: 'appended', revision, position: formatPosition(lastRow) }
  }

  return {
    write,
    lastRow: () => lastRow,
    reload: () => {
      heads.clear()
      lastRow = loadLastRow()
      return lastRow
    },
  }
}
