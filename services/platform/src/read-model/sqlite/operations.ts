import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { PartitionDigest } from '../port.ts'

/** What operations ask of a read model, requests never. */
export const prepareOperations = (db: DatabaseSync) => {
  const partitions = db.prepare('SELECT DISTINCT partition FROM positions')
  const positions = db.prepare('SELECT partition, position FROM positions WHERE projection = ?')
  const position = db.prepare('SELECT position FROM positions WHERE projection = ? AND partition = ?')
  // In an order of their own, so that it does not matter in which order they were written.
  const documents = db.prepare(
    'SELECT collection, key, value FROM documents WHERE partition = ? ORDER BY collection, key',
  )
  const entries = db.prepare(`
    SELECT list.name, entry.score, entry.member, entry.value
    FROM lists AS list JOIN entries AS entry ON entry.list = list.id
    WHERE list.partition = ? ORDER BY list.name, entry.score`)

  const digestOf = (projection: string, partition: string): PartitionDigest => {
    const hash = createHash('sha256')
    const counts = { documents: 0, entries: 0 }
    for (const { collection, key, value } of documents.iterate(partition)) {
      counts.documents++
      hash.update(`${JSON.stringify(['document', collection, key, value])}\n`)
    }
    for (const { name, score, member, value } of entries.iterate(partition)) {
      counts.entries++
      hash.update(`${JSON.stringify(['entry', name, score, member, value])}\n`)
    }
    const found = position.get(projection, partition)?.['position']
    return { position: typeof found === 'string' ? found : undefined, ...counts, checksum: hash.digest('hex') }
  }

  return {
    partitions: (): readonly string[] => partitions.all().map((row) => String(row['partition'])),
    positions: (projection: string): Readonly<Record<string, string>> =>
      Object.fromEntries(positions.all(projection).map((row) => [String(row['partition']), String(row['position'])])),
    /** Of one moment: in one read transaction. */
    digest: (projection: string, partition: string): PartitionDigest => {
      db.exec('BEGIN')
      try {
        return digestOf(projection, partition)
      } finally {
        db.exec('COMMIT')
      }
    },
  }
}
