import { rm } from 'node:fs/promises'
import { createAppliedWaiters } from './applied-waiters.ts'
import { checkCommit, scoreTaken } from './invalid-commit.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { Commit, CommitOutcome, ReadModel } from './port.ts'
import { checkpointInBackground } from './sqlite/checkpoints.ts'
import { fileOf, inMemory, openDatabase } from './sqlite/database.ts'
import { prepareLists } from './sqlite/lists.ts'
import { prepareOperations } from './sqlite/operations.ts'
import { preparePositions } from './sqlite/positions.ts'
import { prepareRead } from './sqlite/read.ts'
import { prepareSeal } from './sqlite/seal.ts'
import { prepareWrite } from './sqlite/write.ts'

const uniqueViolation = 2067 // SQLITE_CONSTRAINT_UNIQUE

const isScoreTaken = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  error.errcode === uniqueViolation &&
  error.message.includes('entries.score')

type Place = {
  /** The folder, or ':memory:'. */
  readonly path: string
  readonly namespace: string
}

/** Removes the namespace's file. Whoever still has it open reads on in what is gone for all others. */
export const dropSqliteReadModel = async ({ path, namespace }: Place): Promise<void> => {
  const file = fileOf(path, namespace)
  if (file === inMemory) return
  // The log first: a file without its log is older, but whole.
  for (const suffix of ['-wal', '-shm', '']) await rm(`${file}${suffix}`, { force: true })
}

/** A read model in a SQLite file per namespace. */
export const openSqliteReadModel = ({ path, namespace }: Place): ReadModel => {
  const { db, file } = openDatabase(path, namespace)
  const checkpoints = file === inMemory ? undefined : checkpointInBackground(file)
  const lists = prepareLists(db)
  const read = prepareRead(db, lists)
  const write = prepareWrite(db, lists)
  const positions = preparePositions(db)
  const operations = prepareOperations(db)
  const seal = prepareSeal(db)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const putOnce = db.prepare('INSERT INTO documents VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const waiters = createAppliedWaiters(async (projection, partition) => positions.find(projection, partition))
  let closed = false

  const open = () => {
    if (closed) throw new Error('The read model is closed')
  }

  const undo = () => {
    if (db.isTransaction) rollback.run()
    lists.forget()
  }

  /** In one transaction: what the disk costs, it costs once. Those in conflict leave nothing behind. */
  const commitTogether = (changes: readonly Commit[]): readonly CommitOutcome[] => {
    for (const change of changes) checkCommit(change)
    const outcomes: CommitOutcome[] = []
    begin.run()
    try {
      const isSealed = seal.isSealed()
      for (const change of changes) outcomes.push(isSealed ? 'sealed' : applyCommit(change))
      commit.run()
    } catch (error) {
      undo()
      throw error
    }
    for (const [index, { projection, partition, position, writes }] of changes.entries()) {
      if (outcomes[index] !== 'committed') continue
      waiters.applied(projection, partition, position)
      // A commit without writes still moves its position.
      checkpoints?.wrote(writes.length + 1)
    }
    return outcomes
  }

  /** Inside a transaction. */
  const applyCommit = (change: Commit): CommitOutcome => {
    if (!positions.move(change)) return 'conflict'
    try {
      write(change.partition, change.writes)
    } catch (error) {
      throw isScoreTaken(error) ? scoreTaken(change, error) : error
    }
    return 'committed'
  }

  return {
    async commit(change) {
      open()
      return commitTogether([change])[0] ?? 'conflict'
    },
    async commitAll(changes) {
      open()
      return changes.length === 0 ? [] : commitTogether(changes)
    },
    async position(projection, partition) {
      open()
      return positions.find(projection, partition)
    },
    async whenApplied(projection, partition, position, timeoutMs) {
      open()
      return waiters.wait(projection, partition, position, timeoutMs)
    },
    async putImmutable(ref, value) {
      open()
      // A look costs a tenth of a write transaction, and all but the first of many calls end here.
      if (read.get(ref) === undefined) putOnce.run(ref.partition, ref.collection, ref.key, JSON.stringify(value))
    },
    async get(ref) {
      open()
      return read.get(ref)
    },
    async getMany(refs) {
      open()
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      return read.getMany(refs)
    },
    async entry(partition, list, member) {
      open()
      return read.entry(partition, list, member)
    },
    async range(partition, list, range) {
      open()
      checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
      return read.range(partition, list, range)
    },
    async entries(partition, wanted) {
      open()
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      return read.entries(partition, wanted)
    },
    async loadCursors(consumer) {
      open()
      return positions.loadCursors(consumer)
    },
    async saveCursor(consumer, busPartition, cursor) {
      open()
      positions.saveCursor(consumer, busPartition, cursor)
    },
    async partitions() {
      open()
      return operations.partitions()
    },
    async positions(projection) {
      open()
      return operations.positions(projection)
    },
    async digest(projection, partition) {
      open()
      return operations.digest(projection, partition)
    },
    async seal() {
      open()
      seal.set()
    },
    async unseal() {
      open()
      seal.lift()
    },
    async check() {
      open()
      db.prepare('SELECT 1').get()
    },
    async close() {
      if (closed) return
      closed = true
      waiters.close()
      // Whoever closes last moves the rest of the log and removes it.
      await checkpoints?.close()
      db.close()
    },
  }
}
