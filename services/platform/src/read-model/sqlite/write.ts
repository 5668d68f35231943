import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { scoreTaken } from '../limits.ts'
import type { Commit, Write } from '../port.ts'
import type { Lists } from './lists.ts'

const maxRows = 64
/** Number of columns of documents and of entries. */
const columns = 4

/**
 * Runs `INSERT … VALUES (…), (…), …` for any number of rows: 64 rows per statement, the rest in powers of two. So seven prepared statements
 * are enough for every count.
 */
const prepareBulk = (db: DatabaseSync, insert: string, onConflict: string) => {
  const statements = new Map<number, StatementSync>()
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`

  const statementFor = (rows: number): StatementSync => {
    const known = statements.get(rows)
    if (known !== undefined) return known
    const values = Array.from({ length: rows }, () => row).join(', ')
    const statement = db.prepare(`${insert} VALUES ${values} ${onConflict}`)
    statements.set(rows, statement)
    return statement
  }

  return (params: readonly SQLInputValue[]): void => {
    let size = maxRows
    for (let at = 0; at < params.length; at += size * columns) {
      while (size * columns > params.length - at) size /= 2
      statementFor(size).run(...params.slice(at, at + size * columns))
    }
  }
}

const uniqueViolation = 2067 // SQLITE_CONSTRAINT_UNIQUE

const isScoreTaken = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  error.errcode === uniqueViolation &&
  error.message.includes('entries.score')

type DocumentWrite = Extract<Write, { op: 'put' | 'delete' }>
type ListWrite = Extract<Write, { op: 'add' | 'remove' | 'trim' }>

const isDocumentWrite = (write: Write): write is DocumentWrite => write.op === 'put' || write.op === 'delete'

/**
 * Applies a commit's writes inside a transaction. Documents and lists are independent, so their writes are separated and each keeps its
 * order. Puts and adds then need few statements, even if a projection alternates between them.
 */
export const prepareWrite = (db: DatabaseSync, lists: Lists) => {
  const putAll = prepareBulk(
    db,
    'INSERT INTO documents (partition, collection, key, value)',
    'ON CONFLICT (partition, collection, key) DO UPDATE SET value = excluded.value',
  )
  const deleteOne = db.prepare('DELETE FROM documents WHERE partition = ? AND collection = ? AND key = ?')
  const addAll = prepareBulk(
    db,
    'INSERT INTO entries (list, score, member, value)',
    'ON CONFLICT (member, list) DO UPDATE SET score = excluded.score, value = excluded.value',
  )
  const removeOne = db.prepare('DELETE FROM entries WHERE member = ? AND list = ?')
  const trim = db.prepare('DELETE FROM entries WHERE list = ? AND score <= ?')

  const writeDocuments = (partition: string, writes: readonly DocumentWrite[]) => {
    let rows: SQLInputValue[] = []
    for (const write of writes) {
      if (write.op === 'put') rows.push(partition, write.collection, write.key, JSON.stringify(write.value))
      else {
        putAll(rows)
        rows = []
        deleteOne.run(partition, write.collection, write.key)
      }
    }
    putAll(rows)
  }

  const removeOrTrim = (partition: string, write: Extract<ListWrite, { op: 'remove' | 'trim' }>) => {
    const list = lists.find(partition, write.list)
    if (list === undefined) return
    if (write.op === 'remove') removeOne.run(write.member, list)
    else trim.run(list, write.upToScore)
  }

  const writeLists = (partition: string, writes: readonly ListWrite[]) => {
    let rows: SQLInputValue[] = []
    for (const write of writes) {
      if (write.op === 'add') {
        rows.push(lists.findOrCreate(partition, write.list), write.score, write.member, JSON.stringify(write.value))
      } else {
        addAll(rows)
        rows = []
        removeOrTrim(partition, write)
      }
    }
    addAll(rows)
  }

  return (commit: Commit): void => {
    const { partition, writes } = commit
    const documents: DocumentWrite[] = []
    const entries: ListWrite[] = []
    for (const write of writes) {
      if (isDocumentWrite(write)) documents.push(write)
      else entries.push(write)
    }
    writeDocuments(partition, documents)
    try {
      writeLists(partition, entries)
    } catch (error) {
      throw isScoreTaken(error) ? scoreTaken(commit, error) : error
    }
  }
}
