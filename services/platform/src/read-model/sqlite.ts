import { rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { createAppliedWaiters } from './applied-waiters.ts'
import { checkCommit, scoreTaken } from './invalid-commit.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { Commit, CommitOutcome, ReadModel } from './port.ts'
import { checkpointInBackground } from './sqlite/checkpoints.ts'
import { watchForDamage } from './sqlite/damage.ts'
import { epochOf, fileOf, inMemory, openDatabase } from './sqlite/database.ts'
import { examineInBackground } from './sqlite/examine.ts'
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

export type SqliteReadModelOptions = Place & {
  /** So long after opening a file is read as a whole, once, to find damage. */
  readonly examineAfterMs?: number
}

/** Not while a process starts. */
const usualExamineAfterMs = 5_000

/** Removes the namespace's file. Whoever still has it open reads on in what is gone for all others. */
export const dropSqliteReadModel = async ({ path, namespace }: Place): Promise<void> => {
  const file = fileOf(path, namespace)
  if (file === inMemory) return
  // The log first: a file without its log is older, but whole.
  for (const suffix of ['-wal', '-shm', '']) await rm(`${file}${suffix}`, { force: true })
}

const prepareAll = (db: DatabaseSync) => {
  const lists = prepareLists(db)
  return {
    epoch: epochOf(db),
    lists,
    read: prepareRead(db, lists),
    write: prepareWrite(db, lists),
    positions: preparePositions(db),
    operations: prepareOperations(db),
    seal: prepareSeal(db),
  }
}

const openAll = ({ path, namespace }: Place) => {
  const { db, file } = openDatabase(path, namespace)
  try {
    return { db, file, ...prepareAll(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

/** A read model in a SQLite file per namespace. */
export const openSqliteReadModel = (options: SqliteReadModelOptions): ReadModel => {
  const { namespace, examineAfterMs = usualExamineAfterMs } = options
  const damage = watchForDamage(namespace)
  const { db, file, epoch, lists, read, write, positions, operations, seal } = damage.notice(() => openAll(options))
  const checkpoints = file === inMemory ? undefined : checkpointInBackground(file)
  const examination = file === inMemory ? undefined : examineInBackground(file, examineAfterMs, damage.found)
  /** Changes when another connection has written, and never with writes of this one. */
  const foreignWrites = db.prepare('PRAGMA data_version')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const putOnce = db.prepare('INSERT INTO documents VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const waiters = createAppliedWaiters(async (projection, partition) =>
    reading(() => positions.find(projection, partition)),
  )
  let closed = false

  const open = () => {
    if (closed) throw new Error('The read model is closed')
  }

  const reading = <T>(work: () => T): T => {
    open()
    return damage.notice(work)
  }

  const writing = <T>(work: () => T): T => {
    open()
    damage.check()
    return damage.notice(work)
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
    epoch,
    lineage: () => reading(() => `${epoch} ${String(foreignWrites.get()?.['data_version'])}`),
    async commit(change) {
      return writing(() => commitTogether([change])[0] ?? 'conflict')
    },
    async commitAll(changes) {
      return writing(() => (changes.length === 0 ? [] : commitTogether(changes)))
    },
    async position(projection, partition) {
      return reading(() => positions.find(projection, partition))
    },
    async whenApplied(projection, partition, position, timeoutMs) {
      open()
      return waiters.wait(projection, partition, position, timeoutMs)
    },
    async putImmutable(ref, value) {
      writing(() => {
        // A look costs a tenth of a write transaction, and all but the first of many calls end here.
        if (read.get(ref) === undefined) putOnce.run(ref.partition, ref.collection, ref.key, JSON.stringify(value))
      })
    },
    async get(ref) {
      return reading(() => read.get(ref))
    },
    async getMany(refs) {
      open()
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      return reading(() => read.getMany(refs))
    },
    async entry(partition, list, member) {
      return reading(() => read.entry(partition, list, member))
    },
    async range(partition, list, range) {
      open()
      checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
      return reading(() => read.range(partition, list, range))
    },
    async entries(partition, wanted) {
      open()
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      return reading(() => read.entries(partition, wanted))
    },
    async loadCursors(consumer) {
      return reading(() => positions.loadCursors(consumer))
    },
    async saveCursor(consumer, busPartition, cursor) {
      writing(() => positions.saveCursor(consumer, busPartition, cursor))
    },
    async partitions() {
      return reading(() => operations.partitions())
    },
    async positions(projection) {
      return reading(() => operations.positions(projection))
    },
    async positionIds(projection) {
      return reading(() => positions.findIds(projection))
    },
    async digest(projection, partition) {
      return reading(() => operations.digest(projection, partition))
    },
    async seal() {
      writing(seal.set)
    },
    async unseal() {
      writing(seal.lift)
    },
    // One file, which only this machine writes, goes back with its process or not at all.
    acceptOlder: () => undefined,
    async check() {
      writing(() => db.prepare('SELECT 1').get())
    },
    async close() {
      if (closed) return
      closed = true
      waiters.close()
      examination?.stop()
      // Whoever closes last moves the rest of the log and removes it.
      await checkpoints?.close()
      db.close()
    },
  }
}
