import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '../port.ts'
import { categoryOf } from '../stream-name.ts'
import { lockForWriting, openLogFile, watchLogDamage } from './log-file.ts'
import { integer, createLogReader } from './log-reader.ts'
import { tryParsePosition } from './position.ts'

/** Copies events that another store has recorded. */
type LogWriter = {
  /** Appends all events or none. They are on disk when it resolves. */
  append(events: readonly RecordedEvent[]): Promise<void>
  close(): Promise<void>
}

/** Keeps the row of an event from another SQLite log. Other events get the next row. */
const rowFor = ({ position }: RecordedEvent, lastRow: number): number => {
  const own = tryParsePosition(position)
  if (own === undefined) return lastRow + 1
  if (own <= lastRow) throw new Error(`Position ${position} is not after the end of the log`)
  return own
}

/**
 * Opens or creates the file, exclusively for this process. Events keep their time, and their position if they come from a SQLite
 * log. Throws DataFolderInUseError if another process has the file open.
 */
export const openSqliteLogWriter = (path: string): LogWriter => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = lockForWriting(path)
  try {
    const db = openLogFile(path)
    const insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    const insertStream = db.prepare('INSERT INTO streams (category, name) VALUES (?, ?)')
    const selectStream = db.prepare('SELECT number FROM streams WHERE name = ?')
    let lastRow = createLogReader(db, watchLogDamage(path)).lastRow()

    const numberOf = (stream: string): number => {
      const found = selectStream.get(stream)
      return found ? integer(found['number']) : Number(insertStream.run(categoryOf(stream), stream).lastInsertRowid)
    }
    const insert = (event: RecordedEvent): void => {
      const row = rowFor(event, lastRow)
      const { stream, revision, id, type, data, metadata, at } = event
      const metadataJson = Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)
      insertEvent.run(row, numberOf(stream), revision, id, type, JSON.stringify(data), metadataJson, Date.parse(at))
      lastRow = row
    }
    return {
      append: async (events) => {
        const before = lastRow
        db.exec('BEGIN IMMEDIATE')
        try {
          for (const event of events) insert(event)
          db.exec('COMMIT')
        } catch (error) {
          lastRow = before
          if (db.isTransaction) db.exec('ROLLBACK')
          throw error
        }
        await nextTurn()
      },
      close: async () => {
        db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
