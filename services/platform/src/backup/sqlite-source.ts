import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { positionOf } from '../event-store/sqlite/position.ts'
import type { ArchivedEnd } from './archive-log.ts'
import type { BackupSource } from './backup-source.ts'
import { copySqliteFile } from './sqlite-copy.ts'

const lastSchema = z.object({ position: z.number(), id: z.string() }).optional()
const countSchema = z.object({ events: z.number() })

const endOf = (copy: string): ArchivedEnd => {
  const db = new DatabaseSync(copy, { readOnly: true })
  try {
    const { events } = countSchema.parse(db.prepare('SELECT count(*) AS events FROM events').get())
    const last = lastSchema.parse(db.prepare('SELECT position, id FROM events ORDER BY position DESC LIMIT 1').get())
    return { events, end: last === undefined ? null : { position: positionOf(last.position), eventId: last.id } }
  } finally {
    db.close()
  }
}

/** A portal on SQLite: two databases, each copied in one step. */
export const sqliteSource = (logFile: string, userKeysFile: string): BackupSource => ({
  store: 'sqlite',
  copyLog: async (path, { signal }) => {
    await copySqliteFile(logFile, path)
    signal.throwIfAborted()
    return endOf(path)
  },
  copyKeys: async (path, signal) => {
    await copySqliteFile(userKeysFile, path)
    signal.throwIfAborted()
  },
  close: () => Promise.resolve(),
})
