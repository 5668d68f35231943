import type { DatabaseSync } from 'node:sqlite'
import type { Commit } from '../port.ts'

/** The two kinds of progress: positions, which move with the writes, and cursors, which may lag. */
export const preparePositions = (db: DatabaseSync) => {
  const select = db.prepare('SELECT position FROM positions WHERE projection = ? AND partition = ?')
  const first = db.prepare('INSERT INTO positions VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const next = db.prepare('UPDATE positions SET position = ? WHERE projection = ? AND partition = ? AND position = ?')
  const selectCursors = db.prepare('SELECT bus_partition, cursor FROM cursors WHERE consumer = ?')
  const upsertCursor = db.prepare(
    'INSERT INTO cursors VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor',
  )

  return {
    find(projection: string, partition: string): string | undefined {
      const position = select.get(projection, partition)?.['position']
      return typeof position === 'string' ? position : undefined
    },
    /** False when the position is not the expected one. */
    move({ projection, partition, expected, position }: Commit): boolean {
      const { changes } =
        expected === undefined
          ? first.run(projection, partition, position)
          : next.run(position, projection, partition, expected)
      return changes === 1
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
