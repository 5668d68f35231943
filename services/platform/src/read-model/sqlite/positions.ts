import type { DatabaseSync } from 'node:sqlite'
import type { Commit, PositionId } from '../port.ts'

/** Positions, which move with the writes, and cursors, which may lag. */
export const preparePositions = (db: DatabaseSync) => {
  // Creates the table if it is missing, so that read models of earlier releases stay usable. The id is stored with its position, because
  // those releases move positions without it.
  db.exec(`CREATE TABLE IF NOT EXISTS position_ids (
    projection TEXT NOT NULL, partition TEXT NOT NULL, position TEXT NOT NULL, message_id TEXT NOT NULL,
    PRIMARY KEY (projection, partition)
  ) WITHOUT ROWID`)
  const select = db.prepare('SELECT position FROM positions WHERE projection = ? AND partition = ?')
  const selectAll = db.prepare('SELECT partition, position FROM positions WHERE projection = ?')
  const first = db.prepare('INSERT INTO positions VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const next = db.prepare('UPDATE positions SET position = ? WHERE projection = ? AND partition = ? AND position = ?')
  const setId = db.prepare(`
    INSERT INTO position_ids VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET position = excluded.position, message_id = excluded.message_id`)
  const selectIds = db.prepare(`
    SELECT partition, position, message_id FROM positions LEFT JOIN position_ids USING (projection, partition, position)
    WHERE projection = ?`)
  const selectCursors = db.prepare('SELECT bus_partition, cursor FROM cursors WHERE consumer = ?')
  const upsertCursor = db.prepare(
    'INSERT INTO cursors VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor',
  )

  return {
    find(projection: string, partition: string): string | undefined {
      const position = select.get(projection, partition)?.['position']
      return typeof position === 'string' ? position : undefined
    },
    all(projection: string): Readonly<Record<string, string>> {
      const rows = selectAll.all(projection)
      return Object.fromEntries(rows.map((row) => [String(row['partition']), String(row['position'])]))
    },
    /** False if the position is not the expected one. */
    move({ projection, partition, expected, position, messageId }: Commit): boolean {
      const { changes } =
        expected === undefined
          ? first.run(projection, partition, position)
          : next.run(position, projection, partition, expected)
      if (changes !== 1) return false
      if (messageId !== undefined) setId.run(projection, partition, position, messageId)
      return true
    },
    findIds(projection: string): Readonly<Record<string, PositionId>> {
      const found = selectIds.all(projection).map((row) => {
        const messageId = row['message_id']
        const id = typeof messageId === 'string' ? messageId : undefined
        return [String(row['partition']), { position: String(row['position']), messageId: id }] as const
      })
      return Object.fromEntries(found)
    },
    loadCursors(consumer: string): Readonly<Record<string, string>> {
      const rows = selectCursors.all(consumer)
      return Object.fromEntries(rows.map((row) => [String(row['bus_partition']), String(row['cursor'])]))
    },
    saveCursor(consumer: string, busPartition: string, cursor: string): void {
      upsertCursor.run(consumer, busPartition, cursor)
    },
  }
}
