import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { PartitionDigest, PartitionRows } from '../port.ts'
import { documentRow, entryRow, entryText } from '../row-names.ts'

const sumModulus = 2 ** 52
const digits = sumModulus.toString(16).length - 1

/** Two sums of 52 bits of each row's SHA-1, so the order of the rows does not matter. The same as redis/maintenance.ts. */
const rowSums = () => {
  let [first, second] = [0, 0]
  return {
    add: (row: string, text: string): void => {
      const sha1 = hash('sha1', `${row}\0${text}`)
      first = (first + Number.parseInt(sha1.slice(0, digits), 16)) % sumModulus
      second = (second + Number.parseInt(sha1.slice(digits, 2 * digits), 16)) % sumModulus
    },
    checksum: (): string => `${first}-${second}`,
  }
}

/** For operations and replays, not for requests. */
export const prepareMaintenance = (db: DatabaseSync) => {
  const partitions = db.prepare('SELECT DISTINCT partition FROM positions')
  const position = db.prepare('SELECT position FROM positions WHERE projection = ? AND partition = ?')
  const documents = db.prepare('SELECT collection, key, value FROM documents WHERE partition = ?')
  const entries = db.prepare(`
    SELECT list.name, entry.score, entry.member, entry.value
    FROM lists AS list JOIN entries AS entry ON entry.list = list.id
    WHERE list.partition = ?`)

  /** In one read transaction, so that position and contents belong together. Returns the position. */
  const readAll = (
    projection: string,
    partition: string,
    onRow: (kind: 'documents' | 'entries', row: string, text: string) => void,
  ): string | undefined => {
    db.exec('BEGIN')
    try {
      for (const { collection, key, value } of documents.iterate(partition))
        onRow('documents', documentRow(String(collection), String(key)), String(value))
      for (const { name, score, member, value } of entries.iterate(partition))
        onRow('entries', entryRow(String(name), String(member)), entryText(String(score), String(value)))
      const found = position.get(projection, partition)?.['position']
      return typeof found === 'string' ? found : undefined
    } finally {
      db.exec('COMMIT')
    }
  }

  return {
    partitions: (): readonly string[] => partitions.all().map((row) => String(row['partition'])),
    digest: (projection: string, partition: string): PartitionDigest => {
      const sums = rowSums()
      const counts = { documents: 0, entries: 0 }
      const found = readAll(projection, partition, (kind, row, text) => {
        counts[kind]++
        sums.add(row, text)
      })
      return { position: found, ...counts, checksum: sums.checksum() }
    },
    rows: (projection: string, partition: string): PartitionRows => {
      const rows = new Map<string, string>()
      const found = readAll(projection, partition, (_, row, text) => rows.set(row, hash('sha1', text)))
      return { position: found, rows }
    },
  }
}

/** A row marks the read model as fenced, so that other processes see it. Each commit reads it inside its transaction. */
export const prepareFence = (db: DatabaseSync) => {
  // Creates the table if it is missing, so that read models of earlier releases stay usable. Keeps its recorded name.
  db.exec('CREATE TABLE IF NOT EXISTS seal (id INTEGER PRIMARY KEY CHECK (id = 1))')
  const find = db.prepare('SELECT 1 FROM seal')
  const set = db.prepare('INSERT INTO seal VALUES (1) ON CONFLICT DO NOTHING')
  const remove = db.prepare('DELETE FROM seal')
  return {
    isSet: (): boolean => find.get() !== undefined,
    set: (): void => void set.run(),
    remove: (): void => void remove.run(),
  }
}
