import { rm } from 'node:fs/promises'
import { ReadModelUnavailableError } from './errors.ts'
import { createRunningState } from '../async/running-state.ts'
import { watchOpenedFile, wrapWriteErrors } from '../files/database-file.ts'
import { createLockWait } from '../files/lock-wait.ts'
import { checkCommit } from './limits.ts'
import type { Checkpoints, Commit, CommitOutcome, Maintenance, ProjectionWriter, ReadModel, ReadStore } from './port.ts'
import { createPositionWaiters, type PositionWaiters } from './position-waiters.ts'
import { checkpointInBackground } from './sqlite/checkpoints.ts'
import { checkIntegrityInBackground, watchReadModel } from './sqlite/damage.ts'
import { epochOf, fileOf, inMemory, openDatabase } from './sqlite/database.ts'
import { prepareLists } from './sqlite/lists.ts'
import { prepareFence, prepareMaintenance } from './sqlite/maintenance.ts'
import { preparePositions } from './sqlite/positions.ts'
import { prepareRead } from './sqlite/read.ts'
import { prepareWrite } from './sqlite/write.ts'

type Location = {
  /** The folder, or ':memory:'. */
  readonly path: string
  readonly namespace: string
}

type SqliteReadModelOptions = Location & {
  /** How long after opening the whole file is checked once for damage. */
  readonly integrityCheckAfterMs?: number
}

const rebuiltByRestart = 'restart the portal, which rebuilds it from the event store'

/** Late enough not to slow down startup. */
const defaultIntegrityCheckAfterMs = 5_000

/** Removes the namespace's file. Open connections continue to read the removed file. */
export const dropSqliteReadModel = async ({ path, namespace }: Location): Promise<void> => {
  const file = fileOf(path, namespace)
  if (file === inMemory) return
  // Remove the write-ahead log first: a file without it is older, but consistent.
  for (const suffix of ['-wal', '-shm', '']) await rm(`${file}${suffix}`, { force: true })
}

const openAll = ({ path, namespace }: Location) => {
  const { db, file } = openDatabase(path, namespace)
  try {
    const lists = prepareLists(db)
    return {
      db,
      file,
      epoch: epochOf(db),
      lists,
      read: prepareRead(db, lists),
      write: prepareWrite(db, lists),
      positions: preparePositions(db),
      maintenance: prepareMaintenance(db),
      fence: prepareFence(db),
    }
  } catch (error) {
    db.close()
    throw error
  }
}
type Opened = ReturnType<typeof openAll>

/** What a write has to wait for. */
type WhenRoom = () => Promise<void> | undefined

/** Rejects calls after `close`, waits for locks of other processes, and records the damage that a call finds. */
const createGuard = (file: string, damage: ReturnType<typeof watchReadModel>, whenRoom: WhenRoom) => {
  const [readLock, writeLock] = [createLockWait(file), createLockWait(file)]
  const running = createRunningState(() => new ReadModelUnavailableError('The read model is closed'))
  const ensureOpen = running.assertRunning
  const reading = <T>(work: () => T): T => {
    ensureOpen()
    return damage.notice(work)
  }
  const writing = <T>(work: () => T): T => {
    ensureOpen()
    damage.check()
    return wrapWriteErrors(file, () => damage.notice(work))
  }
  // The lock of a checkpoint is the portal's own, and on a slow disk it lasts longer than the wait for another process.
  const writeInRoom = <T>(work: () => T): Promise<T> => {
    const room = whenRoom()
    return room === undefined ? writeLock.run(() => writing(work)) : room.then(() => writeInRoom(work))
  }
  return {
    ensureOpen,
    reading,
    /** Wraps a synchronous function as a call of the port, which rejects instead of throwing. */
    reads:
      <Given extends readonly unknown[], Answer>(call: (...given: Given) => Answer) =>
      (...given: Given): Promise<Answer> =>
        readLock.run(() => reading(() => call(...given))),
    writes:
      <Given extends readonly unknown[], Answer>(call: (...given: Given) => Answer) =>
      (...given: Given): Promise<Answer> =>
        writeInRoom(() => call(...given)),
    /** False if it was closed before. */
    close: running.stop,
  }
}
type Guard = ReturnType<typeof createGuard>

const createStore = ({ db, epoch, read }: Opened, { reading, reads }: Guard): ReadStore => {
  /** Changes with writes of other connections, not with writes of this one. */
  const foreignWrites = db.prepare('PRAGMA data_version')
  return {
    epoch,
    lineage: () => reading(() => `${epoch} ${String(foreignWrites.get()?.['data_version'])}`),
    get: reads(read.get),
    getMany: reads(read.getMany),
    entry: reads(read.entry),
    entries: reads(read.entries),
    range: reads(read.range),
  }
}

const createWriter = (
  { db, fence, lists, positions, read, write }: Opened,
  { writes }: Guard,
  onCommitted: (commits: readonly Commit[]) => void,
): ProjectionWriter => {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const putOnce = db.prepare('INSERT INTO documents VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')

  const undo = () => {
    if (db.isTransaction) rollback.run()
    lists.clear()
  }

  /** Inside a transaction. */
  const applyCommit = (change: Commit): CommitOutcome => {
    if (!positions.move(change)) return 'conflict'
    write(change)
    return 'committed'
  }

  /** One transaction for all commits, so that they wait for the disk once. A commit in conflict changes nothing. */
  const commitTogether = (changes: readonly Commit[]): readonly CommitOutcome[] => {
    for (const change of changes) checkCommit(change)
    const outcomes: CommitOutcome[] = []
    begin.run()
    try {
      const isFenced = fence.isSet()
      for (const change of changes) outcomes.push(isFenced ? 'fenced' : applyCommit(change))
      commit.run()
    } catch (error) {
      undo()
      throw error
    }
    onCommitted(changes.filter((_, index) => outcomes[index] === 'committed'))
    return outcomes
  }
  const commitAll = writes(commitTogether)

  return {
    commit: async (change) => (await commitAll([change]))[0] ?? 'conflict',
    commitAll: async (changes) => (changes.length === 0 ? [] : commitAll(changes)),
    putImmutable: writes((ref, value) => {
      // A read costs a tenth of a write transaction, and usually finds the document.
      if (read.get(ref) === undefined) putOnce.run(ref.partition, ref.collection, ref.key, JSON.stringify(value))
    }),
  }
}

const createCheckpoints = (
  { positions }: Opened,
  { ensureOpen, reads, writes }: Guard,
  waiters: PositionWaiters,
): Checkpoints => ({
  position: reads(positions.find),
  positions: reads(positions.all),
  positionIds: reads(positions.findIds),
  async whenApplied(projection, partition, position, timeoutMs) {
    ensureOpen()
    return waiters.wait(projection, partition, position, timeoutMs)
  },
  loadCursors: reads(positions.loadCursors),
  saveCursor: writes(positions.saveCursor),
})

const createMaintenance = (
  { db, file, fence, maintenance }: Opened,
  { ensureOpen, reads, writes }: Guard,
  close: Maintenance['close'],
): Maintenance => {
  const checkFile = file === inMemory ? () => undefined : watchOpenedFile(file, rebuiltByRestart)
  // Fails while another process holds the lock, though reads succeed.
  const checkLock = writes(() => db.exec('BEGIN IMMEDIATE; ROLLBACK'))
  return {
    partitions: reads(maintenance.partitions),
    digest: reads(maintenance.digest),
    rows: reads(maintenance.rows),
    fence: writes(fence.set),
    unfence: writes(fence.remove),
    // A local file never goes back while it is open.
    acceptOlder: () => undefined,
    check: async () => {
      ensureOpen()
      // Before the rest: it has the remedy, and what a call finds in a replaced file looks like damage.
      checkFile()
      await checkLock()
    },
    close,
  }
}

/** A read model in a SQLite file per namespace. */
export const openSqliteReadModel = (options: SqliteReadModelOptions): ReadModel => {
  const { namespace, integrityCheckAfterMs = defaultIntegrityCheckAfterMs } = options
  const damage = watchReadModel(namespace)
  const opened = damage.notice(() => openAll(options))
  const { db, file, positions } = opened
  const checkpoints = file === inMemory ? undefined : checkpointInBackground(file)
  const guard = createGuard(file, damage, () => checkpoints?.whenRoom())
  const integrityCheck =
    file === inMemory ? undefined : checkIntegrityInBackground(file, integrityCheckAfterMs, damage.found)
  const waiters = createPositionWaiters(guard.reads(positions.find))
  const onCommitted = (changes: readonly Commit[]) => {
    for (const { projection, partition, position } of changes) waiters.applied(projection, partition, position)
    checkpoints?.onCommit()
  }
  const close = async () => {
    if (!guard.close()) return
    waiters.close()
    integrityCheck?.stop()
    // The last connection to close checkpoints and removes the write-ahead log.
    await checkpoints?.close()
    db.close()
  }
  return {
    ...createStore(opened, guard),
    ...createWriter(opened, guard, onCommitted),
    ...createCheckpoints(opened, guard, waiters),
    ...createMaintenance(opened, guard, close),
  }
}
